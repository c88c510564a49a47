%% File names: taken apart and put together. Slashes separate; nothing here looks at the file system, except that `absname/1` needs
%% the current directory.
%%
%% A name is a list (deep, and with atoms in it), an atom or a binary. The work is done on flat lists; if a binary was given the result is one.
-module(filename).

-export([absname/1, absname/2, absname_join/2, append/2, basename/1, basename/2, dirname/1, extension/1, flatten/1,
         join/1, join/2, nativename/1, pathtype/1, rootname/1, rootname/2, split/1, validate/1, safe_relative_path/1, basedir/2,
         basedir/3]).

-type name() :: string() | atom() | binary() | [term()].

%% Applies F to flat characters.
on_chars(F, Name) when is_binary(Name) -> binary(F(binary_to_list(Name)));
on_chars(F, Name) -> F(flatten(Name)).

binary(Chars) -> list_to_binary(Chars).

%% Deep lists and atoms as one flat list; binaries as they are.
-spec flatten(name()) -> string() | binary().
flatten(Name) when is_binary(Name) -> Name;
flatten(Name) -> do_flatten(Name, []).

do_flatten([C | Rest], Tail) when is_integer(C) -> [C | do_flatten(Rest, Tail)];
do_flatten([Deep | Rest], Tail) when is_list(Deep) -> do_flatten(Deep, do_flatten(Rest, Tail));
do_flatten([Atom | Rest], Tail) when is_atom(Atom) -> atom_to_list(Atom) ++ do_flatten(Rest, Tail);
do_flatten([], Tail) -> Tail;
do_flatten(Atom, Tail) when is_atom(Atom) -> atom_to_list(Atom) ++ Tail.

%%% Absolute names

absname(Name) ->
    {ok, Cwd} = file:get_cwd(),
    absname(Name, Cwd).

absname(Name, Dir) ->
    case pathtype(Name) of
        absolute -> join([flatten(Name)]);
        relative -> absname_join(Dir, Name)
    end.

absname_join(Dir, Name) -> join(Dir, flatten(Name)).

-spec pathtype(name()) -> absolute | relative.
pathtype(<<$/, _/binary>>) -> absolute;
pathtype(Name) when is_binary(Name) -> relative;
pathtype(Name) when is_list(Name); is_atom(Name) ->
    case flatten(Name) of
        [$/ | _] -> absolute;
        _ -> relative
    end.

%%% Joining and splitting

%% One slash between the parts, none at the end; an absolute part makes those before it void.
-spec join([name(), ...]) -> string() | binary().
join([Name]) when is_list(Name); is_atom(Name); is_binary(Name) -> on_chars(fun(Chars) -> squeezed(Chars) end, Name);
join([A, B | Names]) ->
    Joined = join(A, B),
    join([Joined | Names]).

-spec join(name(), name()) -> string() | binary().
join(A, B) when is_binary(A); is_binary(B) -> binary(join_chars(chars(A), chars(B)));
join(A, B) when is_list(A), is_list(B) -> join_chars(flatten(A), flatten(B));
join(A, B) when is_atom(A) -> join(atom_to_list(A), B);
join(A, B) when is_atom(B) -> join(A, atom_to_list(B)).

chars(Name) when is_binary(Name) -> binary_to_list(Name);
chars(Name) -> flatten(Name).

join_chars(_, [$/ | _] = B) -> squeezed(B);
join_chars(A, []) -> squeezed(A);
join_chars(A, B) -> squeezed(A ++ [$/ | B]).

squeezed([$/, $/ | Rest]) -> squeezed([$/ | Rest]);
squeezed([$/, $., $/ | Rest]) -> squeezed([$/ | Rest]);
squeezed("/") -> "/";
squeezed([C | Rest]) -> [C | inner(Rest)];
squeezed([]) -> [].

%% Behind the first character a slash needs something to follow.
inner([$/ | Rest]) ->
    case lists:dropwhile(fun(C) -> C =:= $/ end, Rest) of
        [] -> [];
        [$., $/ | More] -> inner([$/ | More]);
        More -> [$/ | inner(More)]
    end;
inner([C | Rest]) -> [C | inner(Rest)];
inner([]) -> [].

%% With a slash between, whatever they look like; the name is not looked at.
append(Dir, Name) when is_binary(Dir); is_binary(Name) -> binary(append_chars(chars(Dir), chars(Name)));
append(Dir, Name) -> Dir ++ [$/ | Name].

append_chars(Dir, Name) -> Dir ++ [$/ | Name].

-spec split(name()) -> [string() | binary()].
split(Name) when is_binary(Name) -> [binary(Part) || Part <- parts(binary_to_list(Name))];
split(Name) -> parts(flatten(Name)).

parts([$/ | Rest]) -> ["/" | string:tokens(Rest, "/")];
parts(Chars) -> string:tokens(Chars, "/").

nativename(Name) -> join([Name]).

%%% Parts

-spec basename(name()) -> string() | binary().
basename(Name) -> on_chars(fun base/1, Name).

%% One slash at the end does not count.
base(Chars) ->
    Reversed =
        case lists:reverse(Chars) of
            [$/ | Rest] -> Rest;
            Rest -> Rest
        end,
    lists:reverse(lists:takewhile(fun(C) -> C =/= $/ end, Reversed)).

%% Without the extension, if that is how it ends.
basename(Name, Extension) when is_binary(Name); is_binary(Extension) ->
    binary(base(chars(Name), chars(Extension)));
basename(Name, Extension) -> base(flatten(Name), flatten(Extension)).

%% A slash at the end keeps the extension.
base([], _) -> [];
base(Chars, Extension) ->
    case lists:last(Chars) of
        $/ -> base(Chars);
        _ -> without(base(Chars), Extension)
    end.

without(Base, Extension) ->
    case lists:suffix(Extension, Base) of
        true -> lists:sublist(Base, length(Base) - length(Extension));
        false -> Base
    end.

-spec dirname(name()) -> string() | binary().
dirname(Name) -> on_chars(fun dir/1, Name).

dir(Chars) ->
    {_, Rest} = lists:splitwith(fun(C) -> C =/= $/ end, lists:reverse(Chars)),
    case {lists:dropwhile(fun(C) -> C =:= $/ end, Rest), Rest} of
        {[], []} -> ".";
        {[], _} -> "/";
        {Dir, _} -> lists:reverse(Dir)
    end.

%% From the last dot of the last part; a name that begins with its only dot has none.
-spec extension(name()) -> string() | binary().
extension(Name) -> on_chars(fun(Chars) -> element(2, at_dot(Chars)) end, Name).

-spec rootname(name()) -> string() | binary().
rootname(Name) -> on_chars(fun root/1, Name).

root([$. | Rest] = Chars) ->
    %% Only here is a dot in front the beginning of an extension.
    case lists:member($., Rest) orelse lists:member($/, Rest) of
        true -> element(1, at_dot(Chars));
        false -> []
    end;
root(Chars) -> element(1, at_dot(Chars)).

at_dot(Chars) ->
    {Reversed, Rest} = lists:splitwith(fun(C) -> C =/= $. andalso C =/= $/ end, lists:reverse(Chars)),
    case Rest of
        [$., C | _] when C =/= $/ -> {lists:reverse(tl(Rest)), [$. | lists:reverse(Reversed)]};
        _ -> {Chars, []}
    end.

%% The extension goes, unless a slash is before it.
rootname(Name, Extension) when is_binary(Name); is_binary(Extension) -> binary(root(chars(Name), chars(Extension)));
rootname(Name, Extension) -> root(flatten(Name), flatten(Extension)).

root(Chars, Extension) ->
    case without(Chars, Extension) of
        [] -> [];
        Root ->
            case lists:last(Root) of
                $/ -> Chars;
                _ -> Root
            end
    end.

%%% Safety

%% Can it be given to the operating system? There must be no zero characters.
validate(Name) when is_binary(Name) -> Name =/= <<>> andalso not lists:member(0, binary_to_list(Name));
validate(Name) ->
    try flatten(Name) of
        Chars -> Chars =/= [] andalso lists:all(fun(C) -> C > 0 end, Chars)
    catch error:_ -> false
    end.

%% The relative path with its dots resolved, or `unsafe` if it leaves the directory.
safe_relative_path(Path) ->
    case pathtype(Path) of
        absolute -> unsafe;
        relative ->
            case resolve(split(Path), []) of
                unsafe -> unsafe;
                [] when is_binary(Path) -> <<>>;
                [] -> [];
                Parts -> join(Parts)
            end
    end.

resolve([Part | Parts], Stack) ->
    case chars(Part) of
        "." -> resolve(Parts, Stack);
        ".." when Stack =:= [] -> unsafe;
        ".." -> resolve(Parts, tl(Stack));
        _ -> resolve(Parts, [Part | Stack])
    end;
resolve([], Stack) -> lists:reverse(Stack).

%% Where the files of an application belong: one folder for those of a user, several for those of all. Of the options a version has
%% a folder of its own, an author only on Windows.
basedir(Kind, App) when is_atom(Kind), is_list(App) orelse is_binary(App) -> basedir(Kind, App, #{}).

basedir(Kind, App, Options) when is_map(Options), is_atom(Kind), is_list(App) orelse is_binary(App) ->
    Version = [V || #{version := V} <- [Options]],
    case maps:get(os, Options, linux) of
        linux -> based(basedir_linux(Kind), [App | Version]);
        darwin -> based(basedir_darwin(Kind), [App | Version]);
        windows -> based(basedir_windows(Kind), [Author || #{author := Author} <- [Options]] ++ [App | Version])
    end.

based({inner, Base, Last}, Parts) -> join([Base | Parts] ++ [Last]);
based({site, Bases}, Parts) -> [join([Base | Parts]) || Base <- Bases];
based({user, Base}, Parts) -> join([Base | Parts]).

basedir_linux(Kind) ->
    case Kind of
        user_cache -> {user, user_base("XDG_CACHE_HOME", ".cache")};
        user_config -> {user, user_base("XDG_CONFIG_HOME", ".config")};
        user_data -> {user, user_base("XDG_DATA_HOME", ".local/share")};
        user_log -> {inner, user_base("XDG_CACHE_HOME", ".cache"), "log"};
        site_config -> {site, string:lexemes(set("XDG_CONFIG_DIRS", "/etc/xdg"), ":")};
        site_data -> {site, string:lexemes(set("XDG_DATA_DIRS", "/usr/local/share/:/usr/share/"), ":")}
    end.

basedir_darwin(Kind) ->
    Support = "Library/Application Support",
    case Kind of
        user_cache -> {user, in_home("Library/Caches")};
        user_log -> {user, in_home("Library/Logs")};
        _ when Kind =:= user_config; Kind =:= user_data -> {user, in_home(Support)};
        _ when Kind =:= site_config; Kind =:= site_data -> {site, [[$/ | Support]]}
    end.

%% Without the variables of Windows the folders are those of the home.
basedir_windows(Kind) ->
    {Local, Roaming} =
        case set("APPDATA", none) of
            none -> {in_home("Local"), in_home("Roaming")};
            Dir -> {set("LOCALAPPDATA", Dir), Dir}
        end,
    case Kind of
        user_cache -> {inner, Local, "Cache"};
        user_log -> {inner, Local, "Logs"};
        user_data -> {user, Local};
        user_config -> {user, Roaming};
        _ when Kind =:= site_config; Kind =:= site_data -> {site, []}
    end.

user_base(Variable, Default) ->
    case set(Variable, none) of
        none -> in_home(Default);
        Dir -> Dir
    end.

in_home(Dir) -> join(os:getenv("HOME", "/"), Dir).

%% A variable of the environment; an empty one is none.
set(Variable, Default) ->
    case os:getenv(Variable) of
        Unset when Unset =:= false; Unset =:= "" -> Default;
        Value -> Value
    end.
