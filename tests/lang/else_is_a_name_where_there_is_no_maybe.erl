%% Programs older than `maybe` call macros and atoms `else`; where no `maybe` is, the word is one.
-module(else_is_a_name_where_there_is_no_maybe).
-export([main/0]).

-define(else, true).
-ifdef(else).
-define(defined, yes).
-else.
-define(defined, no).
-endif.

main() ->
%% expect: [small,large]
    show([how_large(1), how_large(100)]),
%% expect: {yes,[[101,108,115,101]],true}
    show({?defined, [atom_to_list(Word) || Word <- [else]], #{else => x} =:= #{'else' => x}}),
%% expect: {1,other}
    show({kind(else), kind(x)}).

how_large(X) ->
    if
        X < 10 -> small;
        ?else -> large
    end.

kind(else) -> 1;
kind(_) -> other.

show(X) -> io:format("~w~n", [X]).
