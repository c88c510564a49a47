%% Input and output through I/O servers.
%%
%% Everything is a request to a process, the caller's group leader unless another device is named:
%% `{io_request, From, Ref, Request}` is answered by `{io_reply, Ref, Reply}`. Output has a short cut: where the device is one of
%% the virtual machine's own output servers (`erlet_io:is_direct/1`), the text is made here and handed over by
%% `erlet_io:fast_put/2`, without two messages and two switches. Whoever installs a group leader of their own sees the protocol.
-module(io).

-export([put_chars/1, put_chars/2, put_chars/3, nl/0, nl/1, write/1, write/2,
         format/1, format/2, format/3, fwrite/1, fwrite/2, fwrite/3]).
-export([get_chars/2, get_chars/3, get_line/1, get_line/2, get_password/0, get_password/1,
         fread/2, fread/3, read/1, read/2, read/3, read/4]).
-export([columns/0, columns/1, rows/0, rows/1, getopts/0, getopts/1, setopts/1, setopts/2, printable_range/0]).
-export([scan_erl_exprs/1, scan_erl_exprs/2, scan_erl_exprs/3, scan_erl_exprs/4,
         scan_erl_form/1, scan_erl_form/2, scan_erl_form/3, scan_erl_form/4,
         parse_erl_exprs/1, parse_erl_exprs/2, parse_erl_exprs/3, parse_erl_exprs/4,
         parse_erl_form/1, parse_erl_form/2, parse_erl_form/3, parse_erl_form/4]).
-export([request/1, request/2, requests/1, requests/2]).
-export_type([device/0, format/0]).

-type device() :: pid() | atom().
-type format() :: atom() | string() | binary().

%% Which characters `~p` takes for text: the default of an Erlang system.
-spec printable_range() -> latin1 | unicode.
printable_range() -> erlang:nif_error(undefined).

%%% Output

put_chars(Chars) -> put(group_leader(), put_chars, {put_chars, unicode, Chars}, [Chars]).
put_chars(Device, Chars) -> put(Device, put_chars, {put_chars, unicode, Chars}, [Device, Chars]).
put_chars(Device, Encoding, Chars) -> put(Device, put_chars, {put_chars, Encoding, Chars}, [Device, Encoding, Chars]).

nl() -> put(group_leader(), nl, nl, []).
nl(Device) -> put(Device, nl, nl, [Device]).

write(Term) -> put(group_leader(), write, {write, Term}, [Term]).
write(Device, Term) -> put(Device, write, {write, Term}, [Device, Term]).

format(Format) -> put(group_leader(), format, {format, Format, []}, [Format]).
format(Format, Args) -> put(group_leader(), format, {format, Format, Args}, [Format, Args]).
format(Device, Format, Args) -> put(Device, format, {format, Format, Args}, [Device, Format, Args]).

fwrite(Format) -> put(group_leader(), fwrite, {format, Format, []}, [Format]).
fwrite(Format, Args) -> put(group_leader(), fwrite, {format, Format, Args}, [Format, Args]).
fwrite(Device, Format, Args) -> put(Device, fwrite, {format, Format, Args}, [Device, Format, Args]).

%% An error is raised as the caller's: Name and Args are the public function and its arguments.
put(Device, Name, Request, Args) ->
    case device(Device, Request, make_ref) of
        {error, Reason} -> fail(exception(Reason), {io, Reason}, Name, Args);
        Pid ->
            Direct = erlet_io:is_direct(Pid) andalso erlet_io:fast_put(Pid, chars(Name, Request, Args)),
            case Direct of
                ok -> ok;
                {error, Reason} -> fail(exception(Reason), {device, cause(Reason)}, Name, Args);
                false ->
                    case call(Pid, protocol(Request)) of
                        {error, Reason} when Reason =:= calling_self; Reason =:= terminated ->
                            fail(Reason, {io, Reason}, Name, Args);
                        {error, Reason} -> fail(exception(Reason), {device, cause(Reason)}, Name, Args);
                        Reply -> Reply
                    end
            end
    end.

%% The cause is `{io, _}` if there is no such device, else `{device, _}` of it.
fail(Reason, Cause, Name, Args) ->
    as_caller(Reason, {?MODULE, Name, Args, [{error_info, #{cause => Cause, module => erl_stdlib_errors}}]}).

%% Raises with that entry in place of those of this module.
as_caller(Reason, Entry) ->
    try error(Reason)
    catch
        error:_:Stack ->
            Callers = lists:dropwhile(fun({Module, _, _, _}) -> Module =:= ?MODULE end, Stack),
            erlang:raise(error, Reason, [Entry | Callers])
    end.

chars(Name, {format, Format, FormatArgs}, Args) ->
    try io_lib_format:fwrite(Format, FormatArgs)
    catch _:_ -> fail(badarg, {device, put_chars}, Name, Args)
    end;
chars(_, {put_chars, unicode, Chars}, _) -> Chars;
chars(Name, {put_chars, Encoding, Chars}, Args) ->
    case unicode:characters_to_binary(Chars, Encoding) of
        Binary when is_binary(Binary) -> Binary;
        _ -> fail(badarg, {device, put_chars}, Name, Args)
    end;
chars(_, nl, _) -> "\n";
chars(_, {write, Term}, _) -> io_lib:write(Term).

%% Servers tell the request that failed.
cause({put_chars, _, _}) -> put_chars;
cause(Reason) -> Reason.

exception(terminated) -> terminated;
exception(calling_self) -> calling_self;
exception({no_translation, _, _}) -> no_translation;
exception(_) -> badarg.

%%% Input

get_chars(Prompt, N) -> get_chars(group_leader(), Prompt, N).
get_chars(Device, Prompt, N) when is_integer(N), N >= 0 -> request(Device, {get_chars, unicode, Prompt, N}).

get_line(Prompt) -> get_line(group_leader(), Prompt).
get_line(Device, Prompt) -> request(Device, {get_line, unicode, Prompt}).

get_password() -> get_password(group_leader()).
get_password(Device) -> request(Device, {get_password, unicode}).

fread(Prompt, Format) -> fread(group_leader(), Prompt, Format).
fread(Device, Prompt, Format) -> request(Device, {fread, Prompt, Format}).

%% A term, up to its full stop: `{ok, Term}`, `eof` or `{error, Info}`.
read(Prompt) -> read(group_leader(), Prompt).

read(Device, Prompt) ->
    case request(Device, {get_until, unicode, Prompt, erlet_read, term, [1]}) of
        {ok, Term, _} -> {ok, Term};
        {error, Info, _} -> {error, Info};
        {eof, _} -> eof;
        Other -> Other
    end.

%% With the line it starts on; the answer tells the line it ended on.
read(Device, Prompt, Line) -> read(Device, Prompt, Line, []).
read(Device, Prompt, Line, _Options) -> request(Device, {get_until, unicode, Prompt, erlet_read, term, [Line]}).

%%% Erlang code as input

scan_erl_exprs(Prompt) -> scan_erl_exprs(group_leader(), Prompt).
scan_erl_exprs(Device, Prompt) -> scan_erl_exprs(Device, Prompt, 1).
scan_erl_exprs(Device, Prompt, Location) -> scan_erl_exprs(Device, Prompt, Location, []).
scan_erl_exprs(Device, Prompt, Location, Options) ->
    request(Device, {get_until, unicode, Prompt, erl_scan, tokens, [Location, Options]}).

scan_erl_form(Prompt) -> scan_erl_exprs(Prompt).
scan_erl_form(Device, Prompt) -> scan_erl_exprs(Device, Prompt).
scan_erl_form(Device, Prompt, Location) -> scan_erl_exprs(Device, Prompt, Location).
scan_erl_form(Device, Prompt, Location, Options) -> scan_erl_exprs(Device, Prompt, Location, Options).

parse_erl_exprs(Prompt) -> parse_erl_exprs(group_leader(), Prompt).
parse_erl_exprs(Device, Prompt) -> parse_erl_exprs(Device, Prompt, 1).
parse_erl_exprs(Device, Prompt, Location) -> parse_erl_exprs(Device, Prompt, Location, []).
parse_erl_exprs(Device, Prompt, Location, Options) ->
    parsed(scan_erl_exprs(Device, Prompt, Location, Options), fun(Tokens) -> erl_parse:parse_exprs(Tokens) end).

parse_erl_form(Prompt) -> parse_erl_form(group_leader(), Prompt).
parse_erl_form(Device, Prompt) -> parse_erl_form(Device, Prompt, 1).
parse_erl_form(Device, Prompt, Location) -> parse_erl_form(Device, Prompt, Location, []).
parse_erl_form(Device, Prompt, Location, Options) ->
    parsed(scan_erl_form(Device, Prompt, Location, Options), fun(Tokens) -> erl_parse:parse_form(Tokens) end).

parsed({ok, Tokens, End}, Parse) ->
    case Parse(Tokens) of
        {ok, Parsed} -> {ok, Parsed, End};
        {error, Info} -> {error, Info, End}
    end;
parsed(Other, _) -> Other.

%%% The device itself

columns() -> columns(group_leader()).
columns(Device) -> geometry(Device, columns).

rows() -> rows(group_leader()).
rows(Device) -> geometry(Device, rows).

geometry(Device, What) ->
    case request(Device, {get_geometry, What}) of
        N when is_integer(N), N > 0 -> {ok, N};
        _ -> {error, enotsup}
    end.

getopts() -> getopts(group_leader()).
getopts(Device) -> request(Device, getopts).

setopts(Options) -> setopts(group_leader(), Options).
setopts(Device, Options) -> request(Device, {setopts, Options}).

%%% Requests

request(Request) -> request(group_leader(), Request).

-spec request(device(), term()) -> term().
request(Device, Request) ->
    case device(Device, Request, error) of
        {error, _} = Error -> Error;
        Pid -> call(Pid, protocol(Request))
    end.

%% Several at once, not interrupted by others' requests.
requests(Requests) -> requests(group_leader(), Requests).

requests(Device, Requests) ->
    case device(Device, Requests, error) of
        {error, _} = Error -> Error;
        Pid -> call(Pid, {requests, flat_requests(Requests)})
    end.

flat_requests(Requests) ->
    lists:flatmap(fun({requests, Inner}) -> flat_requests(Inner);
                     (Request) -> [protocol(Request)]
                  end, Requests).

%% The last argument stands for the monitor in what is said of no device.
device(standard_io, _, _) -> group_leader();
device(Pid, _, _) when is_pid(Pid) -> Pid;
device(Name, _, _) when is_atom(Name) ->
    case whereis(Name) of
        undefined -> {error, arguments};
        Device -> Device
    end;
device(Term, Request, make_ref) -> device(Term, Request, make_ref());
device(Term, Request, Monitor) -> as_caller(function_clause, {?MODULE, request, [Term, Request, Monitor], []}).

%% Short forms to those of the protocol. Text travels as a binary, which is shared and not copied.
protocol({write, Term}) -> {put_chars, unicode, io_lib, write, [Term]};
protocol({format, Format, Args}) -> {put_chars, unicode, io_lib, format, [Format, Args]};
protocol({fwrite, Format, Args}) -> {put_chars, unicode, io_lib, fwrite, [Format, Args]};
protocol({fread, Prompt, Format}) -> {get_until, unicode, Prompt, io_lib, fread, [Format]};
protocol(nl) -> {put_chars, unicode, "\n"};
protocol({put_chars, Encoding, Chars} = Request) when is_list(Chars) ->
    try unicode:characters_to_binary(Chars, Encoding) of
        Binary when is_binary(Binary) -> {put_chars, unicode, Binary};
        _ -> Request
    catch
        error:_ -> Request
    end;
protocol(Request) -> Request.

call(Pid, _) when Pid =:= self() -> {error, calling_self};
call(Pid, Request) ->
    Monitor = monitor(process, Pid),
    Pid ! {io_request, self(), Monitor, Request},
    receive
        {io_reply, Monitor, Reply} ->
            demonitor(Monitor, [flush]),
            Reply;
        {'DOWN', Monitor, _, _, _} ->
            %% Whoever traps exits and is linked to the device gets to know by the answer.
            receive {'EXIT', Pid, _} -> ok
            after 0 -> ok
            end,
            {error, terminated}
    end.
