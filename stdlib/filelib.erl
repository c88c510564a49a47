%% Looking for files: kinds, sizes, wildcards, whole trees.
-module(filelib).

-export([is_dir/1, is_file/1, is_regular/1, file_size/1, last_modified/1, ensure_dir/1, ensure_path/1, fold_files/5,
         wildcard/1, wildcard/2, safe_relative_path/2]).

-include("file.hrl").

type(Name) ->
    case file:read_file_info(Name) of
        {ok, #file_info{type = Type}} -> Type;
        _ -> none
    end.

is_dir(Name) -> type(Name) =:= directory.

is_regular(Name) -> type(Name) =:= regular.

is_file(Name) -> lists:member(type(Name), [regular, directory]).

file_size(Name) ->
    case file:read_file_info(Name) of
        {ok, #file_info{size = Size}} -> Size;
        _ -> 0
    end.

last_modified(Name) ->
    case file:read_file_info(Name) of
        {ok, #file_info{mtime = Time}} -> Time;
        _ -> 0
    end.

%% All the folders a file name needs.
ensure_dir(Name) -> ensure_path(filename:dirname(Name)).

ensure_path(Dir) ->
    case Dir =:= "/" orelse is_dir(Dir) of
        true -> ok;
        false ->
            case filename:dirname(Dir) of
                Dir -> {error, einval};
                Parent ->
                    case ensure_path(Parent) of
                        ok ->
                            case file:make_dir(Dir) of
                                {error, eexist} ->
                                    case is_dir(Dir) of
                                        true -> ok;
                                        false -> {error, eexist}
                                    end;
                                Result -> Result
                            end;
                        Error -> Error
                    end
            end
    end.

%% F(File, Acc) over the files of a folder whose names match the regular expression.
fold_files(Dir, RegExp, Recursive, F, Acc) ->
    {ok, Compiled} = re:compile(RegExp, [unicode]),
    fold_1(Dir, Compiled, Recursive, F, Acc).

fold_1(Dir, RegExp, Recursive, F, Acc) ->
    case file:list_dir(Dir) of
        {ok, Names} ->
            lists:foldl(fun(Name, A) ->
                                Full = filename:join(Dir, Name),
                                case is_regular(Full) of
                                    true ->
                                        case re:run(Name, RegExp, [{capture, none}]) of
                                            match -> F(Full, A);
                                            nomatch -> A
                                        end;
                                    false when Recursive -> fold_1(Full, RegExp, true, F, A);
                                    false -> A
                                end
                        end, Acc, lists:sort(Names));
        _ -> Acc
    end.

safe_relative_path(Path, _Cwd) -> filename:safe_relative_path(Path).

%%% Wildcards: `?`, `*`, `[a-z]`, `{one,two}` in a part of the name, `**` for any number of folders

wildcard(Pattern) -> wildcard(Pattern, ".").

-spec wildcard(file:filename(), file:name()) -> [file:filename()].
wildcard(Pattern, Cwd) when is_list(Pattern) ->
    Found = lists:flatmap(fun(Alternative) -> search(Alternative, Cwd) end, alternatives(filename:flatten(Pattern))),
    lists:usort(Found).

search(Pattern, Cwd) ->
    case filename:split(Pattern) of
        ["/" | Parts] -> match_parts(Parts, "/", "/");
        Parts -> match_parts(Parts, Cwd, "")
    end.

%% Dir is where to look, Shown how it is called in the result.
match_parts([], _, Shown) -> [Shown];
match_parts(["**"], Dir, Shown) -> match_parts(["**", "*"], Dir, Shown);
match_parts(["**" | Parts], Dir, Shown) ->
    Here = match_parts(Parts, Dir, Shown),
    Inner = [match_parts(["**" | Parts], filename:join(Dir, Name), shown(Shown, Name)) ||
                Name <- names(Dir), hd(Name) =/= $., is_dir(filename:join(Dir, Name))],
    Here ++ lists:append(Inner);
match_parts([Part | Parts], Dir, Shown) ->
    case lists:any(fun(C) -> lists:member(C, "*?[\\") end, Part) of
        true ->
            Match = compile(Part),
            Names = [Name || Name <- names(Dir), matches(Match, Name), hd(Name) =/= $. orelse hd(Part) =:= $.],
            lists:flatmap(fun(Name) -> deeper(Parts, Dir, Shown, Name) end, Names);
        false -> deeper(Parts, Dir, Shown, Part)
    end.

deeper([], Dir, Shown, Name) ->
    case file:read_link_info(filename:join(Dir, Name)) of
        {ok, _} -> [shown(Shown, Name)];
        _ -> []
    end;
deeper(Parts, Dir, Shown, Name) ->
    Full = filename:join(Dir, Name),
    case is_dir(Full) of
        true -> match_parts(Parts, Full, shown(Shown, Name));
        false -> []
    end.

shown("", Name) -> Name;
shown(Dir, Name) -> filename:join(Dir, Name).

names(Dir) ->
    case file:list_dir(Dir) of
        {ok, Names} -> lists:sort(Names);
        _ -> []
    end.

%% The braces of a pattern multiplied out.
alternatives(Pattern) ->
    case split_braces(Pattern, []) of
        none -> [Pattern];
        {Before, Choices, After} -> lists:flatmap(fun(Choice) -> alternatives(Before ++ Choice ++ After) end, Choices)
    end.

split_braces([$\\, C | Rest], Before) -> split_braces(Rest, [C, $\\ | Before]);
split_braces([${ | Rest], Before) ->
    case lists:splitwith(fun(C) -> C =/= $} end, Rest) of
        {Inside, [$} | After]} -> {lists:reverse(Before), string:split(Inside, ",", all), After};
        _ -> none
    end;
split_braces([C | Rest], Before) -> split_braces(Rest, [C | Before]);
split_braces([], _) -> none.

compile([$* | Rest]) -> [any | compile(Rest)];
compile([$? | Rest]) -> [one | compile(Rest)];
compile([$\\, C | Rest]) -> [C | compile(Rest)];
compile([$[ | Rest]) ->
    case lists:splitwith(fun(C) -> C =/= $] end, Rest) of
        {[_ | _] = Set, [$] | After]} -> [{set, ranges(Set)} | compile(After)];
        _ -> [$[ | compile(Rest)]
    end;
compile([C | Rest]) -> [C | compile(Rest)];
compile([]) -> [].

ranges([From, $-, To | Rest]) -> [{From, To} | ranges(Rest)];
ranges([C | Rest]) -> [{C, C} | ranges(Rest)];
ranges([]) -> [].

matches([any], _) -> true;
matches([any | Match], Name) -> matches(Match, Name) orelse (Name =/= [] andalso matches([any | Match], tl(Name)));
matches([one | Match], [_ | Name]) -> matches(Match, Name);
matches([{set, Ranges} | Match], [C | Name]) ->
    lists:any(fun({From, To}) -> C >= From andalso C =< To end, Ranges) andalso matches(Match, Name);
matches([C | Match], [C | Name]) -> matches(Match, Name);
matches([], []) -> true;
matches(_, _) -> false.
