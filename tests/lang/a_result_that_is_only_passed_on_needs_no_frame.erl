%% A call whose result is just given back is the last thing a function does, whatever the result is matched against or put into on
%% the way: no frame stays, and a loop of such calls needs no memory.
-module(a_result_that_is_only_passed_on_needs_no_frame).
-export([main/0, ext/1]).

main() ->
    Functions =
        [{a, fun a/1}, {b, fun b/1}, {c, fun c/1}, {d, fun d/1}, {e, fun e/1}, {f, fun f/1}, {g, fun g/1}, {h, fun h/1}, {i, fun i/1},
         {j, fun j/1}, {k, fun k/1}, {l, fun l/1}, {m, fun m/1}, {n, fun n/1}, {o, fun o/1}, {p, fun p/1}, {q, fun q/1}, {r, fun r/1}],
    [io:format("~p ~p~n", [Name, frames(Name, Function)]) || {Name, Function} <- Functions],
    io:format("~p~n", [[loop(Loop) || Loop <- [fun cases/1, fun unused/1, fun parts/1]]]).

%% Whether the function's own frame is there when what it has called fails.
frames(Name, Function) ->
    try Function(1000) catch error:1000:Trace -> [there || {_, Called, 1, _} <- Trace, Called =:= Name] end.

ext(X) -> error(X).

a(X) -> case ?MODULE:ext(X) of V -> V end.
b(X) -> case ?MODULE:ext(X) of V when true -> V end.
c(X) -> case ?MODULE:ext(X) of V -> W = V, W end.
d(X) -> case ?MODULE:ext(X) of _ -> X end.
e(X) -> V = ?MODULE:ext(X), _ = self(), V.
f(X) -> try ?MODULE:ext(X) of V -> V after ok end.
g(X) -> V = ?MODULE:ext(X), _ = is_list(X), V.
h(X) -> case ?MODULE:ext(X) of V = W -> {W, V}, W end.
i(X) -> A = B = ?MODULE:ext(X), A = B.
j(X) -> case {?MODULE:ext(X), 1} of {V, _} -> V end.
k(X) -> {V, _} = {?MODULE:ext(X), 1}, V.
l(X) -> case X of 1 -> a; Y -> case ?MODULE:ext(Y) of V -> V end end.
m(X) -> case (case X of 1 -> a; _ -> ?MODULE:ext(X) end) of V -> V end.
n(X) -> case ?MODULE:ext(X) of true -> true; false -> false end.
o(X) -> V = ?MODULE:ext(X), V = V.
p(X) -> V = ?MODULE:ext(X), V = X, V.
q(X) -> V = ?MODULE:ext(X), _ = (false xor true), V.
r(X) -> V = ?MODULE:ext(X), _ = hd(X), V.

loop(Loop) ->
    {_, Monitor} = spawn_monitor(fun() -> exit(Loop(100000)) end),
    receive {'DOWN', Monitor, process, _, Words} when Words < 100000 -> ok; Other -> Other end.

cases(0) -> words();
cases(N) -> case cases(N - 1) of Words -> Words end.

unused(0) -> words();
unused(N) -> Words = unused(N - 1), _ = {N, self()}, Words.

parts(0) -> words();
parts(N) -> [Words | _] = [parts(N - 1), N], Words.

words() -> element(2, process_info(self(), total_heap_size)).

%% expect: a []
%% expect: b []
%% expect: c []
%% expect: d [there]
%% expect: e []
%% expect: f [there]
%% expect: g []
%% expect: h []
%% expect: i []
%% expect: j []
%% expect: k []
%% expect: l []
%% expect: m []
%% expect: n [there]
%% expect: o []
%% expect: p [there]
%% expect: q []
%% expect: r [there]
%% expect: [ok,ok,ok]
