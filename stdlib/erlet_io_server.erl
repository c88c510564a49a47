%% An I/O server: one process that answers the I/O protocol for one stream.
%%
%% The stream is given by two funs. `Read(Prompt)` answers a binary of any size, `eof` or `{error, Reason}`;
%% `Write(Binary)` answers `ok` or `{error, Reason}`. What was read but not asked for yet is kept here, undecoded. Standard
%% input and output (`erlet_user`) and opened files (`file`) are such servers.
-module(erlet_io_server).

-export([init/1, loop/1, handle/2]).
-export([rest/1, set_rest/2]).

%% rest: unread bytes, or `eof`. encoding: of the stream, latin1 or unicode (UTF-8). binary: answer binaries.
%% `client`: who has asked, for whom the output counts.
-record(state, {read, write, rest = <<>>, encoding = unicode, binary = false, geometry, options = [], client}).

%% What a client's code may use that is run here: enough to format anything that is meant to be read. Time in milliseconds.
-define(MEMORY, 1 bsl 28).
-define(REDUCTIONS, 100000000).
-define(TIME, 60000).

%% Options: `{encoding, latin1 | unicode | utf8}`, `binary`, `{geometry, fun((columns | rows) -> integer() | error)}`.
init({Read, Write, Options}) ->
    Geometry = proplists:get_value(geometry, Options, fun(_) -> error end),
    set_options(Options, #state{read = Read, write = Write, geometry = Geometry}).

%% Unread input, for streams that can be moved about in.
rest(#state{rest = eof}) -> <<>>;
rest(#state{rest = Rest}) -> Rest.

set_rest(Rest, State) -> State#state{rest = Rest}.

-spec loop(#state{}) -> no_return().
loop(State) ->
    receive
        {io_request, From, ReplyAs, Request} ->
            {Reply, State1} = handle(Request, State#state{client = From}),
            From ! {io_reply, ReplyAs, Reply},
            loop(State1);
        _ -> loop(State)
    end.

%%% Requests

handle({put_chars, Encoding, Chars}, State) -> {put(Chars, Encoding, State), State};
handle({put_chars, Encoding, M, F, Args}, State) ->
    try careful(M, F, Args) of
        Chars -> {put(Chars, Encoding, State), State}
    catch
        _:_ -> {{error, {put_chars, Encoding, M, F, Args}}, State}
    end;
handle({get_chars, Encoding, Prompt, N}, State) ->
    get(Prompt, fun(C, Data) -> io_lib_input:collect_chars(C, Data, State#state.encoding, N) end, Encoding, State);
handle({get_line, Encoding, Prompt}, State) ->
    get(Prompt, fun(C, Data) -> io_lib_input:collect_line(C, Data, State#state.encoding, ok) end, Encoding, State);
handle({get_until, Encoding, Prompt, M, F, Args}, State) ->
    Until = {M, F, Args},
    get(Prompt, fun(C, Data) -> careful(io_lib_input, get_until_by_lines, [C, Data, State#state.encoding, Until]) end, Encoding, State);
handle({get_geometry, What}, #state{geometry = Geometry} = State) ->
    case Geometry(What) of
        N when is_integer(N) -> {N, State};
        _ -> {{error, enotsup}, State}
    end;
handle(getopts, #state{binary = Binary, encoding = Encoding} = State) ->
    {[{binary, Binary}, {encoding, Encoding}], State};
handle({setopts, Options}, State) ->
    try {ok, set_options(Options, State)}
    catch error:_ -> {{error, enotsup}, State}
    end;
handle({requests, Requests}, State) -> in_turn(Requests, ok, State);
%% Forms without encoding, from before Unicode.
handle({put_chars, Chars}, State) -> handle({put_chars, latin1, Chars}, State);
handle({put_chars, M, F, Args}, State) -> handle({put_chars, latin1, M, F, Args}, State);
handle({get_chars, Prompt, N}, State) -> handle({get_chars, latin1, Prompt, N}, State);
handle({get_line, Prompt}, State) -> handle({get_line, latin1, Prompt}, State);
handle({get_until, Prompt, M, F, Args}, State) -> handle({get_until, latin1, Prompt, M, F, Args}, State);
handle(_, State) -> {{error, request}, State}.

%% The first error ends the sequence.
in_turn([Request | Requests], _, State) ->
    case handle(Request, State) of
        {{error, _}, _} = Failed -> Failed;
        {Reply, State1} -> in_turn(Requests, Reply, State1)
    end;
in_turn([], Reply, State) -> {Reply, State}.

set_options([Option | Options], State) ->
    case Option of
        binary -> set_options(Options, State#state{binary = true});
        list -> set_options(Options, State#state{binary = false});
        {binary, Binary} when is_boolean(Binary) -> set_options(Options, State#state{binary = Binary});
        {encoding, latin1} -> set_options(Options, State#state{encoding = latin1});
        {encoding, Unicode} when Unicode =:= unicode; Unicode =:= utf8 ->
            set_options(Options, State#state{encoding = unicode});
        {Key, _} when Key =:= echo; Key =:= expand_fun; Key =:= geometry -> set_options(Options, State)
    end;
set_options([], State) -> State.

%% Code of the client's runs here. If anything in the machine has limits, it runs in a process of its own with some, since what it
%% does is not counted as the client's.
careful(M, F, Args) ->
    case erlet_io:is_limited() of
        false -> apply(M, F, Args);
        true ->
            Limits = #{memory => ?MEMORY, reductions => ?REDUCTIONS, wall_time => ?TIME},
            Run = fun() -> exit(try {result, apply(M, F, Args)} catch _:Reason -> {failed, Reason} end) end,
            {Pid, Ref} = spawn_opt(Run, [monitor, machine, {limits, Limits}, {capabilities, []}]),
            receive
                {'DOWN', Ref, process, Pid, {result, Result}} -> Result;
                {'DOWN', Ref, process, Pid, Reason} -> error(Reason)
            end
    end.

%%% Output

put(Chars, From, #state{encoding = To, write = Write} = State) ->
    try unicode:characters_to_binary(Chars, From, To) of
        Bytes when is_binary(Bytes) ->
            is_pid(State#state.client) andalso erlet_io:charge(State#state.client, byte_size(Bytes)),
            Write(Bytes);
        {error, _, _} when From =:= unicode, To =:= latin1 -> {error, {no_translation, unicode, latin1}};
        _ -> {error, {put_chars, From, Chars}}
    catch
        error:_ -> {error, {put_chars, From, Chars}}
    end.

%%% Input

%% Collect answers `{stop, Result, Rest}`, or the state it wants to be called with next.
get(Prompt, Collect, Encoding, State) ->
    try feed(Collect, start, Prompt, State) of
        {ok, Result, Rest, State1} -> {result(Result, Encoding, State1), State1#state{rest = undecoded(Rest, State1)}};
        {{error, _} = Error, State1} -> {Error, State1}
    catch
        _:_ -> {{error, get_until}, State#state{rest = <<>>}}
    end.

feed(Collect, Continuation, Prompt, #state{rest = <<>>, read = Read} = State) ->
    case Read(Prompt) of
        {error, _} = Error -> {Error, State};
        Data -> feed(Collect, Continuation, "", State#state{rest = Data})
    end;
feed(Collect, Continuation, Prompt, #state{rest = Data, encoding = Encoding} = State) ->
    case whole_characters(Data, Encoding) of
        {<<>>, Partial} ->
            case more(Prompt, Partial, State) of
                {error, _} = Error -> {Error, State};
                Data1 -> feed(Collect, Continuation, "", State#state{rest = Data1})
            end;
        {Whole, Partial} ->
            case Collect(Continuation, Whole) of
                {stop, Result, Rest} -> {ok, Result, {Rest, Partial}, State};
                _ when Data =:= eof -> {{error, get_until}, State#state{rest = <<>>}};
                Continuation1 -> feed(Collect, Continuation1, Prompt, State#state{rest = Partial})
            end
    end.

%% Bytes of an unfinished character need what follows them.
more(Prompt, Partial, #state{read = Read}) ->
    case Read(Prompt) of
        Data when is_binary(Data) -> <<Partial/binary, Data/binary>>;
        eof -> {error, {no_translation, unicode, unicode}};
        Error -> Error
    end.

whole_characters(eof, _) -> {eof, <<>>};
whole_characters(Data, latin1) -> {Data, <<>>};
whole_characters(Data, unicode) ->
    case unicode:characters_to_binary(Data) of
        {incomplete, Whole, Partial} -> {Whole, Partial};
        _ -> {Data, <<>>}
    end.

%% Collect gives back binaries, except that get_until functions give back characters.
undecoded({eof, Partial}, _) -> Partial;
undecoded({Rest, Partial}, _) when is_binary(Rest) -> <<Rest/binary, Partial/binary>>;
undecoded({Rest, Partial}, #state{encoding = Encoding}) ->
    Bytes = unicode:characters_to_binary(Rest, unicode, Encoding),
    <<Bytes/binary, Partial/binary>>.

result(Result, To, #state{binary = true, encoding = From}) when is_binary(Result) ->
    translated(unicode:characters_to_binary(Result, From, To), From, To);
result(Result, To, #state{encoding = From}) when is_binary(Result) ->
    case unicode:characters_to_list(Result, From) of
        Chars when is_list(Chars), To =:= latin1 ->
            case io_lib:latin1_char_list(Chars) of
                true -> Chars;
                false -> {error, {no_translation, From, To}}
            end;
        Chars when is_list(Chars) -> Chars;
        _ -> {error, {no_translation, From, To}}
    end;
result(Result, _, _) -> Result.

translated(Binary, _, _) when is_binary(Binary) -> Binary;
translated(_, From, To) -> {error, {no_translation, From, To}}.
