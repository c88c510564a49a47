%% What is left where a conversion fails, in encodings that OTP converts part by part.
-module(unicode_rests).
-export([main/0]).

main() ->
    Odd = [<<0, 97, 0>>, [[<<98>>, 300], <<216, 0>>]],
    Ways = [{utf16, utf8}, {{utf16, little}, latin1}, {latin1, utf16}, {unicode, {utf32, little}}],
    [show(Data, In, Out) || Data <- [[5, -1, 6], [[[16#D800, 1], 2], 3], [1, [<<"ab", 255>>, 3], 4], [[<<97, 195>>]], Odd],
                            {In, Out} <- Ways],
    %% A character may begin in one binary and end in the next.
    [show(Data, utf32, utf8) || Data <- [[<<0, 0>>, [<<0>>, []] | <<97>>], [<<0, 0>>, 97], [<<0, 0>> | <<1>>], <<97, 0, 255>>, <<0, 17, 0>>]],
    %% Binaries are taken in pieces.
    Long = <<(binary:copy(<<0, 97>>, 5000))/binary, 216, 0, 0>>,
    {error, Done, Rest} = unicode:characters_to_binary([Long, x], utf16, latin1),
    io:format("~w ~w~n", [byte_size(Done), Rest]),
    {error, List, Left} = unicode:characters_to_list([<<97, 0>>, 16#110000, <<98>>], {utf16, little}),
    io:format("~w ~w~n", [List, Left]),
    [io:format("~w~n", [catch_reason(fun() -> unicode:characters_to_list(Data, utf16) end)]) || Data <- [[5 | a], [16#D800, a]]].

show(Data, In, Out) ->
    io:format("~w~n", [catch_reason(fun() -> unicode:characters_to_binary(Data, In, Out) end)]).

catch_reason(F) ->
    try F()
    catch
        error:Reason:Trace ->
            {M, N, Args, Info} = hd(Trace),
            {Reason, M, N, length(Args), proplists:get_value(error_info, Info)}
    end.

%% expect: {error,<<5>>,[[-1],6]}
%% expect: {badarg,unicode,characters_to_binary,3,#{module => erl_stdlib_errors}}
%% expect: {error,<<0,5>>,[[-1],6]}
%% expect: {error,<<5,0,0,0>>,[[-1],6]}
%% expect: {error,<<>>,[[[[55296],1],2],3]}
%% expect: {error,<<>>,[[[[55296],1],2],3]}
%% expect: {error,<<>>,[[[[55296],1],2],3]}
%% expect: {error,<<>>,[[[[55296],1],2],3]}
%% expect: {error,<<1,230,133,162>>,[[<<255>>,3],4]}
%% expect: {error,<<1>>,[[<<97,98,255>>,3],4]}
%% expect: <<0,1,0,97,0,98,0,255,0,3,0,4>>
%% expect: {error,<<1,0,0,0,97,0,0,0,98,0,0,0>>,[[<<255>>,3],4]}
%% expect: <<230,135,131>>
%% expect: {error,<<>>,[[<<97,195>>]]}
%% expect: <<0,97,0,195>>
%% expect: {incomplete,<<97,0,0,0>>,<<195>>}
%% expect: {incomplete,<<97,98,196,172>>,<<216,0>>}
%% expect: {error,<<>>,[<<0,97,0>>,[[<<98>>,300],<<216,0>>]]}
%% expect: {error,<<0,0,0,97,0,0,0,98>>,[[[[300]],<<216,0>>]]}
%% expect: {error,<<0,0,0,0,97,0,0,0,0,0,0,0,98,0,0,0,44,1,0,0>>,[[<<216,0>>]]}
%% expect: <<97>>
%% expect: {error,<<>>,[<<0,0>>,97]}
%% expect: {incomplete,<<>>,<<0,0,1>>}
%% expect: {error,<<>>,<<97,0,255>>}
%% expect: {error,<<>>,<<0,17,0>>}
%% expect: 5000 [<<216,0,0>>,x]
%% expect: [97] [[1114112],<<98>>]
%% expect: {badarg,unicode,characters_to_list,2,#{module => erl_stdlib_errors}}
%% expect: {error,[],[[55296],a]}
