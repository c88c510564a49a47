%% Literals survive collections, updates and messages.
-module(a_large_literal_is_shared_and_unchanged).
-export([main/0]).

main() ->
    L = table(),
    show(length(L)),
    erlang:garbage_collect(),
    show(L =:= table()),
    P = spawn(fun() -> receive {From, X} -> From ! [changed | X] end end),
    P ! {self(), L},
    show(receive [changed | Y] -> Y =:= table() end),
    M = (map())#{extra => 1},
    show({map_size(M), map_size(map())}),
    show(setelement(1, tuple(), changed)),
    show(tuple()).

table() -> [{one, 1, "one"}, {two, 2.0, <<"two">>}, {three, 16#FFFFFFFFFFFFFFFFFFFF, [3, [3, [3]]]}, #{four => {4}}, five].
map() -> #{a => [1, 2], b => #{c => d}, "e" => <<"f">>}.
tuple() -> {original, [literal]}.

show(X) -> io:format("~p~n", [X]).

%% expect: 5
%% expect: true
%% expect: true
%% expect: {4,3}
%% expect: {changed,[literal]}
%% expect: {original,[literal]}
