%% Loops over binaries hand the rest on; whoever looks at the rest, or at the whole, sees the right binary.
-module(the_rest_of_a_binary_is_a_term_where_it_is_wanted_as_one).
-export([main/0, count/2]).

main() ->
    Big = binary:copy(<<"abcdefghij">>, 20),
    [each(B) || B <- [<<>>, <<"a">>, <<"abcab">>, <<"abca", 5:3>>, Big, binary:part(Big, 3, 100), <<1:1, "xyz">>]],
    show([catch count(B, 0) || B <- [no, [], 1, <<"ab", 1:2>>]]),
    show([catch ?MODULE:count(B, 0) || B <- [no, {<<"ab">>}]]),
    show(spawned(<<"hello">>)),
    show([skip(N, <<"hello world">>) || N <- [0, 1, 5, 11, 12]]),
    show([until(C, <<"key=value">>) || C <- [$=, $k, $e, $?]]),
    show(rests(<<"abc">>)),
    show(wholes(<<"abc">>)),
    show(in_guard(<<5, "abcdefgh">>)),
    show(closures(<<"abc">>)),
    show(body(<<"abc">>)),
    show(two(<<"abc">>, <<"12345">>)),
    show(swap(<<"abc">>, <<"12345">>, 4)),
    show(same(<<"ab">>)),
    show(aside(<<"abc">>)).

each(B) ->
    show({catch count(B, 0), catch words(B, false, 0), catch sum(B), catch bits(B, 0)}).

count(<<$a, R/binary>>, N) -> count(R, N + 1);
count(<<_, R/binary>>, N) -> count(R, N);
count(<<>>, N) -> N.

words(<<C, R/binary>>, In, N) when C =:= $c; C =:= $f ->
    case In of
        true -> words(R, false, N + 1);
        false -> words(R, false, N)
    end;
words(<<_, R/binary>>, _, N) -> words(R, true, N);
words(<<>>, true, N) -> N + 1;
words(<<>>, false, N) -> N.

sum(<<X, R/binary>>) -> X + sum(R);
sum(<<X:3>>) -> X;
sum(<<>>) -> 0.

bits(<<1:1, R/bits>>, N) -> bits(R, N + 1);
bits(<<_:1, R/bits>>, N) -> bits(R, N);
bits(<<>>, N) -> N.

%% Through funs, other processes, and messages.
spawned(B) ->
    Self = self(),
    spawn(fun() -> send(B, Self) end),
    collect([]).

send(<<>>, To) -> To ! done;
send(<<C, R/binary>>, To) -> To ! {C, R}, send(R, To).

collect(Acc) ->
    receive
        done -> lists:reverse(Acc);
        M -> collect([M | Acc])
    end.

%% The binary is wanted before anything was matched.
skip(0, B) -> {rest, B};
skip(N, <<_, R/binary>>) -> skip(N - 1, R);
skip(N, <<>>) -> {short, N}.

until(C, <<C, R/binary>>) -> {found, R};
until(C, <<_, R/binary>> = B) when byte_size(B) > 2 -> until(C, R);
until(_, B) -> {none, B}.

rests(<<_, R/binary>>) -> [R | rests(R)];
rests(<<>>) -> [].

wholes(<<_, R/binary>> = B) -> [B | wholes(R)];
wholes(B) -> [B].

in_guard(<<N, R/binary>>) when byte_size(R) >= N -> in_guard(R);
in_guard(<<N, R/binary>> = B) -> {N, R, B}.

closures(<<C, R/binary>>) ->
    F = fun() -> {C, R} end,
    [F() | closures(R)];
closures(<<>>) -> [].

%% Wanted behind the call that takes it.
body(<<C, R/binary>>) ->
    X = body(R),
    [{C, R} | X];
body(<<>>) -> [].

two(<<A, R/binary>>, <<B, S/binary>>) -> [{A, B} | two(R, S)];
two(A, B) -> [{A, B}].

swap(A, B, 0) -> {A, B};
swap(<<_, R/binary>>, <<B, S/binary>>, N) -> [B | swap(S, R, N - 1)];
swap(A, B, N) -> {A, B, N}.

%% One rest for two parameters.
same(<<_, R/binary>>) -> {pair(R, R), R};
same(R) -> R.

pair(<<A, R/binary>>, <<B, S/binary>>) -> {A, B, pair(R, S)};
pair(A, B) -> {A, B}.

%% Handed on twice, and wanted once more.
aside(<<_, R/binary>>) ->
    N = count(R, 0),
    M = sum(R),
    [{N, M, R} | aside(R)];
aside(<<>>) -> [].

show(X) -> io:format("~w~n", [strip(X)]).

strip({'EXIT', {Reason, [{_, F, A, _} | _]}}) -> {Reason, F, A};
strip([H | T]) -> [strip(H) | strip(T)];
strip(T) when is_tuple(T) -> list_to_tuple([strip(X) || X <- tuple_to_list(T)]);
strip(X) -> X.

%% expect: {0,0,0,0}
%% expect: {1,1,97,3}
%% expect: {2,2,489,16}
%% expect: {{function_clause,count,[<<97,98,99,97,5:3>>,0]},{function_clause,words,[<<97,98,99,97,5:3>>,false,0]},{function_clause,sum,[<<97,98,99,97,5:3>>]},15}
%% expect: {20,41,20300,740}
%% expect: {10,20,10150,370}
%% expect: {{function_clause,count,[<<188,60,189,0:1>>,0]},{function_clause,words,[<<188,60,189,0:1>>,false,0]},{function_clause,sum,[<<188,60,189,0:1>>]},15}
%% expect: [{function_clause,count,[no,0]},{function_clause,count,[[],0]},{function_clause,count,[1,0]},{function_clause,count,[<<97,98,1:2>>,0]}]
%% expect: [{function_clause,count,[no,0]},{function_clause,count,[{<<97,98>>},0]}]
%% expect: [{104,<<101,108,108,111>>},{101,<<108,108,111>>},{108,<<108,111>>},{108,<<111>>},{111,<<>>}]
%% expect: [{rest,<<104,101,108,108,111,32,119,111,114,108,100>>},{rest,<<101,108,108,111,32,119,111,114,108,100>>},{rest,<<32,119,111,114,108,100>>},{rest,<<>>},{short,1}]
%% expect: [{found,<<118,97,108,117,101>>},{found,<<101,121,61,118,97,108,117,101>>},{found,<<121,61,118,97,108,117,101>>},{none,<<117,101>>}]
%% expect: [<<98,99>>,<<99>>,<<>>]
%% expect: [<<97,98,99>>,<<98,99>>,<<99>>,<<>>]
%% expect: {97,<<98,99,100,101,102,103,104>>,<<97,98,99,100,101,102,103,104>>}
%% expect: [{97,<<98,99>>},{98,<<99>>},{99,<<>>}]
%% expect: [{97,<<98,99>>},{98,<<99>>},{99,<<>>}]
%% expect: [{97,49},{98,50},{99,51},{<<>>,<<52,53>>}]
%% expect: [49,98,51|{<<52,53>>,<<>>,1}]
%% expect: {{98,98,{<<>>,<<>>}},<<98>>}
%% expect: [{0,197,<<98,99>>},{0,99,<<99>>},{0,0,<<>>}]
