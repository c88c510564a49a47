%% `'$handle_undefined_function'/2` gets the calls of functions that a module does not have. OTP 25 prints the same.
-module(a_module_may_handle_functions_it_lacks).
-export([main/0, '$handle_undefined_function'/2]).

'$handle_undefined_function'(nope, Args) -> error_handler:raise_undef_exception(?MODULE, nope, Args);
'$handle_undefined_function'(Function, Args) -> {Function, Args}.

main() ->
    M = ?MODULE,
    io:format("~p ~p ~p~n", [?MODULE:direct(1), apply(M, applied, [1, 2]), M:by_name()]),
    F = fun M:external/2,
    io:format("~p ~p~n", [F(1, 2), lists:map(fun ?MODULE:mapped/1, [a, b])]),
    io:format("~p~n", [try ?MODULE:nope(1, 2) catch error:undef:St -> hd(St) end]),
    {P, R} = spawn_monitor(?MODULE, spawned, [1]),
    receive {'DOWN', R, process, P, Reason} -> io:format("~p~n", [Reason]) end,
    io:format("~p ~p~n", [error_handler:undefined_function(M, asked, [x]), erlang:function_exported(M, asked, 1)]),
    %% What it has is called, and so is what every module has.
    io:format("~p~n", [M:module_info(module)]).

%% expect: {direct,[1]} {applied,[1,2]} {by_name,[]}
%% expect: {external,[1,2]} [{mapped,[a]},{mapped,[b]}]
%% expect: {a_module_may_handle_functions_it_lacks,nope,[1,2],[]}
%% expect: normal
%% expect: {asked,[x]} false
%% expect: a_module_may_handle_functions_it_lacks
