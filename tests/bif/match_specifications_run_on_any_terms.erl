%% ets:match_spec_run/2 takes terms of any kind; many of them take time in proportion to their number.
-module(match_specifications_run_on_any_terms).
-export([main/0]).

main() ->
    Spec = ets:match_spec_compile([{{'$1', '$2'}, [{'>', '$1', 1}], [{{'$2', '$1'}}]}, {'$3', [{is_integer, '$3'}], [[int, '$3']]}]),
    show(ets:match_spec_run([{1, a}, {2, b}, 7, foo, {3, c, d}, [x], {9, "s"}], Spec)),
    show(ets:match_spec_run([], Spec)),
    show(length(ets:match_spec_run(lists:seq(1, 100000), Spec))),
    show(try ets:match_spec_run([1 | 2], Spec) catch error:badarg -> badarg end),
    show(try ets:match_spec_compile([{'$1', [], []}]) catch error:badarg -> badarg end),
    show(try ets:match_spec_compile(nothing) catch error:badarg -> badarg end),
    show([ets:test_ms({2, b}, [{{'$1', '$2'}, [], ['$2']}]), ets:test_ms({2, b}, [{{'$1'}, [], ['$1']}])]).

show(X) -> io:format("~p~n", [X]).

%% expect: [{b,2},[int,7],{"s",9}]
%% expect: []
%% expect: 100000
%% expect: badarg
%% expect: badarg
%% expect: badarg
%% expect: [{ok,b},{ok,false}]
