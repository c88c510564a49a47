%% The process behind an opened file: an I/O server whose stream is a file.
%%
%% It belongs to the process that opened the file and ends with it. The handle is opened here, since a native file can only be used by
%% its owner. Reading ahead moves the native's position beyond what has been handed out; before anything that depends
%% on the position it is moved back by the bytes left over.
-module(erlet_file_server).

-export([open/3, request/2]).
-export([start/4]).

%% Bytes read at once.
-define(CHUNK, 8192).

-spec open(file:name_all(), [atom()], [term()]) -> {ok, pid()} | {error, file:posix()}.
open(Name, Access, Modes) ->
    Pid = spawn(erlet_file_server, start, [self(), Name, Access, Modes]),
    Monitor = monitor(process, Pid),
    receive
        {Pid, Reply} ->
            demonitor(Monitor, [flush]),
            Reply;
        {'DOWN', Monitor, process, Pid, {limit, open_files}} ->
            %% It is the opener who has reached it, and who ends of it.
            case erlet_file:open(Name, Access) of
                {ok, Handle} ->
                    erlet_file:close(Handle),
                    open(Name, Access, Modes);
                Error -> Error
            end;
        {'DOWN', Monitor, process, Pid, Reason} -> {error, Reason}
    end.

request(Pid, Request) ->
    Monitor = monitor(process, Pid),
    Pid ! {file_request, self(), Monitor, Request},
    receive
        {file_reply, Monitor, Reply} ->
            demonitor(Monitor, [flush]),
            Reply;
        {'DOWN', Monitor, process, Pid, _} -> {error, terminated}
    end.

start(Owner, Name, Access, Modes) ->
    Watch = monitor(process, Owner),
    case erlet_file:open(Name, Access) of
        {ok, Handle} ->
            Owner ! {self(), {ok, self()}},
            Encoding = [{encoding, proplists:get_value(encoding, Modes, latin1)}],
            Binary = [binary || lists:member(binary, Modes)],
            State = erlet_io_server:init({fun(_) -> read(Handle) end, fun(Data) -> erlet_file:write(Handle, Data) end,
                                          Encoding ++ Binary}),
            loop(State, Handle, Watch, lists:member(binary, Modes));
        Error -> Owner ! {self(), Error}
    end.

read(Handle) ->
    case erlet_file:read(Handle, ?CHUNK) of
        {ok, Data} -> Data;
        Other -> Other
    end.

loop(State, Handle, Watch, Binary) ->
    receive
        {io_request, From, ReplyAs, Request} ->
            State1 =
                case writes(Request) of
                    true -> back(State, Handle);
                    false -> State
                end,
            {Reply, State2} = erlet_io_server:handle(Request, State1),
            From ! {io_reply, ReplyAs, Reply},
            loop(State2, Handle, Watch, Binary);
        {file_request, From, ReplyAs, close} -> From ! {file_reply, ReplyAs, erlet_file:close(Handle)};
        {file_request, From, ReplyAs, Request} ->
            State1 = back(State, Handle),
            From ! {file_reply, ReplyAs, shaped(handle(Request, Handle), Binary)},
            loop(State1, Handle, Watch, Binary);
        {'DOWN', Watch, process, _, _} -> erlet_file:close(Handle);
        _ -> loop(State, Handle, Watch, Binary)
    end.

writes(Request) when is_tuple(Request) -> element(1, Request) =:= put_chars orelse element(1, Request) =:= requests;
writes(_) -> false.

%% The native's position is where the reader stands.
back(State, Handle) ->
    case byte_size(erlet_io_server:rest(State)) of
        0 -> erlet_io_server:set_rest(<<>>, State);
        Ahead ->
            {ok, _} = erlet_file:position(Handle, {cur, -Ahead}),
            erlet_io_server:set_rest(<<>>, State)
    end.

handle({position, Location}, Handle) -> erlet_file:position(Handle, Location);
handle({pread, Location, N}, Handle) -> at(Location, Handle, fun(At) -> erlet_file:pread(Handle, At, N) end);
handle({pwrite, Location, Data}, Handle) -> at(Location, Handle, fun(At) -> erlet_file:pwrite(Handle, At, Data) end);
handle(truncate, Handle) -> erlet_file:truncate(Handle);
handle(sync, Handle) -> erlet_file:sync(Handle);
handle(datasync, Handle) -> erlet_file:datasync(Handle);
handle(_, _) -> {error, enotsup}.

at({bof, At}, _, F) when is_integer(At), At >= 0 -> F(At);
at(Location, Handle, F) ->
    case erlet_file:position(Handle, Location) of
        {ok, At} -> F(At);
        Error -> Error
    end.

shaped({ok, Data}, false) when is_binary(Data) -> {ok, binary_to_list(Data)};
shaped(Other, _) -> Other.
