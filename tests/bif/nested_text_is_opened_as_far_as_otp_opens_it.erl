%% What follows the first character of nested lists: up to three characters are taken out of theirs, and nothing is left of what was empty.
-module(nested_text_is_opened_as_far_as_otp_opens_it).
-export([main/0]).

main() ->
    Bad = <<192, 192>>,
    Texts = [["abc", Bad], [["abcde", "fg"], [], [<<"h">>]], ["12", []], [$a, [[]], <<>>], [[$\r], [[$\n], "x"]], [[], [[$e], [16#301]], "z"],
             [[$a, <<"b">>], "c"], [<<"ab">>, <<"c">>], [[[$1]], [[$2]], [[$3]], [[$4]], [[$5]]], [16#1F600, [$a]], [$\r, ["a"]]],
    [show(fun unicode_util:F/1, Text) || F <- [cp, gc], Text <- Texts],
    [show(fun(S) -> string:slice(S, N) end, Text) || N <- [1, 2], Text <- Texts],
    [show(fun unicode_util:F/1, Text) || F <- [uppercase, titlecase, casefold, nfc], Text <- [Bad, ["a", Bad], ["", Bad, "a"], [Bad]]],
    [show(fun string:F/1, Text) || F <- [to_integer, to_float], Text <- [["12", []], [$1, [$2, []], "x"], ["2.5", [[]]], [[$2], ".5", [[]], "e"]]],
    [show(fun string:titlecase/1, Text) || Text <- [["a", Bad], [["ab"], "c"], [[], <<"ab">>]]],
    %% The character behind is looked at.
    [show(fun(S) -> string:slice(S, 0, N) end, "ab" ++ [x]) || N <- [1, 2]].

show(F, Text) ->
    io:format("~w~n", [try F(Text) catch error:Reason -> {error, Reason} end]).

%% expect: [97,98,99|<<192,192>>]
%% expect: [97,98,99,100,[101],[[102,103]],[],[<<104>>]]
%% expect: [49,50]
%% expect: [97,[[]],<<>>]
%% expect: [13,10,120]
%% expect: [101,769,122]
%% expect: [97,<<98>>,[99]]
%% expect: [97,<<98>>,<<99>>]
%% expect: [49,50,51,52,[[53]]]
%% expect: [128512,[97]]
%% expect: [13,[[97]]]
%% expect: [97,98,99|<<192,192>>]
%% expect: [97,98,99,100,[101],[[102,103]],[],[<<104>>]]
%% expect: [49,50]
%% expect: [97,[[]],<<>>]
%% expect: [[13,10],120]
%% expect: [[101,769],122]
%% expect: [97,<<98>>,[99]]
%% expect: [97,<<98>>,<<99>>]
%% expect: [49,50,51,52,[[53]]]
%% expect: [128512,[97]]
%% expect: [13,97]
%% expect: [98,99|<<192,192>>]
%% expect: [98,99,100,[101],[[102,103]],[],[<<104>>]]
%% expect: [50]
%% expect: [[[]],<<>>]
%% expect: [120]
%% expect: [122]
%% expect: [<<98>>,[99]]
%% expect: [<<98>>,<<99>>]
%% expect: [50,51,52,[[53]]]
%% expect: [[97]]
%% expect: [97]
%% expect: [99|<<192,192>>]
%% expect: [99,100,[101],[[102,103]],[],[<<104>>]]
%% expect: []
%% expect: []
%% expect: []
%% expect: []
%% expect: [<<>>,[99]]
%% expect: [<<>>,<<99>>]
%% expect: [51,52,[[53]]]
%% expect: []
%% expect: []
%% expect: {error,{badarg,<<192,192>>}}
%% expect: [65|<<192,192>>]
%% expect: {error,{badarg,[<<192,192>>,[97]]}}
%% expect: {error,{badarg,<<192,192>>}}
%% expect: {error,{badarg,<<192,192>>}}
%% expect: [65|<<192,192>>]
%% expect: {error,{badarg,[<<192,192>>,[97]]}}
%% expect: {error,{badarg,<<192,192>>}}
%% expect: {error,{badarg,<<192,192>>}}
%% expect: [97|<<192,192>>]
%% expect: {error,{badarg,[<<192,192>>,[97]]}}
%% expect: {error,{badarg,<<192,192>>}}
%% expect: {error,<<192,192>>}
%% expect: [97|<<192,192>>]
%% expect: {error,[<<192,192>>,[97]]}
%% expect: {error,<<192,192>>}
%% expect: {12,[]}
%% expect: {12,[120]}
%% expect: {2,[46,53]}
%% expect: {2,[46,53,101]}
%% expect: {error,no_float}
%% expect: {error,no_float}
%% expect: {2.5,[]}
%% expect: {2.5,[101]}
%% expect: [65,<<192,192>>]
%% expect: [65,98,99]
%% expect: [65,<<98>>]
%% expect: [97]
%% expect: {error,function_clause}
