%% References differ and compare.
-module(make_ref_is_unique).
-export([main/0]).

main() ->
    Refs = [make_ref() || _ <- lists:seq(1, 1000)],
    show(length(lists:usort(Refs))),
    Self = self(),
    [spawn(fun() -> Self ! [make_ref() || _ <- lists:seq(1, 100)] end) || _ <- lists:seq(1, 10)],
    show(length(lists:usort(lists:append([receive L -> L end || _ <- lists:seq(1, 10)])))),
    show(is_reference(hd(Refs))),
    show(length(lists:usort([erlang:unique_integer() || _ <- lists:seq(1, 1000)]))),
    show(lists:all(fun(I) -> I > 0 end, [erlang:unique_integer([positive]) || _ <- lists:seq(1, 10)])),
    M = [erlang:unique_integer([monotonic]) || _ <- lists:seq(1, 100)],
    show(M =:= lists:sort(M)).

show(X) -> io:format("~p~n", [X]).

%% expect: 1000
%% expect: 1000
%% expect: true
%% expect: 1000
%% expect: true
%% expect: true
