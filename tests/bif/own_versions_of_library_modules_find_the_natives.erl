%% Functions that OTP has as natives: a module of the program's own may leave their bodies to the runtime.
-module(own_versions_of_library_modules_find_the_natives).
-export([main/0]).

main() ->
    io:format("~w~n", [io:printable_range()]),
    {ok, Compiled} = re:compile("b+"),
    io:format("~w ~w~n", [re:run("abbc", Compiled), re:run(<<"xyz">>, "b+")]),
    io:format("~w~n", [is_binary(re:version())]),
    Texts = [<<"a,b,,c,">>, <<",">>, <<>>, <<"abc">>, <<",,a">>],
    Options = [[], [global], [global, trim], [global, trim_all], [trim], [trim_all], [trim_all, trim, global], [global, {scope, {1, 1}}], [{scope, {0, 0}}]],
    [show(Text, Of) || Text <- Texts, Of <- Options],
    io:format("~w ~w~n", [binary:split(<<"a-b-c">>, <<"-">>), binary:split(<<"a<b>c">>, [<<"<">>, <<">">>], [global])]),
    [reason(fun() -> binary:split(Text, Pattern, Of) end)
     || {Text, Pattern, Of} <- [{a, <<",">>, []}, {<<"a">>, <<>>, []}, {<<"a">>, <<",">>, [x]}, {<<"a">>, <<",">>, x}, {<<"a">>, <<",">>, [{scope, {0, 2}}]},
                                {<<1:3>>, <<",">>, []}, {<<"a">>, [], [global]}]],
    reason(fun() -> binary:split(a, <<",">>) end),
    reason(fun() -> re:run("a", "(") end),
    reason(fun() -> re:compile(x) end).

show(Text, Options) ->
    io:format("~p ~w: ~p~n", [Text, Options, try binary:split(Text, <<",">>, Options) catch error:Reason -> Reason end]).

reason(F) ->
    try F() of
        Value -> io:format("~w~n", [Value])
    catch
        error:Reason:Trace ->
            {M, N, Args, Info} = hd(Trace),
            io:format("~w ~w:~w ~w ~w~n", [Reason, M, N, length(Args), proplists:get_value(error_info, Info)])
    end.

%% expect: latin1
%% expect: {match,[{1,2}]} nomatch
%% expect: true
%% expect: <<"a,b,,c,">> []: [<<"a">>,<<"b,,c,">>]
%% expect: <<"a,b,,c,">> [global]: [<<"a">>,<<"b">>,<<>>,<<"c">>,<<>>]
%% expect: <<"a,b,,c,">> [global,trim]: [<<"a">>,<<"b">>,<<>>,<<"c">>]
%% expect: <<"a,b,,c,">> [global,trim_all]: [<<"a">>,<<"b">>,<<"c">>]
%% expect: <<"a,b,,c,">> [trim]: [<<"a">>,<<"b,,c,">>]
%% expect: <<"a,b,,c,">> [trim_all]: [<<"a">>,<<"b,,c,">>]
%% expect: <<"a,b,,c,">> [trim_all,trim,global]: [<<"a">>,<<"b">>,<<"c">>]
%% expect: <<"a,b,,c,">> [global,{scope,{1,1}}]: [<<"a">>,<<"b,,c,">>]
%% expect: <<"a,b,,c,">> [{scope,{0,0}}]: [<<"a,b,,c,">>]
%% expect: <<",">> []: [<<>>,<<>>]
%% expect: <<",">> [global]: [<<>>,<<>>]
%% expect: <<",">> [global,trim]: []
%% expect: <<",">> [global,trim_all]: []
%% expect: <<",">> [trim]: []
%% expect: <<",">> [trim_all]: []
%% expect: <<",">> [trim_all,trim,global]: []
%% expect: <<",">> [global,{scope,{1,1}}]: badarg
%% expect: <<",">> [{scope,{0,0}}]: [<<",">>]
%% expect: <<>> []: [<<>>]
%% expect: <<>> [global]: [<<>>]
%% expect: <<>> [global,trim]: []
%% expect: <<>> [global,trim_all]: []
%% expect: <<>> [trim]: []
%% expect: <<>> [trim_all]: []
%% expect: <<>> [trim_all,trim,global]: []
%% expect: <<>> [global,{scope,{1,1}}]: badarg
%% expect: <<>> [{scope,{0,0}}]: [<<>>]
%% expect: <<"abc">> []: [<<"abc">>]
%% expect: <<"abc">> [global]: [<<"abc">>]
%% expect: <<"abc">> [global,trim]: [<<"abc">>]
%% expect: <<"abc">> [global,trim_all]: [<<"abc">>]
%% expect: <<"abc">> [trim]: [<<"abc">>]
%% expect: <<"abc">> [trim_all]: [<<"abc">>]
%% expect: <<"abc">> [trim_all,trim,global]: [<<"abc">>]
%% expect: <<"abc">> [global,{scope,{1,1}}]: [<<"abc">>]
%% expect: <<"abc">> [{scope,{0,0}}]: [<<"abc">>]
%% expect: <<",,a">> []: [<<>>,<<",a">>]
%% expect: <<",,a">> [global]: [<<>>,<<>>,<<"a">>]
%% expect: <<",,a">> [global,trim]: [<<>>,<<>>,<<"a">>]
%% expect: <<",,a">> [global,trim_all]: [<<"a">>]
%% expect: <<",,a">> [trim]: [<<>>,<<",a">>]
%% expect: <<",,a">> [trim_all]: [<<",a">>]
%% expect: <<",,a">> [trim_all,trim,global]: [<<"a">>]
%% expect: <<",,a">> [global,{scope,{1,1}}]: [<<",">>,<<"a">>]
%% expect: <<",,a">> [{scope,{0,0}}]: [<<",,a">>]
%% expect: [<<97>>,<<98,45,99>>] [<<97>>,<<98>>,<<99>>]
%% expect: badarg binary:split 3 #{module => erl_stdlib_errors}
%% expect: badarg binary:split 3 #{module => erl_stdlib_errors}
%% expect: badarg binary:split 3 #{module => erl_stdlib_errors}
%% expect: badarg binary:split 3 #{module => erl_stdlib_errors}
%% expect: badarg binary:split 3 #{module => erl_stdlib_errors}
%% expect: badarg binary:split 3 #{module => erl_stdlib_errors}
%% expect: badarg binary:split 3 #{module => erl_stdlib_errors}
%% expect: badarg binary:split 2 #{module => erl_stdlib_errors}
%% expect: badarg re:run 2 #{module => erl_stdlib_errors}
%% expect: badarg re:compile 1 #{module => erl_stdlib_errors}
