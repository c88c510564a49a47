%% Terms half built while the heap fills stay whole.
-module(a_collection_in_the_middle_of_construction).
-export([main/0]).

main() ->
    show(erlang:phash2(build(200, []))),
    show(lists:sum([length(X) || X <- build(200, [])])),
    show(checksum(trees(12))).

build(0, Acc) -> Acc;
build(N, Acc) -> build(N - 1, [[{I, integer_to_list(I), I * 1.5, 1 bsl I, #{I => N}} || I <- lists:seq(1, N)] | Acc]).

trees(0) -> leaf;
trees(N) -> {N, trees(N - 1), [N | integer_to_list(N)], trees(N - 1)}.

checksum(leaf) -> 1;
checksum({N, L, S, R}) -> (checksum(L) * 31 + checksum(R) * 17 + N + length(S)) rem 1000003.

show(X) -> io:format("~p~n", [X]).

%% expect: 16903615
%% expect: 20100
%% expect: 649238
