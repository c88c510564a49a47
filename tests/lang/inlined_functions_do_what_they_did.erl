%% With -compile(inline), and with functions named: the same values and effects, and the traces that OTP shows.
-module(inlined_functions_do_what_they_did).
-compile([inline, {inline_size, 100}]).
-compile({inline, [half/1, {sized, 2}]}).
-export([main/0]).

main() ->
    show([area({square, 3}), area({circle, 2.0}), twice(twice(2)), half(10)]),
    show([up_to(5), count(3, 0), even(10), even(7)]),
    show([caught(fun() -> 1 end), caught(fun() -> throw(no) end), caught(fun() -> error(bad) end)]),
    show([lists:map(fun half/1, [2, 4]), apply(fun twice/1, [4])]),
    show([sized(<<1, 2, 3>>, 2), sized(<<1>>, 2), first([a, b]), first([])]),
    show([checked(3), checked(-3), checked(x), nested(4), nested(-4)]),
    self() ! {tag, 1},
    self() ! other,
    show([take(tag), take_any()]),
    show([const(ok), const(error), const({ok, 1})]),
    show(ignored(7)),
    show([never(fun() -> raised(X) end) || X <- [1, 2]]),
    trace(fun() -> [half(3)] end),
    trace(fun() -> {only(b)} end),
    trace(fun() -> [plus(1, a)] end),
    trace(fun() -> tail(c) end).

%% Clauses, and a function called twice in one expression.
area({square, Side}) -> Side * Side;
area({circle, R}) -> pi() * R * R.
pi() -> 3.
twice(X) -> Y = X + X, Y.
half(X) when X rem 2 =:= 0 -> X div 2.

%% Functions that call themselves, or each other, stay.
up_to(0) -> [];
up_to(N) -> [N | up_to(N - 1)].
count(0, Acc) -> Acc;
count(N, Acc) -> count(N - 1, add(Acc, N)).
add(A, B) -> A + B.
even(0) -> true;
even(N) -> odd(N - 1).
odd(0) -> false;
odd(N) -> even(N - 1).

%% Exceptions are handled where they were.
caught(F) ->
    try F() of
        V -> {value, V}
    catch
        throw:T -> {thrown, T};
        error:E -> {error, E}
    after
        put(last, F)
    end.

sized(Bin, Size) ->
    case Bin of
        <<Part:Size/binary, _/binary>> -> {Part, [X || <<X>> <= Bin, X > 1]};
        _ -> none
    end.
first([X | _]) -> X;
first([]) -> none.

checked(X) ->
    case is_integer(X) andalso X > 0 of
        true when X < 10 -> {ok, X};
        true -> large;
        false -> sign(X)
    end.
sign(X) when X < 0 -> negative;
sign(_) -> neither.
nested(X) -> {checked(X), checked(twice(X)), [checked(Y) || Y <- [X, x]]}.

take(Tag) -> receive {Tag, X} -> X end.
take_any() -> receive X -> X after 0 -> none end.

const(X) ->
    case known(X) of
        true -> kind(X);
        false -> unknown
    end.
known(ok) -> true;
known(error) -> true;
known(_) -> false.
kind(ok) -> fine;
kind(error) -> wrong.

ignored(X) ->
    put(seen, X),
    effect(X + 1),
    effect(X + 2),
    {get(seen), get(effect)}.
effect(X) -> put(effect, [X | case get(effect) of undefined -> []; L -> L end]), ok.

raised(1) -> error(one);
raised(X) -> fail(X), never.
fail(X) -> exit({failed, X}).
never(F) -> try F() catch C:R -> {C, R} end.

only(a) -> b.
plus(A, B) -> A + B.
tail(X) -> only(X).

trace(F) ->
    try F()
    catch
        error:Reason:Stack ->
            show({Reason, [{Function, Args, proplists:get_value(line, L)}
                           || {?MODULE, Function, Args, L} <- [hd(Stack)]]})
    end.

show(X) -> io:format("~p~n", [X]).

%% expect: [9,12.0,8,5]
%% expect: [[5,4,3,2,1],6,true,false]
%% expect: [{value,1},{thrown,no},{error,bad}]
%% expect: [[1,2],8]
%% expect: [{<<1,2>>,[2,3]},none,a,none]
%% expect: [{ok,3},
%% expect:  negative,neither,
%% expect:  {{ok,4},{ok,8},[{ok,4},neither]},
%% expect:  {negative,negative,[negative,neither]}]
%% expect: [1,other]
%% expect: [fine,wrong,unknown]
%% expect: {7,"\t\b"}
%% expect: [{error,one},{exit,{failed,2}}]
%% expect: {function_clause,[{'-inlined-half/1-',[3],30}]}
%% expect: {function_clause,[{'-inlined-only/1-',[b],98}]}
%% expect: {badarith,[]}
%% expect: {function_clause,[{'-inlined-only/1-',[c],98}]}
