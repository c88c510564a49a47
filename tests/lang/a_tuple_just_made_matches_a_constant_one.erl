%% A tuple that is made where it is matched is compared with a variable whose value is known, part by part.
-module(a_tuple_just_made_matches_a_constant_one).
-export([main/0]).

main() ->
    Pair = {a, "b"},
%% expect: {ok,{bad,{a,98}},{bad,[{a,[98],c}]}}
    show({case {id(a), id("b")} of Pair -> ok; Other -> {bad, Other} end,
          case {id(a), $b} of Pair -> ok; Other1 -> {bad, Other1} end,
          case {id(a), id("b"), c} of Pair -> ok; Other2 -> {bad, [Other2]} end}),
    Deep = {1, {2, [3, {x}]}, #{k => {v}}, 4.0},
%% expect: {ok,ok,{bad,{1,{2,[3,{y}]},#{k => {v}},4.0}},{bad,{1,{2,[3,{x}]},#{k => {v}},4}}}
    show({case {id(1), {2, [id(3), {id(x)}]}, #{k => id({v})}, id(4.0)} of Deep -> ok; Other3 -> {bad, Other3} end,
          case {id(1), id({2, [3, {x}]}), #{k => {id(v)}}, 4.0} of Deep -> ok; Other4 -> {bad, Other4} end,
          case {id(1), {2, [id(3), {id(y)}]}, #{k => id({v})}, id(4.0)} of Deep -> ok; Other5 -> {bad, Other5} end,
          case {id(1), {2, [id(3), {id(x)}]}, #{k => id({v})}, id(4)} of Deep -> ok; Other6 -> {bad, Other6} end}),
    Empty = {},
%% expect: [ok,bad,ok,bad]
    show([case {id(1), {}} of {1, Empty} -> ok; _ -> bad end,
          case {id(2), {}} of {1, Empty} -> ok; _ -> bad end,
          case {id(Pair), id(1)} of {Pair, _} -> ok; _ -> bad end,
          case [{id(b), "b"}] of [Pair] -> ok; _ -> bad end]),
    Pair = {id(a), id("b")},
%% expect: {badmatch,{b,[98]}}
    show(try Pair = {id(b), "b"} catch error:Reason -> Reason end),
%% expect: [{bound,1},{free,{2}}]
    show([begin One = {1}, case {id(X)} of One -> {bound, X}; Y -> {free, Y} end end || X <- [1, 2]]).

id(X) -> X.

show(X) -> io:format("~w~n", [X]).
