%% A tokenizer, a precedence parser and an evaluator.
-module(program_calculator).
-export([main/0]).

main() ->
    [show({S, attempt(fun() -> eval(parse(tokens(S))) end)}) ||
        S <- ["1+2*3", "(1+2)*3", "10/4", "2*(3+(4-1))*2", "-5+2", "7", "1/0", "1+", "(1", "a", "12345678901234567890*98765432109876543210"]],
    ok.

tokens([]) -> [];
tokens([C | Cs]) when C >= $0, C =< $9 -> number(Cs, C - $0);
tokens([$\s | Cs]) -> tokens(Cs);
tokens([C | Cs]) when C =:= $+; C =:= $-; C =:= $*; C =:= $/; C =:= $(; C =:= $) -> [list_to_atom([C]) | tokens(Cs)];
tokens([C | _]) -> error({bad_character, C}).

number([C | Cs], N) when C >= $0, C =< $9 -> number(Cs, N * 10 + C - $0);
number(Cs, N) -> [{n, N} | tokens(Cs)].

parse(Ts) ->
    case sum(Ts) of
        {E, []} -> E;
        {_, [T | _]} -> error({unexpected, T})
    end.

sum(Ts) -> {L, Rest} = product(Ts), sum_rest(L, Rest).

sum_rest(L, [Op | Ts]) when Op =:= '+'; Op =:= '-' -> {R, Rest} = product(Ts), sum_rest({Op, L, R}, Rest);
sum_rest(L, Ts) -> {L, Ts}.

product(Ts) -> {L, Rest} = factor(Ts), product_rest(L, Rest).

product_rest(L, [Op | Ts]) when Op =:= '*'; Op =:= '/' -> {R, Rest} = factor(Ts), product_rest({Op, L, R}, Rest);
product_rest(L, Ts) -> {L, Ts}.

factor([{n, N} | Ts]) -> {N, Ts};
factor(['-' | Ts]) -> {E, Rest} = factor(Ts), {{'-', 0, E}, Rest};
factor(['(' | Ts]) ->
    case sum(Ts) of
        {E, [')' | Rest]} -> {E, Rest};
        _ -> error(missing_bracket)
    end;
factor([]) -> error(unexpected_end);
factor([T | _]) -> error({unexpected, T}).

eval({'+', A, B}) -> eval(A) + eval(B);
eval({'-', A, B}) -> eval(A) - eval(B);
eval({'*', A, B}) -> eval(A) * eval(B);
eval({'/', A, B}) -> eval(A) / eval(B);
eval(N) -> N.

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

%% expect: {"1+2*3",7}
%% expect: {"(1+2)*3",9}
%% expect: {"10/4",2.5}
%% expect: {"2*(3+(4-1))*2",24}
%% expect: {"-5+2",-3}
%% expect: {"7",7}
%% expect: {"1/0",{error,badarith}}
%% expect: {"1+",{error,unexpected_end}}
%% expect: {"(1",{error,missing_bracket}}
%% expect: {"a",{error,{bad_character,97}}}
%% expect: {"12345678901234567890*98765432109876543210",
%% expect:  1219326311370217952237463801111263526900}
