%% A value from a map may take the place of a match context that only the next clause wants: it is there still if the key is not.
-module(a_key_that_is_missing_leaves_the_binary_to_the_next_clause).
-export([main/0]).
-compile(nowarn_unused_vars).

main() ->
    show([f(<<1, 2, 3>>, {}, #{b => c}), f(<<1, 2, 3>>, {}, #{a => c}), f(<<1, 2, 3>>, <<2, 3>>, #{}), f(u, v, w), f(<<1>>, {}, #{b => c}),
          f(<<>>, <<>>, #{}), f(<<1, 2, 3:4>>, {}, #{b => c})]),
    show([g(<<1, 2, 3>>, #{b => c}), g(<<1, 2, 3>>, #{}), g(<<7>>, #{b => c}), g(u, v)]),
    show([h(<<1, 2, 3>>, {}, #{b => c}), h(<<1, 2, 3>>, <<2, 3>>, #{}), h(<<1, 2, 3>>, {}, #{}), h(u, v, w), h(<<1, 2, 3>>, {}, u)]).

f(<<_:16, _/binary>>, {}, #{b := C}) -> id(C);
f(u, _, W) -> W;
f(<<_:8, B/binary>>, B, _) -> rest;
f(X, _, _) -> {other, X}.

g(<<A, B/binary>>, #{b := C}) when byte_size(B) > 1 -> id({A, C, B});
g(u, W) -> W;
g(<<A:4, _/bits>>, _) -> {half, A}.

h(<<A:16, B/binary>>, {}, #{b := C}) -> id(C);
h(u, V, W) -> W;
h(<<_:8, B/binary>>, B, _) -> 9;
h(X, Y, Z) -> 1.

id(X) -> X.

show(X) -> io:format("~p~n", [X]).

%% expect: [c,{other,<<1,2,3>>},rest,w,{other,<<1>>},{other,<<>>},{other,<<1,2,3:4>>}]
%% expect: [{1,c,<<2,3>>},{half,0},{half,0},v]
%% expect: [c,9,1,w,1]
