%% put, get, erase, get_keys.
-module(the_process_dictionary).
-export([main/0]).

main() ->
    show([put(a, 1), put(a, 2), get(a), get(b), erase(a), erase(a), get(a)]),
    put(x, 1), put({k}, "v"), put(3, #{}),
    show(lists:sort(get())),
    show(lists:sort(get_keys())),
    put(y, 1),
    show(lists:sort(get_keys(1))),
    Self = self(),
    spawn(fun() -> Self ! get() end),
    show(receive D -> D end),
    show(lists:sort(erase())),
    show(get()),
    [put(I, I * I) || I <- lists:seq(1, 500)],
    show(lists:sum([get(I) || I <- lists:seq(1, 500)])),
    [erase(I) || I <- lists:seq(1, 500, 2)],
    show({length(get()), get(2), get(3)}).

show(X) -> io:format("~p~n", [X]).

%% expect: [undefined,1,2,undefined,2,undefined,undefined]
%% expect: [{3,#{}},{x,1},{{k},"v"}]
%% expect: [3,x,{k}]
%% expect: [x,y]
%% expect: []
%% expect: [{3,#{}},{x,1},{y,1},{{k},"v"}]
%% expect: []
%% expect: 41791750
%% expect: {250,4,undefined}
