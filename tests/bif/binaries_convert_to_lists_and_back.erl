%% list_to_binary, iolist_to_binary, iolist_size, binary_to_list, split_binary.
-module(binaries_convert_to_lists_and_back).
-export([main/0]).

main() ->
    show([list_to_binary([1, <<2, 3>>, [4, [5 | <<6>>]]]), list_to_binary([]), iolist_to_binary(<<"b">>), iolist_to_binary(["a", $b | <<"c">>])]),
    show([iolist_size([1, <<2, 3>>, [4]]), iolist_size(<<>>), byte_size(<<"abc">>), bit_size(<<1, 2>>)]),
    show([binary_to_list(<<1, 2, 3>>), binary_to_list(<<1, 2, 3, 4>>, 2, 3), binary_to_list(<<>>)]),
    show([split_binary(<<1, 2, 3>>, 1), split_binary(<<1, 2, 3>>, 3), binary_part(<<1, 2, 3>>, 1, 2), binary_part(<<1, 2, 3>>, 3, -2), binary_part(<<1, 2, 3>>, {0, 1})]),
    show([attempt(F) || F <- [fun() -> list_to_binary(id([256])) end, fun() -> list_to_binary(id([-1])) end, fun() -> list_to_binary(id([a])) end,
                              fun() -> list_to_binary(id(<<"b">>)) end, fun() -> list_to_binary(id([1 | 2])) end, fun() -> iolist_to_binary(id(a)) end,
                              fun() -> iolist_size(id([1.0])) end, fun() -> binary_to_list(id("x")) end, fun() -> split_binary(<<1>>, id(2)) end,
                              fun() -> binary_part(<<1, 2>>, id(1), id(2)) end, fun() -> binary_part(<<1>>, id(-1), id(1)) end,
                              fun() -> byte_size(id(a)) end, fun() -> binary_to_list(<<1, 2>>, id(2), id(1)) end]]),
    Deep = lists:foldl(fun(I, A) -> [A, I rem 256, <<(I rem 256)>>] end, [], lists:seq(1, 10000)),
    show({iolist_size(Deep), byte_size(iolist_to_binary(Deep))}).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [<<1,2,3,4,5,6>>,<<>>,<<"b">>,<<"abc">>]
%% expect: [4,0,3,16]
%% expect: [[1,2,3],[2,3],[]]
%% expect: [{<<1>>,<<2,3>>},{<<1,2,3>>,<<>>},<<2,3>>,<<2,3>>,<<1>>]
%% expect: [{error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg}]
%% expect: {20000,20000}
