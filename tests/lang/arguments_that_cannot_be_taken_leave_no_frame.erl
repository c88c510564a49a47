%% A call that cannot return, by the kinds of its arguments, is the last thing its function does: the function's frame is not in the
%% trace. Calls that may return leave theirs.
-module(arguments_that_cannot_be_taken_leave_no_frame).
-export([main/0]).

main() ->
    Functions =
        [{a, fun a/1}, {b, fun b/1}, {c, fun c/1}, {d, fun d/1}, {e, fun e/1}, {f, fun f/1}, {g, fun g/1}, {i, fun i/1},
         {j, fun j/1}, {k, fun k/1}, {l, fun l/1}, {m, fun m/1}, {n, fun n/1}, {o, fun o/1}, {p, fun p/1}, {q, fun q/1}, {s, fun s/1}, {t, fun t/1}],
    [io:format("~p ~p~n", [Name, frames(Name, Function)]) || {Name, Function} <- Functions].

frames(Name, Function) ->
    try Function(id(1000)) of
        Value -> Value
    catch
        error:_:Trace -> [there || {_, Called, 1, _} <- Trace, Called =:= Name]
    end.

id(X) -> X.

add(X) -> X + 1.
list(X) when is_list(X) -> X.
atoms(b) -> 1;
atoms(c) -> 2.
numbers(2) -> 1;
numbers(5) -> 2.
pair({_, _}) -> 1.
cell([_ | _]) -> 1.
either(<<_/bits>>) -> 1;
either(#{}) -> 2;
either(F) when is_function(F) -> 3.
sum([X | Xs], Sum) -> sum(Xs, X + Sum);
sum([], Sum) -> Sum.
later(X) -> receive after 0 -> ok end, atom_or(X).
atom_or(X) -> try atoms(X) catch error:function_clause -> length(X) end.
made(X) -> {pair, X}.
first(X) -> case X of [Y | _] -> Y; _ -> atoms(X) end.

a(X) -> Y = add(a), {X, Y}.
b(X) -> Y = list(a), {X, Y}.
c(X) -> Y = atoms(a), {X, Y}.
d(X) -> Y = numbers(1), {X, Y}.
e(X) -> Y = numbers(8), {X, Y}.
f(X) -> Y = pair({1}), {X, Y}.
g(X) -> Y = pair([1]), {X, Y}.
i(X) -> Y = either(a), {X, Y}.
j(X) -> Y = either(X), {X, Y}.
k(X) -> Y = sum(a, X), {X, Y}.
l(X) -> Y = sum([X, a], X), {X, Y}.
m(X) -> Y = atoms(X), {X, Y}.
n(X) -> Y = pair(made(X)), {X, Y}.
o(X) -> Y = cell(made(X)), {X, Y}.
p(X) -> Y = later([X]), {X, Y}.
q(X) -> Y = first([X]), {X, Y}.
s(X) when is_integer(X) -> Y = list(X), {X, Y}.
t(X) -> Z = X + 1, Y = pair(Z), {X, Y}.

%% expect: a []
%% expect: b []
%% expect: c []
%% expect: d []
%% expect: e []
%% expect: f []
%% expect: g []
%% expect: i []
%% expect: j [there]
%% expect: k []
%% expect: l [there]
%% expect: m [there]
%% expect: n {1000,1}
%% expect: o []
%% expect: p {1000,1}
%% expect: q {1000,1000}
%% expect: s []
%% expect: t []
