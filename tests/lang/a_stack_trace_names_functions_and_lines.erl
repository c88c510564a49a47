%% Stack entries are {M, F, A, [{file, _}, {line, _}]}, newest first.
-module(a_stack_trace_names_functions_and_lines).
-export([main/0]).

main() ->
    try outer(0)
    catch
        error:badarith:Stack ->
            show([{M, F, A, proplists:get_value(line, L), filename:basename(proplists:get_value(file, L))} || {M, F, A, L} <- Stack, M =:= ?MODULE])
    end.

outer(X) ->
    Y = inner(X),
    {Y}.

inner(X) ->
    Z =
        1 div X,
    [Z].

show(X) -> io:format("~p~n", [X]).

%% expect: [{a_stack_trace_names_functions_and_lines,inner,1,18,
%% expect:      "a_stack_trace_names_functions_and_lines.erl"},
%% expect:  {a_stack_trace_names_functions_and_lines,outer,1,13,
%% expect:      "a_stack_trace_names_functions_and_lines.erl"},
%% expect:  {a_stack_trace_names_functions_and_lines,main,0,6,
%% expect:      "a_stack_trace_names_functions_and_lines.erl"}]
