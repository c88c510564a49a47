%% A call of what is no fun, or of one with another arity, that is not the last thing its function does, has the caller in the stack
%% trace twice, as in OTP. Functions that do nothing but raise are shown with their caller, even if applied in the last place.
-module(who_calls_a_bad_fun_is_shown_twice).
-export([main/0, not_last/1, last/1]).

main() ->
    Two = fun(X, Y) -> X + Y end,
%% expect: [[not_last,not_last],[last]]
    show([names(fun() -> {not_last(foo)} end), names(fun() -> last(foo) end)]),
%% expect: [[not_last,not_last],[last]]
    show([names(fun() -> {not_last(Two)} end), names(fun() -> last(Two) end)]),
%% expect: [[not_last,not_last],[last]]
    show([names(fun() -> {not_last(fun lists:seq/2)} end), names(fun() -> last(fun lists:seq/2) end)]),
%% expect: [[raising],[raising],[raising]]
    show([names(fun() -> raising(erlang, Function, [x]) end) || Function <- [error, exit, throw]]),
%% expect: [[twice],[]]
    show([names(fun() -> twice(erlang, apply, error) end), names(fun() -> twice(erlang, apply, length) end)]),
%% expect: [[listed],[listed],[]]
    show([names(fun() -> listed(erlang, Function, [x]) end) || Function <- [error, throw, length]]).

not_last(Fun) -> {Fun(1)}.

last(Fun) -> Fun(1).

raising(Module, Function, [Arg]) -> Module:Function(Arg).

twice(Module, Apply, Function) -> Module:Apply(erlang, Function, [x]).

listed(Module, Function, Args) -> apply(Module, Function, Args).

names(Fun) -> try Fun() catch _:_:Trace -> [Name || {?MODULE, Name, _, _} <- Trace, is_shown(Name)] end.

is_shown(Name) -> lists:member(Name, [not_last, last, raising, listed, twice]).

show(Term) -> io:format("~0p~n", [Term]).
