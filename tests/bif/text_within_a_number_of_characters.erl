%% What looks like text is shown as text as far as the number of characters allows, and what is in a list besides is not looked into.
-module(text_within_a_number_of_characters).

-export([main/0]).

main() ->
    [io:format("~ts~n", [io_lib_pretty:print(Term, [{chars_limit, Limit}, {encoding, Encoding}])]
              ) || {Term, Limit} <- [{"12345678", 10}, {"123456789", 10}, {"12345678" ++ [x], 10}, {"123456789" ++ [x], 10}, {"1" ++ [x], 10},
                                     {["a", "b", "c", "d"], 12}, {[1024, 1025, 1026, 1027], 5}, {[65, [66, [67, [68]]]], 8}, {[65 | b], 8}],
                   Encoding <- [latin1, unicode]],
    Deep = fun F(0) -> 0; F(N) -> [N, F(N - 1)] end,
    Text = lists:flatten(io_lib_pretty:print(Deep(200), [{chars_limit, 500}])),
    io:format("~p~n", [lists:sublist(lists:filter(fun(C) -> C > $\s end, Text), 20)]).

%% expect: "12345678"
%% expect: "12345678"
%% expect: "12345678"...
%% expect: "12345678"...
%% expect: "12345678"...
%% expect: [49,50|...]
%% expect: "12345678"...
%% expect: "12345678"...
%% expect: [49,x]
%% expect: [49,x]
%% expect: ["a",[...]|...]
%% expect: ["a",[...]|...]
%% expect: [...]
%% expect: [...]
%% expect: [65,"B"...]
%% expect: [65,"B"...]
%% expect: [65|b]
%% expect: [65|b]
%% expect: "[200,[199,[198,[197,"
