%% `error/2,3`: arguments that are a list are shown, else the arity; options that are none count for nothing.
%% expect: 1 none: error x 2 false
%% expect: 2 none: error x 2 {error_info,#{cause => y}}
%% expect: 3 none: error x 2 false
%% expect: 4 none: error x 2 false
%% expect: 5 none: error x 2 {error_info,#{cause => z}}
%% expect: 1 [1]: error x [1] false
%% expect: 2 [1]: error x [1] {error_info,#{cause => y}}
%% expect: 3 [1]: error x [1] false
%% expect: 4 [1]: error x [1] false
%% expect: 5 [1]: error x [1] {error_info,#{cause => z}}
%% expect: 1 []: error x [] false
%% expect: 2 []: error x [] {error_info,#{cause => y}}
%% expect: 3 []: error x [] false
%% expect: 4 []: error x [] false
%% expect: 5 []: error x [] {error_info,#{cause => z}}
%% expect: 1 [1|2]: error x [1|2] false
%% expect: 2 [1|2]: error x [1|2] {error_info,#{cause => y}}
%% expect: 3 [1|2]: error x [1|2] false
%% expect: 4 [1|2]: error x [1|2] false
%% expect: 5 [1|2]: error x [1|2] {error_info,#{cause => z}}
%% expect: 1 foo: error x 2 false
%% expect: 2 foo: error x 2 {error_info,#{cause => y}}
%% expect: 3 foo: error x 2 false
%% expect: 4 foo: error x 2 false
%% expect: 5 foo: error x 2 {error_info,#{cause => z}}
-module(error_with_arguments_shows_what_is_a_list).
-export([main/0]).

main() ->
    [show(N, Args) || Args <- [none, [1], [], [1 | 2], foo], N <- [1, 2, 3, 4, 5]],
    ok.

show(N, Args) ->
    try f(N, Args)
    catch
        Class:Reason:Stack ->
            {_, f, Shown, Info} = hd(Stack),
            io:format("~w ~w: ~w ~w ~w ~w~n", [N, Args, Class, Reason, Shown, lists:keyfind(error_info, 1, Info)])
    end.

f(1, Args) -> error(x, Args);
f(2, Args) -> error(x, Args, [{error_info, #{cause => y}}]);
f(3, Args) -> error(x, Args, []);
f(4, Args) -> error(x, Args, [foo, {error_info, #{}}]);
f(5, Args) -> error(x, Args, [{error_info, #{}}, {error_info, #{cause => z}}]).
