%% Processes that end in many ways. What is reported of them stands in crashes.txt, as Erlang/OTP 25 reports it.
-module(crashes).
-export([main/1, record/1]).
-record(r, {a, b = 2, c}).

main(_) -> lists:foreach(fun run/1, cases()).

run({Name, F}) ->
    {Pid, Ref} = spawn_monitor(F),
    receive {'DOWN', Ref, process, Pid, _} -> ok end,
    timer:sleep(100),
    io:format(standard_error, "--- ~p~n", [Name]).

cases() ->
    [{short, fun() -> error(a) end},
     {badarith, fun() -> id(1) + id(a) end},
     {exit_with_stack, fun() -> exit({my_reason, [{a, b, [c], []}]}) end},
     {exit_plain, fun() -> exit(foo) end},
     {throw, fun() -> throw({some, thing}) end},
     {long, fun() -> error(lists:seq(1, 100)) end},
     {string, fun() -> error("a string that is rather long, in fact so long that it does not fit into one line, if at all") end},
     {code_points, fun() -> error([1024, 1025, 228]) end},
     {record, fun() -> record(#r{a = lists:seq(1, 40), c = #r{a = "hello", c = lists:duplicate(30, foo)}}) end},
     {map, fun() -> error(#{a => lists:seq(1, 50), b => #{c => d, "key" => <<"bin">>}, long_key_name => lists:duplicate(10, "some string")}) end},
     {a_fun, fun() -> error({f, fun lists:map/2, self()}) end},
     {badarity, fun() -> F = id(fun lists:reverse/1), F(1, 2) end},
     {undef, fun() -> no_module:no_function(1, "abc", lists:seq(1, 30)) end},
     {function_clause, fun() -> record({no_record, lists:seq(1, 60)}) end},
     {native, fun() -> atom_to_list(lists:seq(1, 40)) end},
     {element, fun() -> element(5, id({a, b})) end},
     {table, fun() -> ets:lookup(nope, k) end},
     {error_info, fun() -> erlang:error(badarg, [a, b], [{error_info, #{cause => foo}}]) end},
     {arguments, fun() -> erlang:error(badarg, [a, "str", lists:seq(1, 50)]) end},
     {registered, fun() -> register(hugo, self()), error(named) end},
     {raise, fun() -> erlang:raise(error, foo, [{m, f, 2, [{file, "x.erl"}, {line, 3}]}]) end},
     {nested, fun() -> error(lists:foldl(fun(I, A) -> {I, A} end, x, lists:seq(1, 60))) end},
     {link, fun() -> spawn_link(fun() -> error(in_child) end), receive after infinity -> ok end end},
     {bytes, fun() -> error({<<0:800>>, binary_to_list(<<7:800>>)}) end},
     {bits, fun() -> error(<<1, 2, 3:5>>) end},
     {numbers, fun() -> error([1.0e22, 0.1, 1 bsl 200]) end},
     {spawn_3, fun() -> spawn(no_module_2, no_function, [1, 2]), timer:sleep(50) end},
     {heap, fun() -> process_flag(max_heap_size, #{size => 10000, kill => true, error_logger => true}), grow(lists:seq(1, 1000)) end},
     {start_link, fun() -> spawn_link_of_proc_lib() end},
     {proc_lib, fun() -> die(fun() -> put(key, val), record({x, lists:seq(1, 40)}) end) end},
     {proc_lib_exit, fun() -> die(fun() -> exit({boo, lists:seq(1, 50)}) end) end},
     {proc_lib_shutdown, fun() -> die(fun() -> exit({shutdown, x}) end) end},
     {proc_lib_throw, fun() -> die(fun() -> throw(boo) end) end},
     {proc_lib_mail, fun() -> die(fun() -> put(a, lists:seq(1, 30)), self() ! "a message", error({x, y}) end) end},
     {proc_lib_badmatch, fun() -> die(fun() -> {a, b} = id({lists:seq(1, 60), "string"}) end) end},
     {proc_lib_undef, fun() -> die(fun() -> foo:bar(lists:seq(1, 60), "string") end) end},
     {proc_lib_named, fun() -> die(fun() -> register(otto, self()), error({x, [1, 2, 3]}) end) end},
     {proc_lib_3, fun() -> proc_lib:spawn(?MODULE, record, [1]), timer:sleep(50) end}, {construction, fun() -> <<1, (id(a)):8>> end}, {proc_lib_construction, fun() -> die(fun() -> <<(id(<<1>>)):2/binary>> end) end}].

die(F) ->
    process_flag(trap_exit, true),
    Pid = proc_lib:spawn_link(F),
    receive {'EXIT', Pid, _} -> ok end.

%% Whoever is linked to a crashed process is shown in its report.
spawn_link_of_proc_lib() ->
    Pid = proc_lib:spawn_link(?MODULE, record, [1]),
    receive {never, Pid} -> ok end.

grow(L) -> grow(L ++ L).

record(#r{b = 3}) -> ok.

%% A value that no compiler sees through.
id(X) ->
    put(id, X),
    erase(id).
