%% The I/O server of a shell: the group leader of its evaluator and of what that spawns.
%%
%% Output goes to standard output at once. Requests for input are handed to a second process, which answers them in turn: so
%% output never waits for somebody to type.
-module(erlet_console).

-export([start/1]).

%% A console that ends with its shell.
-spec start(pid()) -> pid().
start(Shell) -> spawn(fun() -> init(Shell) end).

init(Shell) ->
    monitor(process, Shell),
    Reader = spawn_link(fun reader/0),
    Server = erlet_io_server:init({fun(_) -> eof end, fun erlet_io:write_stdout/1, [{geometry, fun erlet_io:geometry/1}]}),
    loop(Reader, Server, []).

%% `Silenced` are processes that were interrupted: what they wanted to print is not printed, even if it was on its way.
loop(Reader, Server, Silenced) ->
    receive
        {io_request, From, ReplyAs, Request} = Message ->
            case is_input(Request) of
                true ->
                    Reader ! Message,
                    loop(Reader, Server, Silenced);
                false ->
                    case lists:keymember(From, 2, Silenced) of
                        true -> loop(Reader, Server, Silenced);
                        false -> output(From, ReplyAs, Request, Reader, Server, Silenced)
                    end
            end;
        {interrupt, Process} -> loop(Reader, Server, silenced(Process, Silenced));
        {'DOWN', Monitor, process, _, _} ->
            case lists:keytake(Monitor, 1, Silenced) of
                {value, _, Left} -> loop(Reader, Server, Left);
                false -> exit(shutdown)
            end;
        _ -> loop(Reader, Server, Silenced)
    end.

%% Until it is dead.
silenced(Process, Silenced) -> [{monitor(process, Process), Process} | Silenced].

%% Characters that are yet to be made are made by a process that an interrupt ends, as the bytes that are written.
output(From, ReplyAs, {put_chars, Encoding, M, F, Args} = Request, Reader, Server, Silenced) ->
    {Maker, Monitor} = spawn_monitor(fun() -> exit(made(Encoding, M, F, Args)) end),
    receive
        {'DOWN', Monitor, process, Maker, Result} ->
            Reply = case Result of
                        {made, Bytes} -> erlet_io:write_stdout(Bytes);
                        _ -> {error, Request}
                    end,
            From ! {io_reply, ReplyAs, Reply},
            loop(Reader, Server, Silenced);
        {interrupt, From} ->
            demonitor(Monitor, [flush]),
            exit(Maker, kill),
            loop(Reader, Server, silenced(From, Silenced))
    end;
output(From, ReplyAs, Request, Reader, Server, Silenced) ->
    {Reply, Server1} = erlet_io_server:handle(Request, Server),
    From ! {io_reply, ReplyAs, Reply},
    loop(Reader, Server1, Silenced).

made(Encoding, M, F, Args) ->
    try unicode:characters_to_binary(apply(M, F, Args), Encoding, unicode) of
        Bytes when is_binary(Bytes) -> {made, Bytes};
        _ -> failed
    catch
        _:_ -> failed
    end.

%% The options decide how input is answered, so they are the reader's.
is_input({setopts, _}) -> true;
is_input(getopts) -> true;
is_input({requests, Requests}) -> lists:any(fun is_input/1, Requests);
is_input(Request) when is_tuple(Request) ->
    lists:member(element(1, Request), [get_chars, get_line, get_until, get_password]);
is_input(_) -> false.

reader() ->
    erlet_io_server:loop(erlet_io_server:init({fun line/1, fun erlet_io:write_stdout/1, [{geometry, fun erlet_io:geometry/1}]})).

line(Prompt) ->
    case erlet_host:call(line, [prompt(Prompt)]) of
        interrupted ->
            erlet_shell:interrupt(),
            {error, interrupted};
        Answer -> Answer
    end.

prompt(Prompt) ->
    try unicode:characters_to_binary(io_lib:format_prompt(Prompt, unicode)) of
        Text when is_binary(Text) -> Text;
        _ -> <<>>
    catch
        _:_ -> <<>>
    end.
