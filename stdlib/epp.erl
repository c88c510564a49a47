%% Source files as forms, macros expanded.
%%
%% The preprocessor is the compiler's own: erlet_forms:file/5 runs it over a whole file. What `open/1` gives is a process that
%% hands out the forms one by one.
-module(epp).

-export([parse_file/2, parse_file/3, open/1, open/2, open/3, close/1, parse_erl_form/1, scan_erl_form/1, format_error/1,
         default_encoding/0, encoding_to_string/1, read_encoding/1, read_encoding/2, read_encoding_from_binary/1,
         read_encoding_from_binary/2, set_encoding/1, set_encoding/2, normalize_typed_record_fields/1,
         restore_typed_record_fields/1, macro_defs/1]).
-export_type([macros/0, epp_handle/0, source_encoding/0]).

-type macros() :: [atom() | {atom(), term()}].
-type epp_handle() :: pid().
-type source_encoding() :: latin1 | utf8.

-spec parse_file(file:filename(), [file:filename()], macros()) -> {ok, [term()]} | {error, term()}.
parse_file(Name, Includes, Macros) -> parse_file(Name, [{includes, Includes}, {macros, Macros}]).

-spec parse_file(file:filename(), [term()]) -> {ok, [term()]} | {ok, [term()], [term()]} | {error, term()}.
parse_file(Given, Options) ->
    Name = filename:flatten(Given),
    Columns = is_tuple(proplists:get_value(location, Options, 1)),
    Shown = chars(proplists:get_value(source_name, Options, Name)),
    Includes = [chars(Folder) || Folder <- proplists:get_value(includes, Options, []), not is_integer(Folder)],
    Defines = [define(Macro) || Macro <- proplists:get_value(macros, Options, [])],
    case erlet_forms:file(Name, Shown, Includes, Defines, Columns) of
        {ok, Forms} ->
            case proplists:get_bool(extra, Options) of
                true -> {ok, Forms, [{encoding, read_encoding(Name)}]};
                false -> {ok, Forms}
            end;
        Error -> Error
    end.

chars(Name) when is_binary(Name) -> unicode:characters_to_list(Name);
chars(Name) -> filename:flatten(Name).

define({Name, Value}) -> {atom_to_list(Name), lists:flatten(io_lib:format("~tw", [value(Value)]))};
define(Name) -> {atom_to_list(Name), "true"}.

value({Value, redefine}) -> Value;
value(Value) -> Value.

-spec open([term()]) -> {ok, epp_handle()} | {error, term()}.
open(Options) ->
    case parse_file(proplists:get_value(name, Options), Options) of
        {ok, Forms} -> {ok, spawn_link(fun() -> hand_out(Forms) end)};
        Error -> Error
    end.

-spec open(file:filename(), [file:filename()]) -> {ok, epp_handle()} | {error, term()}.
open(Name, Includes) -> open(Name, Includes, []).

-spec open(file:filename(), [file:filename()], macros()) -> {ok, epp_handle()} | {error, term()}.
open(Name, Includes, Macros) -> open([{name, Name}, {includes, Includes}, {macros, Macros}]).

hand_out(Forms) ->
    receive
        {next, From, Reference} ->
            case Forms of
                [{eof, _} = Eof | _] ->
                    From ! {Reference, Eof},
                    hand_out(Forms);
                [{Kind, Info} | Rest] when Kind =:= error; Kind =:= warning ->
                    From ! {Reference, {Kind, Info}},
                    hand_out(Rest);
                [Form | Rest] ->
                    From ! {Reference, {ok, Form}},
                    hand_out(Rest)
            end;
        {close, From, Reference} ->
            unlink(From),
            From ! {Reference, ok}
    end.

ask(Epp, What) ->
    Reference = monitor(process, Epp),
    Epp ! {What, self(), Reference},
    receive
        {Reference, Answer} ->
            demonitor(Reference, [flush]),
            Answer;
        {'DOWN', Reference, _, _, Reason} -> exit(Reason)
    end.

-spec close(epp_handle()) -> ok.
close(Epp) -> ask(Epp, close).

-spec parse_erl_form(epp_handle()) -> {ok, term()} | {error | warning, term()} | {eof, erl_anno:location()}.
parse_erl_form(Epp) -> ask(Epp, next).

%% Forms are read as a whole: their tokens are gone.
-spec scan_erl_form(epp_handle()) -> no_return().
scan_erl_form(Epp) -> error(not_supported, [Epp]).

-spec macro_defs(epp_handle()) -> no_return().
macro_defs(Epp) -> error(not_supported, [Epp]).

-spec format_error(term()) -> io_lib:chars().
format_error({undefined, Name, none}) -> io_lib:format("undefined macro '~ts'", [Name]);
format_error({include, file, Name}) -> io_lib:format("can't find include file \"~ts\"", [Name]);
format_error({include, lib, Name}) -> io_lib:format("can't find include lib \"~ts\"", [Name]);
format_error(Text) ->
    case io_lib:deep_char_list(Text) of
        true -> Text;
        _ -> file:format_error(Text)
    end.

%%% Encodings: a comment in the first two lines may name one.

-spec default_encoding() -> source_encoding().
default_encoding() -> utf8.

-spec encoding_to_string(source_encoding()) -> string().
encoding_to_string(latin1) -> "coding: latin-1";
encoding_to_string(utf8) -> "coding: utf-8".

-spec read_encoding(file:name()) -> source_encoding() | none.
read_encoding(Name) -> read_encoding(Name, []).

-spec read_encoding(file:name(), [term()]) -> source_encoding() | none.
read_encoding(Name, Options) ->
    case file:read_file(Name) of
        {ok, Binary} -> read_encoding_from_binary(Binary, Options);
        _ -> none
    end.

-spec read_encoding_from_binary(binary()) -> source_encoding() | none.
read_encoding_from_binary(Binary) -> read_encoding_from_binary(Binary, []).

-spec read_encoding_from_binary(binary(), [term()]) -> source_encoding() | none.
read_encoding_from_binary(Binary, Options) ->
    InComment = proplists:get_value(in_comment_only, Options, true),
    Lines = lists:sublist(binary:split(Binary, <<"\n">>, [global]), 2),
    Found = [Encoding || Line <- Lines, Encoding <- [coding(binary_to_list(Line), InComment)], Encoding =/= none],
    case Found of
        [First | _] -> First;
        [] -> none
    end.

coding(Line, InComment) ->
    Text = string:trim(Line, leading, " \t"),
    case {InComment, Text} of
        {true, [C | _]} when C =/= $% -> none;
        {true, []} -> none;
        _ ->
            case string:find(string:lowercase(Text), "coding") of
                nomatch -> none;
                "coding" ++ [C | Rest] when C =:= $:; C =:= $= -> named(string:trim(Rest, leading, " \t"));
                _ -> none
            end
    end.

named("latin-1" ++ _) -> latin1;
named("utf-8" ++ _) -> utf8;
named(_) -> none.

-spec set_encoding(file:io_device()) -> source_encoding() | none.
set_encoding(File) -> set_encoding(File, default_encoding()).

-spec set_encoding(file:io_device(), source_encoding()) -> source_encoding() | none.
set_encoding(File, Default) ->
    %% In Latin-1 nothing that the first lines hold is wrong.
    ok = io:setopts(File, [{encoding, latin1}]),
    Start = file:position(File, cur),
    Lines = [unicode:characters_to_binary(Line, latin1, latin1) || _ <- [1, 2], Line <- [io:get_line(File, '')], not is_atom(Line),
                                                                   not is_tuple(Line)],
    case Start of
        {ok, Position} -> {ok, Position} = file:position(File, Position);
        {error, _} -> ok
    end,
    Said = read_encoding_from_binary(iolist_to_binary(Lines)),
    ok = io:setopts(File, [{encoding, case Said of none -> Default; _ -> Said end}]),
    Said.

%%% Types of record fields

-spec normalize_typed_record_fields([tuple()]) -> {typed, [tuple()]} | not_typed.
normalize_typed_record_fields(Fields) ->
    case lists:keymember(typed_record_field, 1, Fields) of
        true -> {typed, [case Field of {typed_record_field, Plain, _} -> Plain; _ -> Field end || Field <- Fields]};
        false -> not_typed
    end.

-spec restore_typed_record_fields([term()]) -> [term()].
restore_typed_record_fields([{attribute, _, record, _}, {attribute, Anno, type, {{record, Name}, Fields, []}} | Forms]) ->
    [{attribute, Anno, record, {Name, Fields}} | restore_typed_record_fields(Forms)];
restore_typed_record_fields([{attribute, Anno, type, {{record, Name}, Fields, []}} | Forms]) ->
    [{attribute, Anno, record, {Name, Fields}} | restore_typed_record_fields(Forms)];
restore_typed_record_fields([Form | Forms]) -> [Form | restore_typed_record_fields(Forms)];
restore_typed_record_fields([]) -> [].
