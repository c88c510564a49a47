%% The processes `user` and `standard_error`: servers of the I/O protocol over the program's standard streams.
%%
%% A server is one loop that answers each request in order. Reading may wait for a person, so it is left to a process of
%% its own that delivers pieces of input as messages; while requests for input wait, requests for output go on being
%% answered. Input requests are answered strictly in the order they came.
%%
%% Text is UTF-8 outside and code points inside, as in Erlang/OTP 26 and later.
-module(erlet_user).

-export([server/1]).

-record(state, {
    device :: standard_io | standard_error,
    reader = none :: none | pid(),
    %% Input that no request has taken yet.
    buffer = <<>> :: binary(),
    %% `more` while there may be more input; then what is answered when the buffer is empty.
    source = more :: more | eof | {error, term()},
    %% Whether the reader was asked and has not delivered yet.
    asked = false :: boolean(),
    %% Requests for input that wait, oldest first: who to answer, and how to go on.
    waiting = [],
    binary = false :: boolean(),
    encoding = unicode :: unicode | latin1,
    echo = true :: boolean()
}).

%% Serves `standard_io` or `standard_error` for ever.
server(Device) ->
    loop(#state{device = Device}).

loop(State) ->
    receive
        {io_request, From, ReplyAs, Request} when is_pid(From) ->
            loop(handle(Request, {From, ReplyAs}, State));
        {erlet_input, Reader, Data} when Reader =:= State#state.reader ->
            loop(serve_waiting(input(Data, State#state{asked = false})));
        _Other ->
            loop(State)
    end.

reply({From, ReplyAs}, Answer) ->
    From ! {io_reply, ReplyAs, Answer},
    ok.

%% Answers a request now, or lets it wait for input.
handle(Request, Client, State) ->
    case request(Request, State) of
        {reply, Answer, State1} ->
            reply(Client, Answer),
            State1;
        {input, _Want} when State#state.device =:= standard_error ->
            reply(Client, {error, enotsup}),
            State;
        {input, Want} ->
            Waiting = State#state.waiting ++ [{Client, Want}],
            serve_waiting(State#state{waiting = Waiting})
    end.

request({put_chars, Encoding, Chars}, State) ->
    {reply, put_chars(Encoding, Chars, State), State};
request({put_chars, Encoding, M, F, A}, State) ->
    Answer =
        try apply(M, F, A) of
            Chars -> put_chars(Encoding, Chars, State)
        catch
            _:_ -> {error, {put_chars, Encoding, {M, F, A}}}
        end,
    {reply, Answer, State};
request({put_chars, Chars}, State) ->
    request({put_chars, latin1, Chars}, State);
request({put_chars, M, F, A}, State) ->
    request({put_chars, latin1, M, F, A}, State);
request({get_line, Encoding, Prompt}, State) ->
    input_request(Prompt, {line, Encoding}, State);
request({get_line, Prompt}, State) ->
    request({get_line, latin1, Prompt}, State);
request({get_chars, Encoding, Prompt, N}, State) when is_integer(N), N >= 0 ->
    input_request(Prompt, {chars, Encoding, N}, State);
request({get_chars, Prompt, N}, State) ->
    request({get_chars, latin1, Prompt, N}, State);
request({get_until, Encoding, Prompt, M, F, As}, State) ->
    input_request(Prompt, {until, Encoding, M, F, As, []}, State);
request({get_until, Prompt, M, F, As}, State) ->
    request({get_until, latin1, Prompt, M, F, As}, State);
request({get_geometry, What}, State) ->
    {reply, erlet_io:geometry(What), State};
request({setopts, Opts}, State) when is_list(Opts) ->
    setopts(proplists:unfold(Opts), State, State);
request(getopts, State) ->
    #state{binary = Binary, encoding = Encoding, echo = Echo} = State,
    {reply, [{echo, Echo}, {binary, Binary}, {encoding, Encoding}], State};
request({requests, Requests}, State) when is_list(Requests) ->
    requests(Requests, ok, State);
request(_Unknown, State) ->
    {reply, {error, request}, State}.

%% Several requests in one: stops at the first that fails; the answer is the last one's. One that waits for input must
%% be the last.
requests([Request | Rest], _Answer, State) ->
    case request(Request, State) of
        {reply, {error, _} = Error, State1} -> {reply, Error, State1};
        {reply, Answer, State1} -> requests(Rest, Answer, State1);
        {input, Want} when Rest =:= [] -> {input, Want};
        {input, _} -> {reply, {error, request}, State}
    end;
requests([], Answer, State) ->
    {reply, Answer, State};
requests(_Improper, _Answer, State) ->
    {reply, {error, request}, State}.

setopts([{binary, Flag} | Opts], State, Old) when is_boolean(Flag) ->
    setopts(Opts, State#state{binary = Flag}, Old);
setopts([{list, Flag} | Opts], State, Old) when is_boolean(Flag) ->
    setopts(Opts, State#state{binary = not Flag}, Old);
setopts([{echo, Flag} | Opts], State, Old) when is_boolean(Flag) ->
    setopts(Opts, State#state{echo = Flag}, Old);
setopts([{encoding, Encoding} | Opts], State, Old) ->
    case Encoding of
        latin1 -> setopts(Opts, State#state{encoding = latin1}, Old);
        unicode -> setopts(Opts, State#state{encoding = unicode}, Old);
        utf8 -> setopts(Opts, State#state{encoding = unicode}, Old);
        _ -> {reply, {error, enotsup}, Old}
    end;
setopts([], State, _Old) ->
    {reply, ok, State};
setopts(_, _State, Old) ->
    {reply, {error, enotsup}, Old}.

%% Output.

put_chars(Encoding, Chars, #state{device = Device, encoding = Out}) ->
    case to_device(Chars, Encoding, Out) of
        {ok, Bytes} -> erlet_io:put(Device, Bytes);
        error -> {error, {put_chars, Encoding, Chars}}
    end.

%% A device set to latin1 shows what it cannot hold as \x{...}.
to_device(Chars, Encoding, unicode) ->
    binary_of(Chars, Encoding, unicode);
to_device(Chars, Encoding, latin1) ->
    case binary_of(Chars, Encoding, latin1) of
        {ok, Bytes} -> {ok, Bytes};
        error -> escaped(Chars, Encoding)
    end.

binary_of(Chars, In, Out) ->
    try unicode:characters_to_binary(Chars, In, Out) of
        Bytes when is_binary(Bytes) -> {ok, Bytes};
        _ -> error
    catch
        error:_ -> error
    end.

escaped(Chars, Encoding) ->
    try unicode:characters_to_list(Chars, Encoding) of
        List when is_list(List) ->
            Escape = fun(C) when C < 256 -> C;
                        (C) -> ["\\x{", integer_to_list(C, 16), "}"]
                     end,
            {ok, iolist_to_binary(lists:map(Escape, List))};
        _ ->
            error
    catch
        error:_ -> error
    end.

%% Input.

input_request(Prompt, Want, State) ->
    case prompt(Prompt, State) of
        ok -> {input, Want};
        Error -> {reply, Error, State}
    end.

prompt('', _State) ->
    ok;
prompt(Prompt, #state{device = standard_io} = State) ->
    put_chars(unicode, io_lib:format_prompt(Prompt, unicode), State);
prompt(_Prompt, _State) ->
    ok.

%% Serves the oldest waiting request as far as the input reaches, then the next.
serve_waiting(#state{waiting = []} = State) ->
    State;
serve_waiting(#state{waiting = [{Client, Want} | Rest]} = State) ->
    case take(Want, State) of
        {done, Answer, State1} ->
            reply(Client, Answer),
            serve_waiting(State1#state{waiting = Rest});
        {more, Want1, State1} ->
            ask(State1#state{waiting = [{Client, Want1} | Rest]})
    end.

ask(#state{asked = true} = State) ->
    State;
ask(#state{reader = none} = State) ->
    Server = self(),
    ask(State#state{reader = spawn_link(fun() -> reader(Server) end)});
ask(#state{reader = Reader} = State) ->
    Reader ! read,
    State#state{asked = true}.

reader(Server) ->
    receive
        read ->
            Server ! {erlet_input, self(), erlet_io:read_stdin()},
            reader(Server)
    end.

input({ok, Data}, #state{buffer = Buffer} = State) ->
    State#state{buffer = <<Buffer/binary, Data/binary>>};
input(End, State) ->
    State#state{source = End}.

take({line, Encoding}, #state{buffer = Buffer} = State) ->
    case binary:match(Buffer, <<"\n">>) of
        {At, 1} ->
            <<Line:(At + 1)/binary, Rest/binary>> = Buffer,
            {done, text(Line, Encoding, State), State#state{buffer = Rest}};
        nomatch when State#state.source =:= more ->
            {more, {line, Encoding}, State};
        nomatch ->
            at_end(Encoding, State)
    end;
take({chars, Encoding, N}, #state{buffer = Buffer} = State) ->
    case prefix(N, Buffer, State) of
        {Size, 0} ->
            <<Taken:Size/binary, Rest/binary>> = Buffer,
            {done, text(Taken, Encoding, State), State#state{buffer = Rest}};
        _ when State#state.source =:= more ->
            {more, {chars, Encoding, N}, State};
        _ ->
            at_end(Encoding, State)
    end;
take({until, Encoding, M, F, As, Continuation} = Want, #state{buffer = <<>>} = State) ->
    case State#state.source of
        more -> {more, Want, State};
        eof -> until(Encoding, M, F, As, Continuation, eof, State);
        Error -> {done, Error, State}
    end;
take({until, Encoding, M, F, As, Continuation}, State) ->
    %% Line by line, as a terminal gives them.
    case take({line, Encoding}, State#state{binary = false}) of
        {done, Chars, State1} when is_list(Chars) ->
            State2 = State1#state{binary = State#state.binary},
            until(Encoding, M, F, As, Continuation, Chars, State2);
        {done, Error, _} ->
            {done, Error, State};
        {more, _, _} ->
            {more, {until, Encoding, M, F, As, Continuation}, State}
    end.

until(Encoding, M, F, As, Continuation, Data, State) ->
    try apply(M, F, [Continuation, Data | As]) of
        {done, Result, Left} ->
            {done, result(Result, State), give_back(Left, State)};
        {more, Continuation1} ->
            take({until, Encoding, M, F, As, Continuation1}, State);
        _ ->
            {done, {error, F}, State}
    catch
        _:_ -> {done, {error, F}, State}
    end.

%% Lists that a `get_until` function answers are text, and follow the option `binary`.
result(Text, #state{binary = true}) when is_list(Text), Text =/= [] ->
    case binary_of(Text, unicode, unicode) of
        {ok, Binary} -> Binary;
        error -> Text
    end;
result(Result, _State) ->
    Result.

give_back(Chars, #state{buffer = Buffer} = State) when is_list(Chars) ->
    case binary_of(Chars, unicode, State#state.encoding) of
        {ok, Bytes} -> State#state{buffer = <<Bytes/binary, Buffer/binary>>};
        error -> State
    end;
give_back(_Eof, State) ->
    State.

at_end(_Encoding, #state{buffer = <<>>, source = Source} = State) ->
    {done, Source, State};
at_end(Encoding, #state{buffer = Buffer} = State) ->
    {done, text(Buffer, Encoding, State), State#state{buffer = <<>>}}.

%% Input as the client asked for it: characters it cannot hold are an error.
text(Bytes, Encoding, #state{binary = Binary, encoding = In}) ->
    try
        case Binary of
            true -> unicode:characters_to_binary(Bytes, In, Encoding);
            false -> unicode:characters_to_list(Bytes, In)
        end
    of
        {_, _, _} -> {error, {no_translation, In, Encoding}};
        Text when Encoding =:= latin1, not Binary ->
            case lists:all(fun(C) -> C < 256 end, Text) of
                true -> Text;
                false -> {error, {no_translation, unicode, latin1}}
            end;
        Text -> Text
    catch
        error:_ -> {error, {no_translation, In, Encoding}}
    end.

%% Bytes of the first N characters, and how many of the N are missing.
prefix(N, Buffer, #state{encoding = latin1}) ->
    Size = min(N, byte_size(Buffer)),
    {Size, N - Size};
prefix(N, Buffer, #state{encoding = unicode}) ->
    utf8_prefix(N, Buffer, 0).

utf8_prefix(0, _Buffer, At) ->
    {At, 0};
utf8_prefix(N, Buffer, At) when At >= byte_size(Buffer) ->
    {byte_size(Buffer), N};
utf8_prefix(N, Buffer, At) ->
    Next = At + width(binary:at(Buffer, At)),
    case Next =< byte_size(Buffer) of
        true -> utf8_prefix(N - 1, Buffer, Next);
        false -> {At, N}
    end.

width(Byte) when Byte < 16#C0 -> 1;
width(Byte) when Byte < 16#E0 -> 2;
width(Byte) when Byte < 16#F0 -> 3;
width(_) -> 4.
