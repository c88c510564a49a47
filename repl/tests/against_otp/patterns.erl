%% Random regular expressions, on two systems: `patterns:main([Out, Seed, Count])` writes what comes of each.
-module(patterns).
-export([main/1]).

main([Out, Seed, Count]) ->
    ok = file:write_file(Out, unicode:characters_to_binary([one(I) || I <- lists:seq(1, list_to_integer(Count)), put_chance(Seed, I)])).

%% Chance that is the same everywhere.
put_chance(Seed, I) ->
    put(chance, erlang:phash2({Seed, I})),
    true.

below(N) ->
    Next = (get(chance) * 1103515245 + 12345) band 16#7fffffff,
    put(chance, Next),
    (Next bsr 8) rem N.

of_list(List) -> lists:nth(below(length(List)) + 1, List).

one(I) ->
    Pattern = lists:flatten(alternatives(3)),
    Subject = [of_list("aabbcc01 _-\nAx.") || _ <- lists:seq(1, below(14))],
    Options = lists:usort([of_list([caseless, multiline, dotall, extended, ungreedy, anchored, dollar_endonly, firstline, no_auto_capture])
                           || _ <- lists:seq(1, below(3))]),
    Capture = of_list([[], [global], [{capture, all, list}], [{capture, first, binary}], [{offset, min(2, length(Subject))}], [notbol], [notempty]]),
    Result =
        try re:run(Subject, Pattern, Options ++ Capture)
        catch error:badarg -> refused(Pattern, Options)
        end,
    io_lib:format("~w ~0p ~0p ~0p -> ~0p~n", [I, Pattern, Subject, Options ++ Capture, Result]).

refused(Pattern, Options) ->
    try re:compile(Pattern, Options) of
        {ok, _} -> badarg;
        Error -> Error
    catch
        error:badarg -> badarg
    end.

alternatives(Depth) -> lists:join("|", [sequence(Depth) || _ <- lists:seq(0, below(5) div 3)]).

sequence(Depth) -> [item(Depth) || _ <- lists:seq(0, below(4))].

item(Depth) ->
    case below(40) of
        0 -> of_list(["(?i)", "\\1", "(?s-i)", "\\g{-1}", "(?1)", "[b-a]", "(?R)", "x{99999}", "\\p{Lu}"]);
        _ -> [atom(Depth), of_list(["", "", "", "", "*", "+", "?", "{2}", "{1,3}", "{,2}", "{2,}", "*?", "+?", "++", "?+"])]
    end.

atom(0) -> simple();
atom(Depth) ->
    case below(8) of
        0 -> ["(", alternatives(Depth - 1), ")"];
        1 -> ["(?:", alternatives(Depth - 1), ")"];
        2 -> [of_list(["(?=", "(?!", "(?>", "(?i:", "(?s-i:", "(?>", "(?:", "(?<n>"]), sequence(Depth - 1), ")"];
        3 -> [of_list(["(?<!", "(?<="]), of_list(["a", "bc", "\\d\\w", "a|bc", "^"]), ")"];
        _ -> simple()
    end.

simple() ->
    of_list(["a", "b", "c", "ab", "x", "0", ".", "\\d", "\\w", "\\s", "\\W", "\\b", "\\B", "^", "$", "\\A", "\\z", "\\Z", "[abc]", "[^a]", "[a-c0]",
             "[[:alpha:]]", "[\\d_-]", "\\x61", "\\Qa.\\E", "\\R", "\\h", "\\N", "\\K", "[]a]", "\\.", " ", "-"]).
