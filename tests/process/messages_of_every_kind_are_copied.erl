%% Each term kind arrives equal to what was sent.
-module(messages_of_every_kind_are_copied).
-export([main/0]).

main() ->
    Terms = [1, -1, 1 bsl 200, 1.5, 1.0e300, a, "list", [1 | 2], {t, {u}}, #{a => #{b => [c]}}, <<>>, <<"small">>, binary:copy(<<"large">>, 100),
             self(), make_ref(), fun lists:map/2, [], {}, maps:from_list([{I, I} || I <- lists:seq(1, 50)]), <<5:3>>, -0.0],
    Echo = spawn(fun echo/0),
    show([begin Echo ! {self(), T}, receive {Echo, U} -> T =:= U end end || T <- Terms]),
    N = id(10),
    Echo ! {self(), fun(X) -> X + N end},
    receive {Echo, F} -> show(F(1)) end,
    Sub = binary:part(binary:copy(<<"abcdefgh">>, 20), 3, 100),
    Echo ! {self(), Sub},
    receive {Echo, Sub2} -> show(Sub =:= Sub2) end.

echo() -> receive {From, T} -> From ! {self(), T}, echo() end.

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: [true,true,true,true,true,true,true,true,true,true,true,true,true,true,true,
%% expect:  true,true,true,true,true,true]
%% expect: 11
%% expect: true
