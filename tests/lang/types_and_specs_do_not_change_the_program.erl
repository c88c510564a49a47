%% Every kind of type attribute is accepted.
-module(types_and_specs_do_not_change_the_program).
-export([main/0]).

-export_type([t/0, u/1]).
-type t() :: integer() | 1..10 | [atom()] | {a, b} | #{a := integer(), b => _} | fun((integer()) -> ok) | fun(() -> _) | <<_:8, _:_*8>>.
-opaque u(X) :: {ok, X} | none.
-record(r, {a :: integer(), b = 1 :: t()}).
-spec main() -> ok.
-spec f(X) -> X when X :: t(); (atom()) -> atom().
-callback cb(A :: integer()) -> term().

main() -> show(f(1)), show(#r{a = 1}), ok.

f(X) -> X.

show(X) -> io:format("~p~n", [X]).

%% expect: 1
%% expect: {r,1,1}
