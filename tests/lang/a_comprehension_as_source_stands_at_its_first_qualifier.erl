%% The line that a bad generator is shown with, if its source is a comprehension over several lines: that of the first qualifier of
%% a list comprehension, of a generator its arrow's; a bitstring comprehension stands where it begins. (OTP 25.)
%% expect: {[1],[26]}
%% expect: {[1],[37]}
%% expect: {<<1>>,[46]}
%% expect: {[1],[62]}
-module(a_comprehension_as_source_stands_at_its_first_qualifier).
-export([main/0]).

main() ->
    [io:format("~w~n", [outcome(F)]) || F <- [fun arrow/0, fun filter/0, fun bits/0, fun block/0]].

outcome(F) ->
    try F()
    catch error:{bad_generator, Value}:Stack -> {Value, [proplists:get_value(line, Info) || {_, _, _, Info} <- lists:sublist(Stack, 1)]}
    end.

id(X) -> X.

arrow() ->
    R = [Y || <<Y>> <=
        [
         1
         ||
         _
         <-
         id([b])
        ]
    ],
    {R}.

filter() ->
    R = << <<Y>> || <<Y>> <=
        [
         1
         ||
         id(true)
         ,
         _ <- id([b])
        ]
    >>,
    {R}.

bits() ->
    R = [Y || Y <-
        <<
         <<1>>
         ||
         _ <- id([b])
        >>
    ],
    {R}.

block() ->
    R = [Y || <<Y>> <=
        begin
            id(1),
            [
             1
             ||
             _
             <-
             id([b]),
             <<_>>
             <=
             <<2>>
            ]
        end
    ],
    {R}.
