%% erlang:memory/0,1: the keys of OTP, and figures that follow what a program holds.
-module(memory_is_the_sum_of_its_parts).
-export([main/0]).

main() ->
    All = erlang:memory(),
    show([Key || {Key, _} <- All]),
    show([Key || {Key, Bytes} <- All, Key =/= binary, Key =/= ets, Bytes =< 0]),
    #{total := Total, processes := Processes, system := System} = Map = maps:from_list(All),
    show(Total =:= Processes + System),
    #{atom := Atom, binary := Binary, code := Code, ets := Ets} = Map,
    show(System >= Atom + Binary + Code + Ets),
    Before = erlang:memory([binary, ets]),
    Big = binary:copy(<<"x">>, 1_000_000),
    Table = ets:new(table, []),
    ets:insert(Table, [{N, lists:seq(1, 50)} || N <- lists:seq(1, 1000)]),
    After = erlang:memory([binary, ets]),
    show([Key || {{Key, Less}, {Key, More}} <- lists:zip(Before, After), More - Less >= 500_000]),
    show(byte_size(Big)),
    ets:delete(Table),
    show(falls(proplists:get_value(ets, After), 6000)),
    show(erlang:memory([])),
    show(attempt(fun() -> erlang:memory(id(nosuch)) end)),
    show(attempt(fun() -> erlang:memory([total, id(nosuch)]) end)).

%% Rows of a deleted table may be freed a little later.
falls(_, 0) -> false;
falls(Bytes, Looks) ->
    case erlang:memory(ets) < Bytes of
        true -> true;
        false -> timer:sleep(10), falls(Bytes, Looks - 1)
    end.

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

show(X) -> io:format("~p~n", [X]).

%% expect: [total,processes,processes_used,system,atom,atom_used,binary,code,ets]
%% expect: []
%% expect: true
%% expect: true
%% expect: [binary,ets]
%% expect: 1000000
%% expect: true
%% expect: []
%% expect: {error,badarg}
%% expect: {error,badarg}
