%% get, find, put, update, remove, take, keys, values, is_key, size, merge.
-module(maps_module_basics).
-export([main/0]).

main() ->
    M = #{a => 1, b => 2, "c" => 3},
    show([maps:get(a, M), maps:get(z, M, default), maps:find(a, M), maps:find(z, M), maps:is_key(b, M), maps:size(M)]),
    show([maps:put(d, 4, M), maps:put(a, 0, M), maps:update(a, 9, M), maps:remove(a, M), maps:remove(z, M), maps:take(a, M), maps:take(z, M)]),
    show([maps:keys(M), maps:values(M), maps:to_list(M), maps:from_list([{x, 1}, {y, 2}, {x, 3}]), maps:new()]),
    show([maps:merge(M, #{a => x, z => y}), maps:merge(#{}, M), maps:with([a, z], M), maps:without([a, z], M)]),
    show([maps:from_keys([a, b, a], 0), maps:update_with(a, fun(X) -> X + 1 end, M), maps:update_with(z, fun(X) -> X end, init, M)]),
    show([attempt(F) || F <- [fun() -> maps:get(z, M) end, fun() -> maps:get(a, id(x)) end, fun() -> maps:put(a, 1, id(x)) end, fun() -> maps:update(z, 1, M) end,
                              fun() -> maps:update(a, 1, id(x)) end, fun() -> maps:keys(id(x)) end, fun() -> maps:values(id([])) end, fun() -> maps:to_list(id(x)) end,
                              fun() -> maps:from_list(id(x)) end, fun() -> maps:from_list(id([a])) end, fun() -> maps:from_list(id([{a, 1} | b])) end,
                              fun() -> maps:remove(a, id(x)) end, fun() -> maps:merge(M, id(x)) end, fun() -> maps:merge(id(x), M) end, fun() -> maps:find(a, id(x)) end,
                              fun() -> maps:is_key(a, id(x)) end, fun() -> maps:size(id(x)) end, fun() -> map_size(id(x)) end, fun() -> maps:take(a, id(x)) end,
                              fun() -> maps:update_with(z, fun(X) -> X end, M) end, fun() -> maps:from_keys(id(a), 1) end, fun() -> maps:get(a, id(x), d) end,
                              fun() -> maps:with(a, M) end, fun() -> maps:without(a, M) end, fun() -> map_get(a, id(x)) end, fun() -> is_map_key(a, id(x)) end]]).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [1,default,{ok,1},error,true,3]
%% expect: [#{a => 1,b => 2,d => 4,"c" => 3},
%% expect:  #{a => 0,b => 2,"c" => 3},
%% expect:  #{a => 9,b => 2,"c" => 3},
%% expect:  #{b => 2,"c" => 3},
%% expect:  #{a => 1,b => 2,"c" => 3},
%% expect:  {1,#{b => 2,"c" => 3}},
%% expect:  error]
%% expect: [[a,b,"c"],[1,2,3],[{a,1},{b,2},{"c",3}],#{x => 3,y => 2},#{}]
%% expect: [#{a => x,b => 2,z => y,"c" => 3},
%% expect:  #{a => 1,b => 2,"c" => 3},
%% expect:  #{a => 1},
%% expect:  #{b => 2,"c" => 3}]
%% expect: [#{a => 0,b => 0},
%% expect:  #{a => 2,b => 2,"c" => 3},
%% expect:  #{a => 1,b => 2,z => init,"c" => 3}]
%% expect: [{error,{badkey,z}},
%% expect:  {error,{badmap,x}},
%% expect:  {error,{badmap,x}},
%% expect:  {error,{badkey,z}},
%% expect:  {error,{badmap,x}},
%% expect:  {error,{badmap,x}},
%% expect:  {error,{badmap,[]}},
%% expect:  {error,{badmap,x}},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,{badmap,x}},
%% expect:  {error,{badmap,x}},
%% expect:  {error,{badmap,x}},
%% expect:  {error,{badmap,x}},
%% expect:  {error,{badmap,x}},
%% expect:  {error,{badmap,x}},
%% expect:  {error,{badmap,x}},
%% expect:  {error,{badmap,x}},
%% expect:  {error,{badkey,z}},
%% expect:  {error,badarg},
%% expect:  {error,{badmap,x}},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,{badmap,x}},
%% expect:  {error,{badmap,x}}]
