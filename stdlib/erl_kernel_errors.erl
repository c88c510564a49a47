%% What is wrong with the arguments of functions of `os`. The rules are those of `erlet_argument`.
-module(erl_kernel_errors).

-export([format_error/2]).

-spec format_error(term(), [tuple()]) -> #{pos_integer() | general => unicode:chardata()}.
format_error(_, [{os, Function, Args, Info} | _]) ->
    Cause = erlet_argument:cause(Info),
    erlet_argument:explain(os(Function, Args, Cause), Args);
format_error(_, _) -> #{}.

os(cmd, _, {open_port, Reason}) -> [{general, not_opened(Reason)}];
os(cmd, [_, _], badopt) -> [any, {no, map}];
os(cmd, _, _) -> [{no, characters}];
os(getenv, [Name | _], _) -> [name(Name)];
os(perf_counter, [_], _) -> [{no, time_unit}];
os(putenv, [Name, Value], _) -> [name(Name), value(Value)];
os(set_signal, [_, _], badopt) -> [atom, {bad, <<"invalid signal handling option">>}];
os(set_signal, [_, _], _) -> [{atom, <<"invalid signal name">>}];
os(system_time, [_], _) -> [{no, time_unit}];
os(unsetenv, [Name], _) -> [name(Name)];
os(_, _, _) -> [].

not_opened(Reason) ->
    case erl_posix_msg:message(Reason) of
        "unknown POSIX error" -> io_lib:format("open_port failed with reason: ~tp", [Reason]);
        Text -> io_lib:format("~ts (~tp)", [Text, Reason])
    end.

name(Name) ->
    case value(Name) of
        any ->
            case lists:member($=, lists:flatten(Name)) of
                true -> {bad, <<"\"=\" characters is not allowed in environment variable names">>};
                false -> any
            end;
        Rule -> Rule
    end.

value(Value) when is_list(Value) ->
    try lists:flatten(Value) of
        Flat -> characters(Flat)
    catch
        error:_ -> {no, proper_list}
    end;
value(_) -> {no, list}.

characters(Flat) ->
    case lists:all(fun(C) -> is_integer(C) end, Flat) of
        true ->
            case is_list(unicode:characters_to_list(Flat, file:native_name_encoding())) of
                true -> text(lists:member(0, Flat));
                false -> {bad, <<"invalid characters">>}
            end;
        false -> {no, characters}
    end.

text(true) -> {bad, <<"\"\\0\" characters is not allowed in environment variable names or values">>};
text(false) -> any.
