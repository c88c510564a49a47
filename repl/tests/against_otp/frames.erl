%% Random functions full of funs and comprehensions, on two systems: `frames:main([Out, Seed, Count])` writes which functions
%% and lines the stack traces in each show; `frames:show([Seed, Number])` prints one of them, `frames:one([Seed, Number])` what comes of it.
-module(frames).
-export([main/1, show/1, one/1, trace/1, name/1]).

main([Out, Seed, Count]) ->
    Numbers = lists:seq(1, list_to_integer(Count)),
    ok = file:write_file(Out, unicode:characters_to_binary([[io_lib:format("~s/~w", [Seed, I]), " -> ", outcome(Seed, I), $\n] || I <- Numbers])).

show([Seed, Number]) -> io:put_chars(text(Seed, list_to_integer(Number))).

one([Seed, Number]) ->
    io:put_chars([outcome(Seed, list_to_integer(Number)), $\n]).

outcome(Seed, I) ->
    ok = file:write_file("m.erl", text(Seed, I)),
    code:purge(m),
    case code:load_file(m) of
        {module, m} -> run();
        {error, _} -> compiled(compile:file("m.erl", [binary, return_errors]))
    end.

%% Code on disk is nothing that OTP loads by itself.
compiled({ok, Module, Code}) ->
    {module, Module} = code:load_binary(Module, "m.erl", Code),
    run();
compiled(_) -> "refused".

run() -> io_lib:format("~0p", [result()]).

result() ->
    Self = self(),
    {Pid, Monitor} = spawn_monitor(fun() -> put(notes, []), Outcome = attempt(), Self ! {self(), {Outcome, lists:reverse(get(notes))}} end),
    receive
        {Pid, Outcome} -> erlang:demonitor(Monitor, [flush]), Outcome;
        {'DOWN', Monitor, process, Pid, Reason} -> {died, Reason}
    after 20000 ->
        exit(Pid, kill), timeout
    end.

attempt() ->
    try printable(m:f(5, [1, 2]))
    catch Class:Reason:Stack -> {Class, printable(Reason), frames(Stack)}
    end.

printable(Value) when is_function(Value) -> 'fun';
printable(Value) when is_pid(Value); is_reference(Value) -> 'id';
printable({'EXIT', {Reason, Stack}}) when is_list(Stack) -> {'EXIT', printable(Reason), frames(Stack)};
printable([Head | Tail]) -> [printable(Head) | printable(Tail)];
printable(Value) when is_tuple(Value) -> list_to_tuple(printable(tuple_to_list(Value)));
printable(Value) when is_map(Value) -> {map, printable(maps:to_list(Value))};
printable(Value) -> Value.

frames(Stack) ->
    [{F, arity(A), proplists:get_value(line, Info)} || {m, F, A, Info} <- Stack].

arity(Arguments) when is_list(Arguments) -> {length(Arguments), printable(Arguments)};
arity(Arity) -> Arity.

%% Called by what is generated: notes where it is called from, or a fun's name.
trace(Value) ->
    try error(here)
    catch error:here:Stack -> note(frames(Stack))
    end,
    Value.

name(Fun) ->
    {name, Name} = erlang:fun_info(Fun, name),
    note(Name),
    Fun.

note(Note) ->
    case get(notes) of
        Notes when length(Notes) > 300 -> exit(enough);
        Notes -> put(notes, [Note | Notes])
    end.

%% Chance that is the same everywhere.
put_chance(Seed, I) ->
    put(variables, 0),
    put(chance, erlang:phash2({Seed, I})).

below(N) ->
    Next = (get(chance) * 1103515245 + 12345) band 16#7fffffff,
    put(chance, Next),
    (Next bsr 8) rem N.

of_list(List) -> lists:nth(below(length(List)) + 1, List).

fresh() ->
    Number = get(variables) + 1,
    put(variables, Number),
    "V" ++ integer_to_list(Number).

%% What nobody can work out without running it: OTP's compiler leaves out what it sees to be dead, or to be the same always, and gives what
%% is left fewer numbers and captures. That is not what these functions are about.

%% One of several ways, each with a weight.
weighted(Ways) ->
    pick(below(lists:sum([Weight || {Weight, _} <- Ways])), Ways).

pick(At, [{Weight, Way} | _]) when At < Weight -> Way();
pick(At, [{Weight, _} | Ways]) -> pick(At - Weight, Ways).

sp() -> of_list([" ", " ", "\n  "]).

text(Seed, I) ->
    put_chance(Seed, I),
    lists:flatten(
      ["-module(m).\n-export([f/2, g/1, h/2]).\n-record(r, {a = t(1), b = p(fun() -> t(2) end), c}).\n",
       "f(X, L) ->\n  ", body(4, [{int, "X"}, {list, "L"}]), ".\n",
       "g(X) ->\n  ", body(2, [{int, "X"}]), ".\n",
       "h(X, L) ->\n  ", body(2, [{int, "X"}, {list, "L"}]), ".\n",
       "t(X) -> X1 = frames:trace(X), X1.\n",
       "p(F) -> frames:name(F), F().\n",
       "p(F, X) -> frames:name(F), F(X).\n",
       "id(X) -> X.\n",
       "never(X) -> frames:trace(never), error(X).\n",
       "thrown(X) -> throw(X).\n"]).

body(D, Env) -> body(below(3) + 1, D, Env).

body(1, D, Env) -> any(D, Env);
body(N, D, Env) ->
    {Text, More} = statement(D, Env),
    [Text, ",", of_list([" ", "\n  ", "\n  "]), body(N - 1, D, More ++ Env)].

statement(D, Env) ->
    weighted([{6, fun() -> {effect(D, Env), []} end},
              {4, fun() -> bind(int, int(D, Env)) end},
              {3, fun() -> bind(list, list(D, Env)) end},
              {2, fun() -> bind(bin, bin(D, Env)) end},
              {1, fun() -> {["_ =", sp(), effect(D, Env)], []} end},
              {1, fun() -> V = fresh(), {["{", V, ", _} =", sp(), "id({", int(D, Env), ",", sp(), any(D, Env), "})"], [{int, V}]} end},
              {1, fun() -> bind(record, record(D, Env)) end}]).

bind(Type, Text) ->
    Variable = fresh(),
    {[Variable, " =", sp(), Text], [{Type, Variable}]}.

variable(Type, Env, Else) ->
    case [Name || {T, Name} <- Env, T =:= Type] of
        [] -> Else;
        Names -> of_list(Names)
    end.

%% An expression whose value is not used.
effect(D, _) when D =< 0 -> "t(0)";
effect(D0, Env) ->
    D = D0 - 1,
    weighted([{4, fun() -> ["t(", any(D, Env), ")"] end},
              {3, fun() -> comprehension("[", "]", fun(E) -> ["t(", int(D, E), ")"] end, D, Env) end},
              {2, fun() -> ["p(", function(D, Env), ")"] end},
              {1, fun() -> choice(fun(E) -> effect(D, E) end, D, Env) end},
              {1, fun() -> attempt_text(fun(E) -> effect(D, E) end, D, Env) end},
              {1, fun() -> ["(catch t(", any(D, Env), "))"] end},
              {1, fun() -> ["{", effect(D, Env), ",", sp(), effect(D, Env), "}"] end},
              {1, fun() -> ["never(", int(D, Env), ")"] end}]).

any(D, Env) ->
    weighted([{6, fun() -> int(D, Env) end}, {4, fun() -> list(D, Env) end}, {1, fun() -> bin(D, Env) end},
              {1, fun() -> bool(D, Env) end}, {1, fun() -> record(D, Env) end}, {1, fun() -> map(D, Env) end},
              {1, fun() -> function(D, Env) end},
              {1, fun() -> ["{", any(D - 1, Env), ",", sp(), any(D - 1, Env), "}"] end}]).

int(D, Env) when D =< 0 -> of_list(["1", "7", "t(3)", "t(4)", variable(int, Env, "2"), variable(int, Env, "2"), "p(fun() -> 5 end)"]);
int(D0, Env) ->
    D = D0 - 1,
    weighted([{3, fun() -> variable(int, Env, "2") end},
              {4, fun() -> ["t(", int(D, Env), ")"] end},
              {6, fun() -> ["p(", function(D, Env), ")"] end},
              {2, fun() -> V = fresh(), ["p(fun", of_list(["", "", " _", " F" ++ V]), "(", V, ") ->", sp(), body(D, [{int, V} | Env]), " end,", sp(), int(D, Env), ")"] end},
              {3, fun() -> ["id(", int(D, Env), ")", sp(), of_list(["+", "-", "*", "bor"]), sp(), int(D, Env)] end},
              {1, fun() -> ["id(", int(D, Env), ")", sp(), of_list(["div", "rem"]), sp(), "id(", int(D, Env), ")"] end},
              {3, fun() -> choice(fun(E) -> int(D, E) end, D, Env) end},
              {2, fun() -> attempt_text(fun(E) -> int(D, E) end, D, Env) end},
              {1, fun() -> ["length(id(", list(D, Env), "))"] end},
              {1, fun() -> ["element(1,", sp(), "id({", int(D, Env), ",", sp(), any(D, Env), "}))"] end},
              {1, fun() -> ["hd(id(", list(D, Env), "))"] end},
              {1, fun() -> ["begin", sp(), body(D, Env), ",", sp(), int(D, Env), sp(), "end"] end},
              {1, fun() -> ["(id(", record(D, Env), "))", of_list(["#r.a", "#r.b", "#r.c"])] end},
              {1, fun() -> ["h(", int(D, Env), ",", sp(), list(D, Env), ")"] end},
              {1, fun() -> ["(catch id(", any(D, Env), "))"] end},
              {1, fun() -> receive_text(fun(E) -> int(D, E) end, D, Env) end},
              {1, fun() -> of_list(["never(X)", "thrown(X)"]) end}]).

function(D, Env) ->
    weighted([{6, fun() -> ["fun() ->", sp(), body(D, Env), sp(), "end"] end},
              {1, fun() -> V = fresh(), ["fun ", V, "() ->", sp(), body(D, Env), sp(), "end"] end},
              {1, fun() -> "fun() -> t(X) end" end}]).

list(D, Env) when D =< 0 -> of_list(["[1]", "[2, 3]", "[]", variable(list, Env, "[4]"), variable(list, Env, "[4]"), "[t(6)]"]);
list(D0, Env) ->
    D = D0 - 1,
    weighted([{2, fun() -> variable(list, Env, "[4]") end},
              {2, fun() -> ["[", int(D, Env), ",", sp(), int(D, Env), "]"] end},
              {1, fun() -> ["[", int(D, Env), sp(), "|", sp(), list(D, Env), "]"] end},
              {2, fun() -> [list(D, Env), sp(), of_list(["++", "--"]), sp(), list(D, Env)] end},
              {8, fun() -> comprehension("[", "]", fun(E) -> int(D, E) end, D, Env) end},
              {1, fun() -> choice(fun(E) -> list(D, E) end, D, Env) end},
              {1, fun() -> attempt_text(fun(E) -> list(D, E) end, D, Env) end},
              {1, fun() -> ["begin", sp(), body(D, Env), ",", sp(), list(D, Env), sp(), "end"] end},
              {1, fun() -> V = fresh(), ["lists:map(fun(", V, ") ->", sp(), body(D, [{int, V} | Env]), " end,", sp(), list(D, Env), ")"] end},
              {1, fun() -> ["id(", list(D, Env), ")"] end}]).

bin(D, Env) when D =< 0 -> of_list(["<<1>>", "<<2, 3>>", variable(bin, Env, "<<4>>")]);
bin(D0, Env) ->
    D = D0 - 1,
    weighted([{1, fun() -> variable(bin, Env, "<<4>>") end},
              {2, fun() -> ["<<(", int(D, Env), "),", sp(), "(", int(D, Env), "):", of_list(["8", "(" ++ [int(D, Env)] ++ ")"]), ">>"] end},
              {4, fun() -> comprehension("<< ", " >>", fun(E) -> ["<<(", int(D, E), ")>>"] end, D, Env) end},
              {1, fun() -> ["id(", bin(D, Env), ")"] end}]).

map(D0, Env) ->
    D = D0 - 1,
    weighted([{1, fun() -> ["#{", any(D, Env), " =>", sp(), any(D, Env), ",", sp(), "b =>", sp(), any(D, Env), "}"] end},
              {1, fun() -> ["(id(#{}))#{", any(D, Env), " =>", sp(), any(D, Env), "}"] end}]).

record(D, Env) when D =< 0 -> variable(record, Env, "#r{}");
record(D0, Env) ->
    D = D0 - 1,
    weighted([{1, fun() -> "#r{}" end},
              {1, fun() -> variable(record, Env, "#r{}") end},
              {1, fun() -> ["#r{", of_list(["a", "b", "c"]), " =", sp(), any(D, Env), "}"] end},
              {1, fun() -> [variable(record, Env, "(id(#r{}))"), "#r{", of_list(["a", "b", "c"]), " =", sp(), any(D, Env), "}"] end}]).

bool(D, _) when D =< 0 -> of_list(["is_list(t([]))", "id(true)", "id(false)", "t(true)"]);
bool(D0, Env) ->
    D = D0 - 1,
    weighted([{2, fun() -> ["id(", int(D, Env), ")", sp(), of_list([">", "<", "=:=", "=/="]), sp(), int(D, Env)] end},
              {1, fun() -> [bool(D, Env), sp(), of_list(["andalso", "orelse", "and", "or"]), sp(), bool(D, Env)] end},
              {1, fun() -> ["t(", bool(D, Env), ")"] end},
              {1, fun() -> ["not", sp(), bool(0, Env)] end}]).

%% What may be a guard.
test(Env) -> [variable(int, Env, "1"), sp(), of_list([">", "<", "=:=", ">="]), sp(), of_list(["1", "2", "0", "100"])].

comprehension(Open, Close, Template, D, Env) ->
    {Qualifiers, More} = qualifiers(below(3) + 1, D, Env, []),
    [Open, Template(More ++ Env), sp(), "||", sp(), lists:join([",", sp()], Qualifiers), Close].

qualifiers(0, _, _, More) -> {[], More};
qualifiers(N, D, Env, More) ->
    {Text, New} = qualifier(D - 1, More ++ Env),
    {Rest, All} = qualifiers(N - 1, D, Env, New ++ More),
    {[Text | Rest], All}.

qualifier(D, Env) ->
    weighted([{5, fun() -> V = fresh(), {[V, sp(), "<-", sp(), list(D, Env)], [{int, V}]} end},
              {2, fun() -> V = fresh(), {["<<", V, ">>", sp(), "<=", sp(), bin(D, Env)], [{int, V}]} end},
              {1, fun() -> V = fresh(), {["{", V, ", _}", sp(), "<-", sp(), "id([{", int(D, Env), ",", sp(), any(D, Env), "}, z])"], [{int, V}]} end},
              {1, fun() -> V = fresh(), {["<<", V, ":4, 3:4>>", sp(), "<=", sp(), bin(D, Env)], [{int, V}]} end},
              {3, fun() -> {bool(D, Env), []} end},
              {3, fun() -> {test(Env), []} end}]).

choice(Value, D, Env) ->
    weighted([{2, fun() -> ["case", sp(), "id(", any(D, Env), ") of", sp(), of_list(["1", "{A, _}", "[]", "[_ | _]", "#r{}"]), " ->", sp(), Value(Env), ";", sp(), "_ ->", sp(), Value(Env), sp(), "end"] end},
              {1, fun() -> ["case", sp(), bool(D, Env), " of", sp(), "true ->", sp(), Value(Env), ";", sp(), "false ->", sp(), Value(Env), sp(), "end"] end},
              {1, fun() -> V = fresh(), ["case", sp(), "id(", int(D, Env), ") of", sp(), V, " when ", test([{int, V} | Env]), " ->", sp(), Value([{int, V} | Env]), ";", sp(), "_ ->", sp(), Value(Env), sp(), "end"] end},
              {1, fun() -> ["if", sp(), test(Env), " ->", sp(), Value(Env), ";", sp(), of_list(["true", "true", test(Env)]), " ->", sp(), Value(Env), sp(), "end"] end}]).

attempt_text(Value, D, Env) ->
    weighted([{2, fun() -> ["try", sp(), "t(", Value(Env), ")", sp(), "catch", sp(), of_list(["_:_", "error:_", "_:_:_"]), " ->", sp(), Value(Env), sp(), "end"] end},
              {1, fun() -> ["try", sp(), "t(", any(D, Env), ")", sp(), "of", sp(), "1 ->", sp(), Value(Env), ";", sp(), "_ ->", sp(), Value(Env), sp(), "catch", sp(), "_ ->", sp(), Value(Env), sp(), "end"] end},
              {2, fun() -> ["try", sp(), "t(", Value(Env), ")", sp(), "after", sp(), body(D, Env), sp(), "end"] end},
              {1, fun() -> ["try", sp(), "t(", Value(Env), ")", sp(), "after", sp(), body(4, D, Env), ",", sp(), body(4, D, Env), sp(), "end"] end},
              {1, fun() -> ["try", sp(), "t(", any(D, Env), ")", sp(), "of", sp(), "_ ->", sp(), Value(Env), sp(), "catch", sp(), "throw:_ ->", sp(), Value(Env), sp(), "after", sp(), body(D, Env), sp(), "end"] end}]).

receive_text(Value, D, Env) ->
    weighted([{1, fun() -> ["receive", sp(), "x ->", sp(), Value(Env), sp(), "after", sp(), "0 ->", sp(), Value(Env), sp(), "end"] end},
              {1, fun() -> ["begin", sp(), "self() ! ", any(D, Env), ",", sp(), "receive", sp(), "1 ->", sp(), Value(Env), ";", sp(), "_ ->", sp(), Value(Env), sp(), "end end"] end}]).
