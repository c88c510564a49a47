%% member, delete, subtract, keyfind, keymember, keystore, keydelete, keyreplace, keytake, keysearch, keymap, prefix, suffix.
-module(lists_membership_and_keys).
-export([main/0]).

main() ->
    K = [{a, 1}, {b, 2}, {1, x}, {a, 3}, notuple, {short}, {1.0, y}],
    show([lists:member(1, [1.0, 2]), lists:member(2, [1, 2]), lists:delete(a, [b, a, a]), lists:delete(1, [1.0]), lists:subtract([1, 2, 1], [1]), lists:keyfind(a, 1, K), lists:keyfind(1.0, 1, K),
          lists:keyfind(z, 1, K), lists:keyfind(3, 2, K), lists:keymember(b, 1, K), lists:keysearch(b, 1, K), lists:keysearch(z, 1, K), lists:keydelete(a, 1, K),
          lists:keystore(b, 1, K, {b, new}), lists:keystore(z, 1, [{a, 1}], {z, new}), lists:keyreplace(z, 1, [{a, 1}], {z, 1}), lists:keyreplace(a, 1, [{a, 1}], {a, 2}),
          lists:keytake(b, 1, K), lists:keytake(z, 1, K), lists:keymap(fun(X) -> {X} end, 2, [{a, 1}, {b, 2}]), lists:prefix("ab", "abc"), lists:prefix("b", "abc"), lists:suffix("bc", "abc"), lists:suffix("", "")]),
    show([attempt(F) || F <- [fun() -> lists:member(1, id(a)) end, fun() -> lists:member(1, id([2 | 3])) end, fun() -> lists:keyfind(a, id(0), K) end, fun() -> lists:keyfind(a, 1, id(b)) end, fun() -> lists:keymember(z, 1, id([{a, 1} | b])) end]]).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [false,true,
%% expect:  [b,a],
%% expect:  [1.0],
%% expect:  [2,1],
%% expect:  {a,1},
%% expect:  {1,x},
%% expect:  false,
%% expect:  {a,3},
%% expect:  true,
%% expect:  {value,{b,2}},
%% expect:  false,
%% expect:  [{b,2},{1,x},{a,3},notuple,{short},{1.0,y}],
%% expect:  [{a,1},{b,new},{1,x},{a,3},notuple,{short},{1.0,y}],
%% expect:  [{a,1},{z,new}],
%% expect:  [{a,1}],
%% expect:  [{a,2}],
%% expect:  {value,{b,2},[{a,1},{1,x},{a,3},notuple,{short},{1.0,y}]},
%% expect:  false,
%% expect:  [{a,{1}},{b,{2}}],
%% expect:  true,false,true,true]
%% expect: [{error,badarg},{error,badarg},{error,badarg},{error,badarg},{error,badarg}]
