//! The hostile programs, by what they try.

/// A program and how it ends: what its first process exits with.
pub struct Script {
    pub name: &'static str,
    /// The body of a module `hostile` that exports `main/0`, and `loop/0`, `log/2` if there are such.
    pub source: &'static str,
    pub end: &'static str,
}

macro_rules! scripts {
    ($($name:literal $source:literal => $end:literal;)*) => {
        /// The programs.
        pub const SCRIPTS: &[Script] = &[$(Script { name: $name, source: $source, end: $end }),*];
    };
}

scripts! {
    // ---- time ----
    "infinite loop" "main() -> main()." => "{limit,reductions}";
    "loop that catches everything"
        "main() -> process_flag(trap_exit, true), try loop() catch _:_ -> main() after main() end. loop() -> loop()."
        => "{limit,reductions}";
    "loop of highest priority"
        "main() -> process_flag(priority, max), [spawn_opt(fun loop/0, [{priority, max}]) || _ <- lists:seq(1, 8)], loop(). \
         loop() -> loop()."
        => "{limit,reductions}";
    "endless sleep" "main() -> receive never -> ok end." => "{limit,wall_time}";
    "sleep that ignores every exit"
        "main() -> process_flag(trap_exit, true), [exit(self(), shutdown) || _ <- [1, 2, 3]], loop(). \
         loop() -> receive _ -> loop() end."
        => "{limit,wall_time}";
    "catastrophic regex"
        "main() -> re:run(lists:duplicate(100, $a) ++ \"b\", \"^(([a-z])+.)+[A-Z]([a-z])+$\"), re:run(lists:duplicate(40, $a), \
         \"(a*)*b\"), main()."
        => "{limit,reductions}";
    "regex of a size" "main() -> re:compile(\"((a{1,200}){1,200}){1,200}\"), main()." => "{limit,reductions}";
    "huge integer printed" "main() -> integer_to_list(1 bsl 400000), main()." => "{limit,reductions}";
    "floats printed at length" "main() -> io_lib:format(\"~.250f\", [1.0e300]), main()." => "{limit,reductions}";
    "flood of the output server" "main() -> user ! [boo, boo, boo], main()." => "{limit,reductions}";
    "everybody asked for everything"
        "main() -> [erlang:process_info(P) || P <- processes()], [erlang:garbage_collect(P) || P <- processes()], main()."
        => "{limit,reductions}";
    "search through a table"
        "main() -> T = ets:new(t, [public]), [ets:insert(T, {N, N}) || N <- lists:seq(1, 10000)], search(T). \
         search(T) -> ets:select(T, [{{'$1', '$2'}, [{'>', {'+', '$1', '$2'}, 1000000}], ['$1']}]), search(T)."
        => "{limit,reductions}";
    "hashes of a large term" "main() -> loop(lists:seq(1, 5000)). loop(L) -> erlang:phash2(L), loop(L)." => "{limit,reductions}";
    "copies of a large term"
        "main() -> persistent_term:put(k, lists:seq(1, 5000)), loop(k). loop(K) -> persistent_term:get(K), loop(K)."
        => "{limit,reductions}";
    "huge integers divided"
        "main() -> A = 1 bsl 40000, loop({A * A, A - 7}). loop({A, B} = P) -> put(x, A div B), loop(P)."
        => "{limit,reductions}";
    "bag of one key" "main() -> fill(ets:new(t, [bag]), 0). fill(T, N) -> ets:insert(T, {key, N}), fill(T, N + 1)."
        => "{limit,ets_bytes}";
    "forged reports"
        "main() -> flood(lists:seq(1, 1000)). flood(L) -> [logger ! M || M <- [{uncaught, 1, self(), self(), 0, L}, \
         {uncaught, self(), self(), 0, L}, {heap_limit, 1, self(), self(), 0, L}, {flush, x, y}]], flood(L)."
        => "{limit,reductions}";
    "true reports"
        "main() -> {_, R} = spawn_monitor(fun() -> error(lists:seq(1, 500)) end), receive {'DOWN', R, _, _, _} -> main() end."
        => "{limit,reductions}";
    "code compiled"
        "main() -> {ok, Ts, _} = erl_scan:string(lists:duplicate(20000, $() ++ \"1\" ++ lists:duplicate(20000, $)) ++ \".\"), \
         erl_parse:parse_exprs(Ts), main()."
        => "{limit,reductions}";
    "long work in the output server"
        "main() -> user ! {io_request, self(), x, {put_chars, unicode, ?MODULE, loop, []}}, \
         receive {io_reply, _, _} -> main() end. loop() -> loop()."
        => "{limit,reductions}";
    "long work in the logger"
        "main() -> ok = logger:add_handler(mine, ?MODULE, #{}), spawn(fun() -> error(boo) end), receive never -> ok end. \
         log(_, _) -> loop(). loop() -> loop()."
        => "{limit,wall_time}";
    // ---- processes ----
    "fork bomb" "main() -> spawn(fun main/0), main()." => "{limit,processes}";
    "fork bomb with links" "main() -> spawn_link(fun main/0), main()." => "{limit,processes}";
    "name bomb"
        "main() -> name(0). name(N) -> register(list_to_atom(integer_to_list(N)), spawn(fun() -> receive never -> ok end end)), \
         name(N + 1)."
        => "{limit,processes}";
    // ---- memory ----
    "memory bomb" "main() -> grow([]). grow(L) -> grow([1, 2, 3, 4 | L])." => "{limit,memory}";
    "memory bomb with its own limit lifted"
        "main() -> process_flag(max_heap_size, 0), {_, R} = spawn_opt(fun() -> grow([]) end, [monitor, {max_heap_size, \
         #{size => 0, kill => false}}, {limits, #{memory => 1 bsl 50}}]), receive {'DOWN', R, _, _, Why} -> exit(Why) end. \
         grow(L) -> grow([1, 2, 3, 4 | L])."
        => "{limit,memory}";
    "binary bomb" "main() -> grow(<<0>>). grow(B) -> grow(<<B/binary, B/binary>>)." => "{limit,memory}";
    "many binaries" "main() -> grow([]). grow(L) -> grow([binary:copy(<<0>>, 100000) | L])." => "{limit,memory}";
    "random binaries" "main() -> grow([]). grow(L) -> grow([crypto:strong_rand_bytes(1000000) | L])." => "{limit,memory}";
    "deep recursion" "main() -> deep(0). deep(-1) -> 0; deep(N) -> 1 + deep(N + 1)." => "{limit,memory}";
    "dictionary bomb" "main() -> fill(0). fill(N) -> put(N, N), fill(N + 1)." => "{limit,memory}";
    "monitor bomb"
        "main() -> watch(spawn(fun() -> receive never -> ok end end)). watch(P) -> monitor(process, P), watch(P)."
        => "{limit,memory}";
    "alias bomb" "main() -> alias(), main()." => "{limit,memory}";
    "timer bomb" "main() -> erlang:send_after(1000000000, self(), boo), main()." => "{limit,memory}";
    "shared list flattened"
        "main() -> length(lists:flatten(twice(40, [a]))). twice(0, T) -> T; twice(N, T) -> twice(N - 1, [T | T])."
        => "{limit,memory}";
    "deep term printed"
        "main() -> io_lib:format(\"~p~n\", [deep(400000, [])]), main(). deep(0, T) -> T; deep(N, T) -> deep(N - 1, [T])."
        => "{limit,memory}";
    "padding of a size" "main() -> io_lib:format(\"~1000000000c\", [$a])." => "{limit,memory}";
    "float of a size" "main() -> io_lib:format(\"~100000000.1f\", [1.0])." => "{limit,memory}";
    "list of a size" "main() -> lists:seq(1, 1 bsl 40)." => "{limit,memory}";
    "counters of a size" "main() -> atomics:new(1 bsl 24, [])." => "{limit,memory}";
    "many counters" "main() -> grow([]). grow(L) -> grow([counters:new(10000, []) | L])." => "{limit,memory}";
    "compressed bomb"
        "main() -> B = term_to_binary(binary:copy(<<0>>, 8 bsl 20), [compressed]), grow(B, []). \
         grow(B, L) -> grow(B, [binary_to_term(B) | L])."
        => "{limit,memory}";
    "flood of the host" "main() -> host ! [boo, boo, boo], main()." => "{limit,memory}";
    "copies for the host"
        "main() -> B = binary:copy(<<$a>>, 1000000), net:swallow(lists:duplicate(1000, B))."
        => "{limit,memory}";
    // ---- what else is counted ----
    "atom bomb" "main() -> atoms(0). atoms(N) -> list_to_atom(\"atom\" ++ integer_to_list(N)), atoms(N + 1)."
        => "{limit,atoms}";
    "atom bomb from bytes" "main() -> atoms(0). atoms(N) -> binary_to_term(<<131, 115, 8, $a, N:56>>), atoms(N + 1)."
        => "{limit,atoms}";
    "atom bomb of tokens"
        "main() -> atoms(0). atoms(N) -> erl_scan:string(\"token\" ++ integer_to_list(N)), atoms(N + 1)."
        => "{limit,atoms}";
    "atom bomb by the host" "main() -> atoms(0). atoms(N) -> net:atom(integer_to_binary(N)), atoms(N + 1)."
        => "{limit,atoms}";
    "mailbox bomb" "main() -> self() ! boo, main()." => "{limit,mailbox_messages}";
    "mailbox bomb in another"
        "main() -> flood(spawn_link(fun() -> receive never -> ok end end)). flood(P) -> P ! [boo, boo, boo], flood(P)."
        => "{limit,mailbox_messages}";
    "mailbox of bytes" "main() -> self() ! lists:seq(1, 10000), main()." => "{limit,mailbox_bytes}";
    "table bomb"
        "main() -> fill(ets:new(t, []), 0). fill(T, N) -> ets:insert(T, {N, some, data}), fill(T, N + 1)."
        => "{limit,ets_bytes}";
    "tables without end" "main() -> ets:new(t, [public]), main()." => "{limit,ets_bytes}";
    "persistent bomb" "main() -> fill(0). fill(N) -> persistent_term:put(N, lists:seq(1, 1000)), fill(N + 1)."
        => "{limit,ets_bytes}";
    "output flood" "main() -> io:format(\"~p~n\", [lists:seq(1, 100)]), main()." => "{limit,output_bytes}";
    "output flood past the server" "main() -> erlet_io:write_stdout(<<\"boo\">>), main()." => "{limit,output_bytes}";
    "flood of log events" "main() -> logger:error(\"boo\"), main()." => "{limit,output_bytes}";
    "open files"
        "main() -> open([]). open(L) -> {ok, F} = file:open(\"@DIR@/readme\", [read, raw]), open([F | L])."
        => "{limit,open_files}";
    "open files of servers"
        "main() -> open([]). open(L) -> {ok, F} = file:open(\"@DIR@/readme\", [read]), open([F | L])."
        => "{limit,open_files}";
    // ---- what no system allows ----
    "huge integer"
        "main() -> square(3). square(N) -> try N * N of M -> square(M) catch error:system_limit -> exit(system_limit) end."
        => "system_limit";
    "sizes beyond all memory"
        "main() -> exit([try F() catch error:R -> R end || F <- [fun() -> atomics:new(1 bsl 40, []) end, \
         fun() -> 1 bsl (1 bsl 40) end, fun() -> list_to_atom(lists:duplicate(256, $a)) end, \
         fun() -> binary_to_term(<<131, 80, -1:32, 120, 156, 3, 0, 0, 0, 0, 1>>) end]])."
        => "[system_limit,system_limit,system_limit,badarg]";
    // ---- rights ----
    "files"
        "main() -> exit([file:read_file(\"/etc/passwd\"), file:write_file(\"/tmp/erlet_was_here\", \"x\"), \
         file:list_dir(\"/\"), file:read_file(\"../../../../etc/passwd\"), file:delete(\"/tmp/x\"), \
         file:read_file(\"@DIR@/../x\"), file:write_file(\"@DIR@/readme\", \"x\"), \
         file:make_symlink(\"/etc/passwd\", \"@DIR@/link\")])."
        => "[{error,eacces},{error,eacces},{error,eacces},{error,eacces},{error,eacces},{error,eacces},{error,eacces},{error,eacces}]";
    "files with rights of its own making"
        "main() -> {_, R} = spawn_opt(fun() -> exit([file:read_file(\"/etc/passwd\"), catch os:cmd(\"id\")]) end, [monitor, \
         {capabilities, [files, subprocess]}]), receive {'DOWN', R, _, _, [E, {'EXIT', {X, _}}]} -> exit({E, X}) end."
        => "{{error,eacces},eacces}";
    "sockets" "main() -> try gen_tcp:connect(\"localhost\", 22, []) catch error:R -> exit(R) end." => "undef";
    "network by the host"
        "main() -> exit([try net:connect(H, P) catch error:R -> R end || {H, P} <- [{<<\"localhost\">>, 22}, \
         {<<\"127.0.0.1\">>, 80}, {<<\"::1\">>, 22}, {<<\"169.254.169.254\">>, 80}, {<<\"example.com\">>, 443}]])."
        => "[eacces,eacces,eacces,eacces,eacces]";
    "commands and environment"
        "main() -> exit([try os:cmd(\"id\") catch error:R -> R end, os:getenv(\"PATH\"), os:getenv()])."
        => "[eacces,false,[]]";
    "reading the clock"
        "main() -> exit(lists:usort([try F() catch error:R -> R end || F <- [fun erlang:system_time/0, fun os:system_time/0, \
         fun os:timestamp/0, fun erlang:timestamp/0, fun erlang:now/0, fun date/0, fun time/0, fun erlang:localtime/0, \
         fun erlang:universaltime/0, fun erlang:time_offset/0, fun calendar:local_time/0, \
         fun() -> erlang:system_time(second) end]]))."
        => "[eacces]";
    "measuring time" "main() -> exit(lists:usort([fine(1), fine(2), fine(3)])). fine(N) -> lists:seq(1, N * 10000), \
         erlang:monotonic_time(nanosecond) rem 1000000 + os:perf_counter() rem 1000000."
        => "[0]";
    "halt"
        "main() -> exit([try F() catch error:R -> R end || F <- [fun() -> halt(7) end, fun halt/0, fun init:stop/0, \
         fun() -> erlet_init:halt(1) end]])."
        => "[eacces,eacces,eacces,eacces]";
    "code"
        "main() -> exit([code:load_binary(lists, \"lists.erl\", <<>>), code:load_binary(mine, \"mine.erl\", <<>>), \
         code:delete(hostile), code:purge(lists), code:soft_purge(lists), code:delete(lists)])."
        => "[{error,eacces},{error,eacces},false,false,true,false]";
    "killing everybody" "main() -> [exit(P, kill) || P <- processes(), P =/= self()], exit(done)." => "done";
    "killing the machine's servers"
        "main() -> Ps = [whereis(N) || N <- [user, standard_error, logger, code_server]], [exit(P, kill) || P <- Ps], \
         [begin spawn(fun() -> link(P), exit(boo) end) end || P <- Ps], timer:sleep(10), \
         exit([[is_process_alive(P) || P <- Ps], io:put_chars(\"still here\")])."
        => "[[true,true,true,true],ok]";
    "stopping the machine's servers"
        "main() -> Ps = [whereis(N) || N <- [user, standard_error, logger, code_server]], \
         exit(lists:usort([try erlang:suspend_process(P) catch error:R -> R end || P <- Ps]))."
        => "[badarg]";
    "names of the machine's servers"
        "main() -> exit([try unregister(N) catch error:R -> R end || N <- [user, standard_error, logger, code_server]])."
        => "[badarg,badarg,badarg,badarg]";
    "tracing everybody" "main() -> try erlang:trace(all, true, [all]) catch error:R -> exit(R) end." => "undef";
    "settings of the machine" "main() -> try erlang:system_flag(schedulers_online, 1) catch error:R -> exit(R) end." => "eacces";
}
