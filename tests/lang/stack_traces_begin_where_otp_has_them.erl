%% Operators with a constant that OTP compiles away raise in the function itself; all others show the operator first.
%% expect: [{f1,1,20}]
%% expect: [{f2,1,21}]
%% expect: [{f3,1,22}]
%% expect: [{erlang,'-',[1,a]},{f4,1,23}]
%% expect: [{f5,1,24}]
%% expect: [{erlang,'*',[a,2]},{f6,1,25}]
%% expect: [{f7,1,26}]
%% expect: [{f8,1,27}]
%% expect: [{erlang,'rem',[a,2]},{f9,1,28}]
%% expect: [{f10,1,29}]
%% expect: [{erlang,'+',[a,a]},{f11,1,30}]
%% expect: [{binary,decode_unsigned,"\t"},{f12,1,33}]
%% expect: [{erlang,'rem',[a,3]},{f13,1,38}]
-module(stack_traces_begin_where_otp_has_them).
-export([main/0, f1/1, f2/1, f3/1, f4/1, f5/1, f6/1, f7/1, f8/1, f9/1, f10/1, f11/1, f12/1, f13/1]).

-define(SHOW(F), show(fun() -> {F(id(a))} end)).

f1(X) -> X + 1.
f2(X) -> 1 + X.
f3(X) -> X - 1.
f4(X) -> 1 - X.
f5(X) -> X + 100000000000.
f6(X) -> X * 2.
f7(X) -> X / 2.
f8(X) -> 2.0 * X.
f9(X) -> X rem 2.
f10(X) -> +X.
f11(X) -> X + X.
% The line of a call behind a handler that can never run is that of the call.
f12(_) ->
    binary:decode_unsigned(try ok of _ -> 9 catch _:A:B -> {2, id({A, B})} end).
% A short `after` is a part of its function.
f13(X) ->
    try id(X)
    after
        case id(X) of b -> 2; a -> id(X rem 3) end
    end.

main() ->
    ?SHOW(f1), ?SHOW(f2), ?SHOW(f3), ?SHOW(f4), ?SHOW(f5), ?SHOW(f6), ?SHOW(f7), ?SHOW(f8), ?SHOW(f9), ?SHOW(f10), ?SHOW(f11),
    ?SHOW(f12), ?SHOW(f13).

id(X) -> X.

show(F) ->
    try F() catch error:_:Stack ->
        io:format("~0p~n", [[frame(Frame) || {M, Name, _, _} = Frame <- Stack, lists:member(M, [?MODULE, erlang, binary]), lists:sublist(atom_to_list(Name), 2) =/= "-m", Name =/= main, Name =/= show]])
    end.

frame({?MODULE, F, A, [{file, _}, {line, Line}]}) -> {F, A, Line};
frame({M, F, A, _}) -> {M, F, A}.
