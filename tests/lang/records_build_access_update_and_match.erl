%% Records: defaults, nested, updates, field index, tests.
-module(records_build_access_update_and_match).
-export([main/0]).

-record(p, {x = 0, y = 0 :: integer(), name}).
-record(q, {p = #p{}, l = [] :: list()}).

main() ->
    P = #p{x = 1},
    show({P, P#p.x, P#p.name}),
    show(P#p{y = 5, name = "n"}),
    show(#p{_ = '_'}),
    show(#p{name = n, _ = 7}),
    show({#p.x, #p.name}),
    Q = #q{p = P#p{x = 9}},
    show((Q#q.p)#p.x),
    show(Q#q{p = (Q#q.p)#p{y = 1}, l = [1]}),
    show(Q#q.p#p.y),
    show([f(T) || T <- [P, Q, #p{x = 2, y = 2}, {p, 1}, {p, 0, 0, z}, x]]),
    show([is_record(T, p) || T <- [P, Q, {p, 1}]]),
    show([is_record(T, p, 4) || T <- [P, Q, {p, 1}]]),
    show(record_info(fields, p)),
    show(record_info(size, p)),
    show(attempt(fun() -> (id(Q))#p.x end)),
    show(attempt(fun() -> (id(z))#p{x = 1} end)).

f(#p{x = X, y = X}) -> {same, X};
f(#p{x = 1}) -> one;
f(#q{p = #p{x = X}}) -> {q, X};
f(T) when is_tuple(T), size(T) =:= #p.x -> index;
f(_) -> other.

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: {{p,1,0,undefined},1,undefined}
%% expect: {p,1,5,"n"}
%% expect: {p,'_','_','_'}
%% expect: {p,7,7,n}
%% expect: {2,4}
%% expect: 9
%% expect: {q,{p,9,1,undefined},[1]}
%% expect: 0
%% expect: [one,{q,9},{same,2},index,{same,0},other]
%% expect: [true,false,false]
%% expect: [true,false,false]
%% expect: [x,y,name]
%% expect: 4
%% expect: {error,{badrecord,{q,{p,9,0,undefined},[]}}}
%% expect: {error,{badrecord,z}}
