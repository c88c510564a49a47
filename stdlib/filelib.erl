%% Looking for files: kinds, sizes, wildcards, whole trees.
-module(filelib).

-export([is_dir/1, is_file/1, is_regular/1, file_size/1, last_modified/1, ensure_dir/1, ensure_path/1, fold_files/5,
         wildcard/1, wildcard/2, find_file/2, find_file/3, find_source/1, find_source/2, find_source/3, safe_relative_path/2]).

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
    case filename:flatten(Dir) =:= "/" orelse is_dir(Dir) of
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
                        {error, eexist} -> {error, enotdir};
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

%% As filename:safe_relative_path/1, with the links there are below Cwd: none may lead out of it, or round in circles.
-spec safe_relative_path(file:name_all(), file:name_all()) -> unsafe | file:name_all().
safe_relative_path(Path, Cwd) ->
    case filename:pathtype(Path) of
        relative -> followed(filename:split(Path), Cwd, [], []);
        _ -> unsafe
    end.

followed([], _, _, Safe) -> Safe;
followed([Part | Parts], Cwd, Links, Before) ->
    case filename:safe_relative_path(below(Before, Part)) of
        unsafe -> unsafe;
        Safe ->
            case file:read_link(below(Cwd, Safe)) of
                {ok, Link} ->
                    Follow = filename:pathtype(Link) =:= relative andalso not lists:member(Link, Links),
                    case Follow andalso followed(filename:split(Link), Cwd, [Link | Links], Before) of
                        Led when is_list(Led); is_binary(Led) -> followed(Parts, Cwd, [], Led);
                        _ -> unsafe
                    end;
                {error, _} -> followed(Parts, Cwd, Links, Safe)
            end
    end.

below(Dir, Name) when Dir =:= []; Dir =:= <<>> -> Name;
below(Dir, Name) -> filename:join(Dir, Name).

%%% Sources of objects

-type file_rule() :: {ObjectFolder :: string(), SourceFolder :: string()}.
-type source_rule() :: {ObjectExtension :: string(), SourceExtension :: string(), [file_rule()]}.

%% A file of that name where the rules say, of which those for folders have two parts, those for extensions three.
-spec find_file(file:filename(), file:filename()) -> {ok, file:filename()} | {error, not_found}.
find_file(Name, Dir) -> find_file(Name, Dir, []).

-spec find_file(file:filename(), file:filename(), [file_rule()]) -> {ok, file:filename()} | {error, not_found}.
find_file(Name, Dir, Rules) -> by_folder([Rule || {_, _} = Rule <- rules(Rules)], Name, Dir).

-spec find_source(file:filename()) -> {ok, file:filename()} | {error, not_found}.
find_source(Path) -> find_source(filename:basename(Path), filename:dirname(Path)).

-spec find_source(file:filename(), file:filename()) -> {ok, file:filename()} | {error, not_found}.
find_source(Name, Dir) -> find_source(Name, Dir, []).

-spec find_source(file:filename(), file:filename(), [source_rule()]) -> {ok, file:filename()} | {error, not_found}.
find_source(Name, Dir, Rules) ->
    Extension = filename:extension(Name),
    Root = filename:rootname(Name, Extension),
    by_extension([{Root ++ New, Folders} || {Old, New, Folders} <- rules(Rules), Old =:= Extension], Dir).

rules([]) ->
    case application:get_env(kernel, source_search_rules, []) of
        [] -> default_rules();
        Rules -> Rules
    end;
rules(Rules) -> Rules.

default_rules() ->
    Erl = [{"ebin", Folder} || Folder <- ["src", "esrc", filename:join("src", "*"), filename:join("esrc", "*")]],
    C = [{Objects, Sources} || Objects <- ["priv", "bin"], Sources <- ["c_src", "src"]] ++ [{"", "src"}],
    [{".beam", ".erl", Erl}, {".erl", ".yrl", []}, {"", ".src", Erl}, {".so", ".c", C}, {".o", ".c", C}, {"", ".c", C},
     {"", ".in", Erl ++ C}, {".beam", ".asn1", [{"ebin", "src"}, {"ebin", "asn1"}]}, {"", ""} | Erl].

%% The folder itself comes first.
by_extension([{Name, Folders} | Rest], Dir) ->
    case by_folder([{"", ""} | Folders -- [{"", ""}]], Name, Dir) of
        {ok, _} = Found -> Found;
        _ -> by_extension(Rest, Dir)
    end;
by_extension([], _) -> {error, not_found}.

by_folder([{From, To} | Rules], Name, Dir) ->
    Found =
        case lists:suffix(From, Dir) of
            true ->
                Path = filename:join(lists:sublist(Dir, length(Dir) - length(From)) ++ To, Name),
                [File || File <- [Path | wildcard(Path)], is_regular(File)];
            false -> []
        end,
    case Found of
        [First | _] -> {ok, First};
        [] -> by_folder(Rules, Name, Dir)
    end;
by_folder([], _, _) -> {error, not_found}.

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
    {Choices, After} = choices(Rest, [], []),
    {lists:reverse(Before), Choices, After};
split_braces([C | Rest], Before) -> split_braces(Rest, [C | Before]);
split_braces([], _) -> none.

%% What stands between commas, up to the closing brace. Part is reversed, Choices too.
choices([$\\, C | Rest], Part, Choices) -> choices(Rest, [C, $\\ | Part], Choices);
choices([$, | Rest], Part, Choices) -> choices(Rest, [], [lists:reverse(Part) | Choices]);
choices([$} | Rest], Part, Choices) -> {lists:reverse(Choices, [lists:reverse(Part)]), Rest};
choices([C | Rest], Part, Choices) -> choices(Rest, [C | Part], Choices);
choices([], _, _) -> error({badpattern, missing_delimiter}).

compile([$* | Rest]) -> [any | compile(Rest)];
compile([$? | Rest]) -> [one | compile(Rest)];
compile([$\\, C | Rest]) -> [C | compile(Rest)];
compile([$[ | Rest]) ->
    case set(Rest, []) of
        {Set, After} -> [{set, ranges(Set)} | compile(After)];
        none -> [$[ | compile(Rest)]
    end;
compile([C | Rest]) -> [C | compile(Rest)];
compile([]) -> [].

%% The characters up to the closing bracket, which right behind the opening one is one of them; `{exactly, C}` are those that a
%% backslash stands before.
set([$\\, C | Rest], Set) -> set(Rest, [{exactly, C} | Set]);
set([$] | Rest], [_ | _] = Set) -> {lists:reverse(Set), Rest};
set([C | Rest], Set) -> set(Rest, [C | Set]);
set([], _) -> none.

ranges([{exactly, C} | Rest]) -> [{C, C} | ranges(Rest)];
ranges([From, $-, To | Rest]) when is_integer(To) -> [{From, To} | ranges(Rest)];
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
