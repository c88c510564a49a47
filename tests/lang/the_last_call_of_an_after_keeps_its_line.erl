%% What raises at the end of an `after` is told with its line, however long the `after` is.
%% expect: {badmap,ok} 18
-module(the_last_call_of_an_after_keeps_its_line).
-export([main/0]).

main() ->
    try f(fun(X) -> X end)
    catch
        error:Reason:Stack ->
            [Line | _] = [proplists:get_value(line, Info) || {?MODULE, _, _, Info} <- Stack],
            io:format("~w ~w~n", [Reason, Line])
    end.

f(F) ->
    {try
         F
     after
         maps:get(a, id(ok), <<255, 3:4>>)
     end}.

id(X) -> binary_to_term(term_to_binary(X)).
