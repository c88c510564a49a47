%% What wants more memory than there may be gets an error or ends, and everything else goes on.
-module(limits).
-export([main/0]).

main() ->
    Attempts =
        [fun() -> grow([]) end,
         fun() -> binary:copy(<<"0123456789">>, 100000000) end,
         fun() -> lists:seq(1, 100000000) end,
         fun() -> lists:duplicate(100000000, a) end,
         fun() -> append(<<0>>) end,
         fun() -> list_to_binary(shared($a)) end,
         fun() -> list_to_binary(wide(binary:copy(<<"x">>, 1000000))) end,
         fun() -> iolist_to_binary(wide(binary:copy(<<"x">>, 1000))) end,
         fun() -> list_to_bitstring(wide(<<1:3, 0:6400>>)) end,
         fun() -> iolist_size(shared($a)) end,
         fun() -> term_to_binary(shared(a)) end,
         fun() -> term_to_binary(wide(lists:seq(1, 1000))) end,
         fun() -> io_lib:format("~w", [shared(a)]) end,
         fun() -> io_lib:format("~p", [wide(lists:seq(1, 1000))]) end,
         fun() -> unicode:characters_to_binary(shared($a)) end,
         fun() -> unicode:characters_to_list(wide("some text")) end,
         fun() -> string:length(shared($a)) end,
         fun() -> erlang:md5(shared($a)) end,
         fun() -> lists:flatten(shared(a)) end,
         fun() -> self() ! shared(a) end,
         fun() -> mailbox(lists:seq(1, 100000)) end,
         fun() -> {Pid, Monitor} = spawn_monitor(fun() -> shared(a), grow([]) end), exit({limits, end_of(Pid, Monitor)}) end,
         fun() -> D = shared(a), spawn(fun() -> D end) end,
         fun() -> put(key, shared(a)), exit(get(key)) end,
         fun() -> ets:insert(ets:new(t, []), {key, shared(a)}) end,
         fun() -> rows(ets:new(t, []), 0) end,
         fun() -> rows(ets:new(t, [ordered_set]), 0) end,
         fun() -> maps:from_list([{X, X} || X <- lists:seq(1, 10000000)]) end,
         fun() -> 1 bsl 100000000000 end,
         fun() -> power(3, 100000000) end,
         fun() -> list_to_atom(lists:duplicate(100000, $a)) end,
         fun() -> erlang:make_tuple(16777215, a), keep(lists:seq(1, 100), []) end,
         fun() -> error(shared(a)) end],
    Ends = [{Number, ends(Attempt)} || {Number, Attempt} <- lists:zip(lists:seq(1, length(Attempts)), Attempts)],
    [] = [End || {_, Why} = End <- Ends, Why =/= system_limit],
    %% There is room again.
    10000 = length(lists:seq(1, 10000)),
    ok.

%% How a process ends that is given a minute. When its end is known, there is room again.
ends(Attempt) ->
    {Pid, Monitor} = spawn_opt(Attempt, [monitor]),
    End = end_of(Pid, Monitor),
    {Probe, ProbeMonitor} = spawn_monitor(fun() -> length(lists:seq(1, 1000000)) end),
    receive {'DOWN', ProbeMonitor, process, Probe, Why} -> {End, normal} = {End, Why} end,
    End.

end_of(Pid, Monitor) ->
    receive
        {'DOWN', Monitor, process, Pid, system_limit} -> system_limit;
        {'DOWN', Monitor, process, Pid, {limit, memory}} -> system_limit;
        {'DOWN', Monitor, process, Pid, {system_limit, _}} -> system_limit;
        {'DOWN', Monitor, process, Pid, {limits, Why}} -> Why;
        {'DOWN', Monitor, process, Pid, Other} -> {other, Other}
    after 60000 -> exit(Pid, kill), too_long
    end.

grow(L) -> grow([1, 2, 3, 4 | L]).

append(B) -> append(<<B/binary, B/binary, 1>>).

mailbox(L) -> self() ! L, mailbox(L).

rows(Table, N) -> ets:insert(Table, {N, N, some, more, elements}), rows(Table, N + 1).

power(X, N) when N =< 1 -> X;
power(X, N) -> power(X * X, N div 2).

keep([], Kept) -> length(Kept);
keep([N | Ns], Kept) -> keep(Ns, [erlang:make_tuple(1000000, N) | Kept]).

%% 2^40 leaves in forty cells.
shared(Leaf) -> shared(40, [Leaf]).

shared(0, T) -> T;
shared(N, T) -> shared(N - 1, [T | T]).

%% A million times the same.
wide(T) -> lists:duplicate(1000000, T).
