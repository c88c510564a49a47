%% What object code says of itself. Object code is erlet's own, as compile:file/2 writes it and code:get_object_code/1 gives it; that of
%% other systems is no file of this kind.
%%
%% Object code holds no abstract code. Where the source is still there, the abstract code is read from it, with the headers and macros
%% that modules of the code path are compiled with; attributes that the loaded module does not tell are taken from there too.
-module(beam_lib).

-export([chunks/2, chunks/3, info/1, version/1, md5/1, strip/1, cmp/2, format_error/1]).

-type beam() :: file:filename() | binary().
-type chunk() :: abstract_code | debug_info | attributes | compile_info | exports | imports | string().
-type fault() :: {error, beam_lib, term()}.

-spec chunks(beam(), [chunk()]) -> {ok, {module(), [{chunk(), term()}]}} | fault().
chunks(Beam, Chunks) -> chunks(Beam, Chunks, []).

-spec chunks(beam(), [chunk()], [allow_missing_chunks]) -> {ok, {module(), [{chunk(), term()}]}} | fault().
chunks(Beam, Chunks, Options) when is_list(Chunks) ->
    MayLack = lists:member(allow_missing_chunks, Options),
    try
        {Name, Contents} = contents(Beam),
        {ok, {element(1, Contents), [{Chunk, chunk(Chunk, MayLack, Name, Contents)} || Chunk <- Chunks]}}
    catch throw:{beam_lib, Reason} -> {error, beam_lib, Reason}
    end.

%% The name that faults show, and {Module, Exports, Imports, Files, Md5}.
contents(Code) when is_binary(Code) -> decoded(Code, Code);
contents(Name) when is_atom(Name) -> contents(atom_to_list(Name));
contents(Name) ->
    File = case filename:extension(Name) of
               ".beam" -> Name;
               _ -> Name ++ ".beam"
           end,
    case file:read_file(File) of
        {ok, Code} -> decoded(File, Code);
        {error, Reason} -> fault({file_error, File, Reason})
    end.

decoded(Name, Code) ->
    case erlet_code:contents(Code) of
        error -> fault({not_a_beam_file, Name});
        Contents -> {Name, Contents}
    end.

-spec fault(term()) -> no_return().
fault(Reason) -> throw({beam_lib, Reason}).

chunk(exports, _, _, {_, Exports, _, _, _}) -> lists:usort([{module_info, 0}, {module_info, 1} | Exports]);
chunk(imports, _, _, {_, _, Imports, _, _}) -> lists:usort(Imports);
chunk(abstract_code, _, _, Contents) ->
    case forms(Contents) of
        none -> no_abstract_code;
        Forms -> {raw_abstract_v1, Forms}
    end;
chunk(debug_info, _, _, {Module, _, _, _, _} = Contents) ->
    case forms(Contents) of
        none -> no_debug_info;
        Forms -> {debug_info_v1, erl_abstract_code, {Forms, proplists:get_value(options, compile_info(Module, Contents), [])}}
    end;
chunk(attributes, _, _, {Module, _, _, _, Md5} = Contents) ->
    Pairs = case is_current(Module, Md5) of
                true -> Module:module_info(attributes);
                false -> [{Key, listed(Value)} || {attribute, _, Key, Value} <- all_forms(Contents), is_kept(Key)]
            end,
    ByKey = maps:groups_from_list(fun({Key, _}) -> Key end, fun({_, Value}) -> Value end, Pairs),
    [{Key, lists:append(Values)} || {Key, Values} <- lists:sort(maps:to_list(ByKey))];
chunk(compile_info, _, _, {Module, _, _, _, _} = Contents) -> lists:sort(compile_info(Module, Contents));
chunk(Id, MayLack, Name, _) when is_list(Id), length(Id) =:= 4 ->
    MayLack orelse fault({missing_chunk, Name, Id}),
    missing_chunk;
chunk(Id, _, Name, _) -> fault({unknown_chunk, Name, Id}).

compile_info(Module, {_, _, _, Files, Md5}) ->
    case is_current(Module, Md5) of
        true -> Module:module_info(compile);
        false -> [{options, []} | [{source, File} || File <- lists:sublist(Files, 1)]]
    end.

is_current(Module, Md5) -> erlang:module_loaded(Module) andalso erlet_code:md5(Module) =:= Md5.

listed(Value) when is_list(Value) -> Value;
listed(Value) -> [Value].

is_kept(Key) -> not lists:member(Key, [file, module, export, import, record, type, opaque, spec, callback, compile, export_type, optional_callbacks, 'else']).

all_forms(Contents) ->
    case forms(Contents) of
        none -> [];
        Forms -> Forms
    end.

%% The forms of the source, if it can be read and holds the module.
forms({Module, _, _, Files, _}) ->
    Sources = [File || File <- lists:sublist(Files, 1) ++ [code:which(Module)], is_list(File), filename:extension(File) =:= ".erl"],
    {Folders, Macros} = erlet_code:settings(),
    first_forms(Sources, Module, Folders, [macro(Macro) || Macro <- Macros]).

first_forms([], _, _, _) -> none;
first_forms([File | Files], Module, Folders, Macros) ->
    Includes = [filename:dirname(File) | Folders],
    case epp:parse_file(File, [{includes, Includes}, {macros, Macros}]) of
        {ok, Forms} ->
            case lists:member(Module, [Name || {attribute, _, module, Name} <- Forms]) of
                true -> transformed(Forms);
                false -> first_forms(Files, Module, Folders, Macros)
            end;
        {error, _} -> first_forms(Files, Module, Folders, Macros)
    end.

%% Parse transforms have been at work in what was compiled.
transformed(Forms) ->
    Asked = [Transform || {attribute, _, compile, Value} <- Forms, {parse_transform, Transform} <- listed(Value)],
    lists:foldl(fun transformed/2, [without_transforms(Form) || Form <- Forms], Asked).

transformed(eunit_autoexport, Forms) -> erlet_autoexport:forms(Forms);
transformed(Transform, Forms) ->
    case erlet_transform:run(Transform, Forms, []) of
        {ok, New, _} -> New;
        _ -> Forms
    end.

without_transforms({attribute, Anno, compile, Value}) ->
    {attribute, Anno, compile, [Option || Option <- listed(Value), not is_transform(Option)]};
without_transforms(Form) -> Form.

is_transform({parse_transform, _}) -> true;
is_transform(_) -> false.

macro({Name, Text}) ->
    case erl_scan:string(Text ++ ".") of
        {ok, Tokens, _} ->
            case erl_parse:parse_term(Tokens) of
                {ok, Value} -> {Name, Value};
                {error, _} -> {Name, true}
            end;
        _ -> {Name, true}
    end;
macro(Name) -> {Name, true}.

%%% The rest

-spec info(beam()) -> [tuple()] | fault().
info(Beam) ->
    try contents(Beam) of
        {Code, Contents} when is_binary(Code) -> [{binary, Code}, {module, element(1, Contents)}, {chunks, []}];
        {File, Contents} -> [{file, File}, {module, element(1, Contents)}, {chunks, []}]
    catch throw:{beam_lib, Reason} -> {error, beam_lib, Reason}
    end.

%% What its attribute `vsn` says, or else the number that its hash is.
-spec version(beam()) -> {ok, {module(), [term()]}} | fault().
version(Beam) ->
    case chunks(Beam, [attributes]) of
        {ok, {Module, [{attributes, Attributes}]}} ->
            case lists:keyfind(vsn, 1, Attributes) of
                {vsn, Version} -> {ok, {Module, Version}};
                false ->
                    {ok, {_, Md5}} = md5(Beam),
                    {ok, {Module, [binary:decode_unsigned(Md5)]}}
            end;
        Fault -> Fault
    end.

-spec md5(beam()) -> {ok, {module(), binary()}} | fault().
md5(Beam) ->
    try contents(Beam) of
        {_, {Module, _, _, _, Md5}} -> {ok, {Module, Md5}}
    catch throw:{beam_lib, Reason} -> {error, beam_lib, Reason}
    end.

%% There is nothing in object code that it does not need to run.
-spec strip(beam()) -> {ok, {module(), beam()}} | fault().
strip(Beam) ->
    try contents(Beam) of
        {Name, Contents} -> {ok, {element(1, Contents), Name}}
    catch throw:{beam_lib, Reason} -> {error, beam_lib, Reason}
    end.

-spec cmp(beam(), beam()) -> ok | fault().
cmp(Beam, Other) ->
    try {contents(Beam), contents(Other)} of
        {{_, Same}, {_, Same}} -> ok;
        {{_, Contents}, {_, Others}} when element(1, Contents) =:= element(1, Others) -> {error, beam_lib, {chunks_different, "Code"}};
        {{_, Contents}, {_, Others}} -> {error, beam_lib, {modules_different, element(1, Contents), element(1, Others)}}
    catch throw:{beam_lib, Reason} -> {error, beam_lib, Reason}
    end.

-spec format_error(term()) -> io_lib:chars().
format_error({error, ?MODULE, Reason}) -> format_error(Reason);
format_error({error, Reason}) -> format_error(Reason);
format_error({not_a_beam_file, File}) -> io_lib:format("~tp: Not a BEAM file~n", [File]);
format_error({file_error, File, Reason}) -> io_lib:format("~tp: ~tp~n", [File, file:format_error(Reason)]);
format_error({missing_chunk, File, Id}) -> io_lib:format("~tp: Not a BEAM file: no IFF \"~s\" chunk~n", [File, Id]);
format_error({unknown_chunk, File, Id}) -> io_lib:format("~tp: Unknown chunk ~tp~n", [File, Id]);
format_error({chunks_different, Id}) -> io_lib:format("The BEAM files differ: \"~s\"~n", [Id]);
format_error({modules_different, One, Other}) -> io_lib:format("Module names ~p and ~p differ in the two files~n", [One, Other]);
format_error(Reason) -> io_lib:format("~tp~n", [Reason]).
