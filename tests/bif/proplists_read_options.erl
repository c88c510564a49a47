%% get_value, get_all_values, lookup, is_defined, delete, unfold, compact, get_bool, split, to_map.
-module(proplists_read_options).
-export([main/0]).

main() ->
    P = [{a, 1}, b, {c, 3}, {a, 2}, {d, false}, "junk", {e, 1, 2}],
    show([proplists:get_value(a, P), proplists:get_value(b, P), proplists:get_value(z, P), proplists:get_value(z, P, dflt), proplists:get_all_values(a, P), proplists:lookup(b, P),
          proplists:lookup(z, P), proplists:lookup_all(a, P), proplists:is_defined(b, P), proplists:is_defined(z, P), proplists:get_bool(b, P), proplists:get_bool(d, P), proplists:get_bool(a, P),
          proplists:delete(a, P), proplists:get_keys([{x, 1}, y]), proplists:unfold([a, {b, 1}]), proplists:compact([{a, true}, {b, 1}]), proplists:property(a, true), proplists:property(a, 1),
          proplists:split(P, [a, b]), proplists:to_map([a, {b, 2}]), proplists:from_map(#{a => 1})]),
    show([proplists:substitute_aliases([{x, y}], [{x, 1}]), proplists:expand([{foo, [bar, {baz, 1}]}], [foo, other]), proplists:normalize([{no_a, 1}], [{negations, [{no_a, a}]}])]).

show(X) -> io:format("~p~n", [X]).

%% expect: [1,true,undefined,dflt,
%% expect:  [1,2],
%% expect:  {b,true},
%% expect:  none,
%% expect:  [{a,1},{a,2}],
%% expect:  true,false,true,false,false,
%% expect:  [b,{c,3},{d,false},"junk",{e,1,2}],
%% expect:  [x,y],
%% expect:  [{a,true},{b,1}],
%% expect:  [a,{b,1}],
%% expect:  a,
%% expect:  {a,1},
%% expect:  {[[{a,1},{a,2}],[b]],[{c,3},{d,false},"junk",{e,1,2}]},
%% expect:  #{a => true,b => 2},
%% expect:  [{a,1}]]
%% expect: [[{y,1}],[bar,{baz,1},other],[a]]
