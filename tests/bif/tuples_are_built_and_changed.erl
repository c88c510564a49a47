%% element, setelement, make_tuple, append, insert, delete, conversions.
-module(tuples_are_built_and_changed).
-export([main/0]).

main() ->
    T = id({a, b, c}),
    show([element(1, T), setelement(2, T, x), tuple_size(T), tuple_to_list(T), list_to_tuple([1, 2]), size(T)]),
    show([erlang:make_tuple(3, x), erlang:make_tuple(0, x), erlang:append_element(T, d), erlang:insert_element(2, T, n), erlang:insert_element(4, T, n),
          erlang:delete_element(1, T), erlang:make_tuple(4, d, [{2, two}, {4, four}, {2, again}])]),
    show([attempt(F) || F <- [fun() -> element(id(0), T) end, fun() -> element(id(4), T) end, fun() -> element(id(a), T) end, fun() -> element(1, id([a])) end,
                              fun() -> setelement(id(4), T, x) end, fun() -> setelement(id(0), T, x) end, fun() -> tuple_to_list(id([])) end,
                              fun() -> list_to_tuple(id(a)) end, fun() -> list_to_tuple(id([1 | 2])) end, fun() -> erlang:make_tuple(id(-1), x) end,
                              fun() -> tuple_size(id([])) end, fun() -> erlang:insert_element(id(5), T, x) end, fun() -> erlang:delete_element(id(4), T) end]]),
    Big = list_to_tuple(lists:seq(1, 1000)),
    show({element(1000, Big), tuple_size(setelement(500, Big, x)), lists:sum(tuple_to_list(Big))}).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [a,{a,x,c},3,[a,b,c],{1,2},3]
%% expect: [{x,x,x},{},{a,b,c,d},{a,n,b,c},{a,b,c,n},{b,c},{d,again,d,four}]
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
%% expect: {1000,1000,500500}
