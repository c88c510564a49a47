%% binary_to_term(term_to_binary(T)) is T; malformed input is badarg.
-module(terms_survive_the_external_format).
-export([main/0]).

main() ->
    Ts = [0, 1, 255, 256, -1, 1 bsl 27, 1 bsl 31, 1 bsl 32, 1 bsl 59, 1 bsl 60, 1 bsl 64, -(1 bsl 64), 1 bsl 3000, 1.5, -0.0, a, 'é', '日本', "", "abc", [1, 300], [a | b],
          {}, {a}, list_to_tuple(lists:seq(1, 300)), #{}, #{a => 1}, maps:from_list([{I, I} || I <- lists:seq(1, 100)]), <<>>, <<"abc">>, binary:copy(<<"x">>, 1000),
          self(), make_ref(), fun lists:map/2, [[[[]]]], lists:seq(1, 1000), lists:duplicate(70000, $a)],
    show([T || T <- Ts, binary_to_term(term_to_binary(T)) =/= T]),
    show([T || T <- Ts, binary_to_term(term_to_binary(T, [{minor_version, 2}])) =/= T]),
    show([binary_to_term(B) || B <- [<<131, 97, 5>>, <<131, 98, 255, 255, 255, 255>>, <<131, 100, 0, 1, $a>>, <<131, 119, 1, $b>>, <<131, 115, 1, $c>>, <<131, 107, 0, 2, 1, 2>>,
                                     <<131, 108, 0, 0, 0, 1, 97, 1, 106>>, <<131, 110, 1, 1, 5>>, <<131, 116, 0, 0, 0, 1, 97, 1, 97, 2>>]]),
    show([attempt(fun() -> binary_to_term(id(B)) end) || B <- [<<>>, <<1, 2, 3>>, <<131>>, <<131, 97>>, <<131, 255>>, <<131, 104, 5, 97, 1>>, a, <<131, 108, 255, 255, 255, 255>>,
                                                             <<131, 109, 0, 0, 0, 9, 1>>, <<131, 70, 127, 240, 0, 0, 0, 0, 0, 0>>, <<131, 116, 0, 0, 0, 2, 97, 1, 97, 2, 97, 1, 97, 3>>]]),
    show(attempt(fun() -> binary_to_term(id(<<131, 119, 20, "never_seen_atom_here">>), [safe]) end)),
    show(binary_to_term(<<131, 97, 5, 9>>, [used])),
    show(erlang:external_size({a, 1}) >= 6).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: []
%% expect: []
%% expect: [5,-1,a,b,c,[1,2],[1],-5,#{1 => 2}]
%% expect: [{error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg}]
%% expect: {error,badarg}
%% expect: {5,3}
%% expect: true
