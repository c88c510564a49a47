%% What the operating system's shell would find and do. Most of the module is native.
-module(os).

-export([find_executable/1, find_executable/2, cmd/2, env/0]).

%% The first file of that name in the folders of PATH that may be executed; `false` if there is none.
find_executable(Name) -> find_executable(Name, os:getenv("PATH", "")).

find_executable(Name, Path) ->
    case lists:member($/, Name) of
        true ->
            Absolute = filename:absname(Name),
            case is_executable(Absolute) of
                true -> Absolute;
                false -> false
            end;
        false -> first_executable([filename:absname(filename:join(Folder, Name)) || Folder <- string:tokens(Path, ":")])
    end.

first_executable([]) -> false;
first_executable([File | Files]) ->
    case is_executable(File) of
        true -> File;
        false -> first_executable(Files)
    end.

is_executable(File) ->
    case file:read_file_info(File) of
        {ok, Info} -> element(3, Info) =:= regular andalso element(8, Info) band 8#111 =/= 0;
        {error, _} -> false
    end.

-spec cmd(string() | atom(), map()) -> string().
cmd(Command, #{max_size := Size}) when is_integer(Size), Size >= 0 -> erlet_os:cmd(Command, Size);
cmd(Command, #{max_size := infinity}) -> os:cmd(Command);
cmd(Command, Options) when is_map(Options), not is_map_key(max_size, Options) -> os:cmd(Command);
cmd(Command, Options) -> error(badarg, [Command, Options]).

%% The environment as pairs.
env() ->
    [case string:split(Variable, "=") of
         [Name, Value] -> {Name, Value};
         [Name] -> {Name, ""}
     end || Variable <- os:getenv()].
