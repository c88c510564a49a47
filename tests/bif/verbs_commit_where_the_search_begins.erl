%% Whether a search passes over places where no match can begin shows with `(*COMMIT)`: it does so for one letter only.
-module(verbs_commit_where_the_search_begins).

-export([main/0]).

main() ->
    [io:format("~s ~p~n", [Pattern, re:run("DEFGABC", Pattern)])
     || Pattern <- ["(*COMMIT)(A|P)(B|P)(C|P)", "(*COMMIT)ABC", "(*COMMIT)[AP]BC", "(*COMMIT)[A]BC", "(?:(*COMMIT)A|P)BC", "(*COMMIT)A?BC",
                    "(*COMMIT)(A)BC", "(A|P)(*COMMIT)BC", "(*COMMIT)(?i)abc", "(*PRUNE)(A|P)BC"]],
    io:format("~p~n", [re:run("DEF\nABC", "(*COMMIT)^ABC", [multiline])]),
    io:format("~p~n", [re:run("DEF\nABC", "^ABC", [multiline])]).

%% expect: (*COMMIT)(A|P)(B|P)(C|P) nomatch
%% expect: (*COMMIT)ABC {match,[{4,3}]}
%% expect: (*COMMIT)[AP]BC nomatch
%% expect: (*COMMIT)[A]BC {match,[{4,3}]}
%% expect: (?:(*COMMIT)A|P)BC nomatch
%% expect: (*COMMIT)A?BC nomatch
%% expect: (*COMMIT)(A)BC {match,[{4,3},{4,1}]}
%% expect: (A|P)(*COMMIT)BC {match,[{4,3},{4,1}]}
%% expect: (*COMMIT)(?i)abc {match,[{4,3}]}
%% expect: (*PRUNE)(A|P)BC {match,[{4,3},{4,1}]}
%% expect: nomatch
%% expect: {match,[{4,3}]}
