#!/usr/bin/env escript
%% Runs Erlang test programs on Erlang/OTP and reports what each printed and how it ended.
%%
%%     escript tests/oracle.escript FILE...
%%
%% For every file the report has a line "=== FILE BYTES" and that many bytes: the program's output, followed
%% by "** error: Reason" or "** exit: Reason" when it did not end normally, or "** compile: ..." when it does not
%% compile. Used by tests/differential.rs, and by hand to see what OTP answers before writing an expectation.
-mode(compile).

main(Files) ->
    quiet(),
    ok = io:setopts(standard_io, [{encoding, unicode}]),
    lists:foreach(fun report/1, Files).

%% What a program has left of its own changes to the logger must not tell about others.
quiet() -> logger:set_primary_config(level, none).

report(File) ->
    Bytes = run(File),
    io:put_chars(["=== ", File, " ", integer_to_list(byte_size(Bytes)), "\n"]),
    ok = io:request(standard_io, {put_chars, unicode, [Bytes, "\n"]}).

run(File) ->
    {ok, Source} = file:read_file(File),
    Tags = tags(Source),
    case compile:file(without_hash_bang(File, Source), [binary, return, {i, filename:dirname(File)}]) of
        {ok, Module, Beam, _Warnings} ->
            {module, Module} = code:load_binary(Module, File, Beam),
            Bytes = execute(Module, Tags),
            code:delete(Module),
            code:purge(Module),
            Bytes;
        {error, Errors, _} ->
            unicode:characters_to_binary(io_lib:format("** compile: ~p~n", [Errors]))
    end.

%% erlc does not know "#!" lines: a copy of such a file without it.
without_hash_bang(File, <<"#!", Source/binary>>) ->
    [_, Rest] = binary:split(Source, <<"\n">>),
    Copy = filename:join("/tmp", filename:basename(File)),
    ok = file:write_file(Copy, ["\n", Rest]),
    Copy;
without_hash_bang(File, _) -> File.

execute(Module, Tags) ->
    Input = unicode:characters_to_list([[Line, "\n"] || {<<"stdin">>, Line} <- Tags]),
    Args = lists:append([string:lexemes(unicode:characters_to_list(A), " ") || {<<"args">>, A} <- Tags]),
    Server = spawn(fun() -> serve([], Input) end),
    Before = processes(),
    {Pid, Ref} = spawn_monitor(fun() ->
        group_leader(Server, self()),
        receive go -> ok end,
        try call(Module, Args)
        catch
            error:Reason -> exit({'** error', Reason});
            throw:Value -> exit({'** error', {nocatch, Value}})
        end
    end),
    Pid ! go,
    End = receive
        {'DOWN', Ref, process, Pid, normal} -> [];
        {'DOWN', Ref, process, Pid, {'** error', Reason}} -> io_lib:format("** error: ~0tp~n", [Reason]);
        {'DOWN', Ref, process, Pid, Reason} -> io_lib:format("** exit: ~0tp~n", [Reason])
    after 20000 ->
        exit(Pid, kill),
        "** timeout\n"
    end,
    quiet(),
    Server ! {stop, self()},
    Output = receive {output, Out} -> Out end,
    [exit(P, kill) || P <- processes() -- Before, process_info(P, group_leader) =:= {group_leader, Server}],
    unicode:characters_to_binary([Output, End]).

call(Module, Args) ->
    case erlang:function_exported(Module, main, 1) of
        true -> Module:main(Args);
        false ->
            case erlang:function_exported(Module, main, 0) of
                true -> Module:main();
                false -> Module:start()
            end
    end.

%% The lines "%% key: value" of a program.
tags(Source) ->
    [{Key, Value} || Line <- binary:split(Source, <<"\n">>, [global]),
                     {match, [Key, Value]} <- [re:run(Line, "^%% (stdin|args): ?(.*)$", [{capture, all_but_first, binary}])]].

%% A group leader that keeps what is printed and reads from the given characters.
serve(Output, Input) ->
    receive
        {io_request, From, As, Request} ->
            {Reply, Output1, Input1} = request(Request, Output, Input),
            From ! {io_reply, As, Reply},
            serve(Output1, Input1);
        {stop, From} ->
            From ! {output, lists:reverse(Output)}
    end.

request({put_chars, Encoding, Chars}, Output, Input) ->
    try unicode:characters_to_binary(Chars, Encoding) of
        Bytes when is_binary(Bytes) -> {ok, [Bytes | Output], Input};
        _ -> {{error, {put_chars, Encoding, Chars}}, Output, Input}
    catch
        error:badarg -> {{error, {put_chars, Encoding, Chars}}, Output, Input}
    end;
request({put_chars, Encoding, M, F, A}, Output, Input) ->
    try apply(M, F, A) of
        Chars -> request({put_chars, Encoding, Chars}, Output, Input)
    catch
        _:_ -> {{error, {put_chars, Encoding, M, F, A}}, Output, Input}
    end;
request({get_line, _, _Prompt}, Output, []) -> {eof, Output, []};
request({get_line, _, _Prompt}, Output, Input) ->
    {Line, Rest} = lists:splitwith(fun(C) -> C =/= $\n end, Input),
    case Rest of
        [$\n | More] -> {Line ++ "\n", Output, More};
        [] -> {Line, Output, []}
    end;
request({get_chars, _, _Prompt, _N}, Output, []) -> {eof, Output, []};
request({get_chars, _, _Prompt, N}, Output, Input) ->
    {Chars, Rest} = lists:split(min(N, length(Input)), Input),
    {Chars, Output, Rest};
request({get_until, _, _Prompt, M, F, As}, Output, Input) ->
    until(M, F, As, Output, Input, []);
request({requests, Requests}, Output, Input) ->
    lists:foldl(fun(R, {_, O, I}) -> request(R, O, I) end, {ok, Output, Input}, Requests);
request(getopts, Output, Input) -> {[{binary, false}, {encoding, unicode}], Output, Input};
request({setopts, _}, Output, Input) -> {ok, Output, Input};
request({get_geometry, _}, Output, Input) -> {{error, enotsup}, Output, Input};
request(_, Output, Input) -> {{error, request}, Output, Input}.

until(M, F, As, Output, Input, State) ->
    {Data, Rest} =
        case Input of
            [] -> {eof, []};
            _ ->
                {Line, More} = lists:splitwith(fun(C) -> C =/= $\n end, Input),
                case More of
                    [$\n | Tail] -> {Line ++ "\n", Tail};
                    [] -> {Line, []}
                end
        end,
    case apply(M, F, [State, Data | As]) of
        {done, Result, eof} -> {Result, Output, []};
        {done, Result, Left} -> {Result, Output, Left ++ Rest};
        {more, State1} -> until(M, F, As, Output, Rest, State1)
    end.
