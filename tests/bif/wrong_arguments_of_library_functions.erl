%% Which error it is when functions of the libraries get what they cannot take.
-module(wrong_arguments_of_library_functions).
-export([main/0]).

%% expect: {function_clause,{lists,sort,1}}
%% expect: {function_clause,{lists,usort,1}}
%% expect: {{case_clause,x},{lists,keysort,2}}
%% expect: {function_clause,{lists,umerge,2}}
%% expect: {badarg,{lists,keyfind,3}}
%% expect: {{badmap,x},{maps,fold,3}}
%% expect: {{badmap,x},{maps,map,2}}
%% expect: {{badmap,[a|b]},{maps,foreach,2}}
%% expect: {{badmap,{1,2,3}},{maps,to_list,1}}
%% expect: {badarg,{maps,next,1}}
%% expect: function_clause
%% expect: function_clause
%% expect: function_clause
%% expect: {badarg,x}
%% expect: {badmatch,x}
%% expect: {badmatch,x}
%% expect: {case_clause,x}
%% expect: {function_clause,{string,left,2}}
%% expect: {badarg,{ets,lookup,2},id}
%% expect: {badarg,{ets,lookup,2},type}
%% expect: 691.4686750787736
%% expect: 1.566799236972411
%% expect: -41.588830833596724
main() ->
    top(fun() -> lists:sort(x) end),
    top(fun() -> lists:usort(x) end),
    top(fun() -> lists:keysort(1, x) end),
    top(fun() -> lists:umerge(x, []) end),
    top(fun() -> lists:keyfind(a, 1 bsl 70, [{a}]) end),
    top(fun() -> maps:fold(fun(_, _, A) -> A end, 0, x) end),
    top(fun() -> maps:map(fun(_, V) -> V end, x) end),
    top(fun() -> maps:foreach(fun(_, V) -> V end, [a | b]) end),
    top(fun() -> maps:to_list({1, 2, 3}) end),
    top(fun() -> maps:next(["ab", "cd"]) end),
    reason(fun() -> string:length(x) end),
    reason(fun() -> string:equal(x, "y") end),
    reason(fun() -> string:lexemes(x, "y") end),
    reason(fun() -> string:uppercase(x) end),
    reason(fun() -> string:find(x, "y") end),
    reason(fun() -> string:split(x, "y") end),
    reason(fun() -> string:tokens("a", x) end),
    top(fun() -> string:left("a", x) end),
    cause(fun() -> ets:lookup(no_table, a) end),
    cause(fun() -> ets:lookup("table", a) end),
    io:format("~p~n~p~n~p~n", [math:acosh(1.0e300), math:acosh(2.5), math:asinh(-576460752303423489)]).

top(F) ->
    try F() of
        X -> io:format("~p~n", [{ok, X}])
    catch
        error:Reason:Stack ->
            [{M, N, Args, _} | _] = Stack,
            io:format("~p~n", [{Reason, {M, N, arity(Args)}}])
    end.

arity(Args) when is_list(Args) -> length(Args);
arity(Arity) -> Arity.

reason(F) ->
    try F() of
        X -> io:format("~p~n", [{ok, X}])
    catch
        error:Reason -> io:format("~p~n", [Reason])
    end.

cause(F) ->
    try F()
    catch
        error:Reason:Stack ->
            [{M, N, Args, Info} | _] = Stack,
            {error_info, #{cause := Cause}} = lists:keyfind(error_info, 1, Info),
            io:format("~p~n", [{Reason, {M, N, length(Args)}, Cause}])
    end.
