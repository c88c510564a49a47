%% What `-include_lib("eunit/include/eunit.hrl")` asks of forms: test functions are exported, and `test/0` runs them.
-module(erlet_autoexport).

-export([forms/1]).

-spec forms([erl_parse:abstract_form()]) -> [erl_parse:abstract_form()].
forms(Forms) ->
    Exported = lists:append([Names || {attribute, _, export, Names} <- Forms]),
    Tests = [Name || {function, _, Name, 0, _} <- Forms, is_test(atom_to_list(Name))],
    HasTest = lists:any(fun(Form) -> is_tuple(Form) andalso tuple_size(Form) =:= 5 andalso {element(3, Form), element(4, Form)} =:= {test, 0} end, Forms),
    New = [{Name, 0} || Name <- [test | Tests], not lists:member({Name, 0}, Exported)],
    case lists:splitwith(fun(Form) -> not is_module(Form) end, Forms) of
        {Before, [{attribute, Anno, module, Module} = Attribute | After]} ->
            Before ++ [Attribute, {attribute, Anno, export, New} | added(After, HasTest, Anno, Module)];
        _ -> Forms
    end.

is_test(Name) -> lists:any(fun(Suffix) -> lists:suffix(Suffix, Name) end, ["_test", "_test_", "_exported_"]).

is_module({attribute, _, module, _}) -> true;
is_module(_) -> false.

added(Forms, true, _, _) -> Forms;
added(Forms, false, Anno, Module) ->
    Call = {call, Anno, {remote, Anno, {atom, Anno, eunit}, {atom, Anno, test}}, [{atom, Anno, Module}]},
    Test = {function, Anno, test, 0, [{clause, Anno, [], [], [Call]}]},
    {Own, End} = lists:splitwith(fun(Form) -> element(1, Form) =/= eof end, Forms),
    Own ++ [Test | End].
