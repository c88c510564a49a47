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
    loop(Reader, Server).

loop(Reader, Server) ->
    receive
        {io_request, From, ReplyAs, Request} = Message ->
            case is_input(Request) of
                true ->
                    Reader ! Message,
                    loop(Reader, Server);
                false ->
                    {Reply, Server1} = answer(Request, Server),
                    From ! {io_reply, ReplyAs, Reply},
                    loop(Reader, Server1)
            end;
        {'DOWN', _, process, _, _} -> exit(shutdown);
        _ -> loop(Reader, Server)
    end.

%% Characters that are yet to be made are made by a process that an interrupt ends.
answer({put_chars, Encoding, M, F, Args}, Server) ->
    {Maker, Monitor} = spawn_monitor(fun() -> exit(try {made, apply(M, F, Args)} catch _:_ -> failed end) end),
    case made(Maker, Monitor) of
        {made, Chars} -> erlet_io_server:handle({put_chars, Encoding, Chars}, Server);
        _ -> {{error, {put_chars, Encoding, M, F, Args}}, Server}
    end;
answer(Request, Server) -> erlet_io_server:handle(Request, Server).

made(Maker, Monitor) ->
    receive
        {'DOWN', Monitor, process, Maker, Result} -> Result;
        interrupt ->
            exit(Maker, kill),
            made(Maker, Monitor)
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
