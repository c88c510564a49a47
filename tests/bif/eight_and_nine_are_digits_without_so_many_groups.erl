%% `\8` and `\9` refer to groups that have begun before, and are digits otherwise; smaller numbers refer always.
-module(eight_and_nine_are_digits_without_so_many_groups).

-export([main/0]).

main() ->
    [io:format("~s ~p~n", [Pattern, try re:run(Text, Pattern) catch error:Reason -> Reason end])
     || {Text, Pattern} <- [{"A8B9C", "^A\\8B\\9C$"}, {"A8B9C", "^A\\8B\\9C()()()()()()()()()$"}, {"8", "\\8"}, {"9", "\\9"}, {"88", "(.)\\8"},
                            {"x81y", "x\\81y"}, {"7", "\\7"}, {"a", "(a)\\2"}, {"8", "[\\8]"}, {"89", "\\89"}, {"90", "\\90"},
                            {"abcdefghh", "(.)(.)(.)(.)(.)(.)(.)(.)\\8"}, {"abcdefghi9", "(.)(.)(.)(.)(.)(.)(.)(.)i\\9"}]].

%% expect: ^A\8B\9C$ {match,[{0,5}]}
%% expect: ^A\8B\9C()()()()()()()()()$ {match,[{0,5},
%% expect:                                     {5,0},
%% expect:                                     {5,0},
%% expect:                                     {5,0},
%% expect:                                     {5,0},
%% expect:                                     {5,0},
%% expect:                                     {5,0},
%% expect:                                     {5,0},
%% expect:                                     {5,0},
%% expect:                                     {5,0}]}
%% expect: \8 {match,[{0,1}]}
%% expect: \9 {match,[{0,1}]}
%% expect: (.)\8 {match,[{0,2},{0,1}]}
%% expect: x\81y {match,[{0,4}]}
%% expect: \7 badarg
%% expect: (a)\2 badarg
%% expect: [\8] {match,[{0,1}]}
%% expect: \89 {match,[{0,2}]}
%% expect: \90 {match,[{0,2}]}
%% expect: (.)(.)(.)(.)(.)(.)(.)(.)\8 {match,[{0,9},
%% expect:                                    {0,1},
%% expect:                                    {1,1},
%% expect:                                    {2,1},
%% expect:                                    {3,1},
%% expect:                                    {4,1},
%% expect:                                    {5,1},
%% expect:                                    {6,1},
%% expect:                                    {7,1}]}
%% expect: (.)(.)(.)(.)(.)(.)(.)(.)i\9 {match,[{0,10},
%% expect:                                     {0,1},
%% expect:                                     {1,1},
%% expect:                                     {2,1},
%% expect:                                     {3,1},
%% expect:                                     {4,1},
%% expect:                                     {5,1},
%% expect:                                     {6,1},
%% expect:                                     {7,1}]}
