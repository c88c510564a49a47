%% Files and folders.
%%
%% An opened file is either raw, a term for the natives of `erlet_file` to be used by its owner alone, or an I/O server process that
%% any process may use, also through `io`. The process has the functions of this module as requests `{file_request, From, Ref, Request}` and keeps what
%% it read ahead, which positions must allow for.
-module(file).

-export([read_file/1, read_file/2, write_file/2, write_file/3, consult/1, path_consult/2, script/1, script/2, eval/1, eval/2, path_script/2, path_script/3, path_eval/2, path_eval/3, list_dir/1, list_dir_all/1,
         make_dir/1, del_dir/1, del_dir_r/1, delete/1, delete/2, rename/2, copy/2, copy/3, make_link/2, make_symlink/2,
         read_link/1, read_link_all/1, get_cwd/0, get_cwd/1, set_cwd/1, read_file_info/1, read_file_info/2, read_link_info/1,
         read_link_info/2, write_file_info/2, write_file_info/3, change_mode/2, change_owner/2, change_group/2,
         change_time/2, change_time/3, format_error/1, native_name_encoding/0]).
-export([open/2, close/1, read/2, read_line/1, write/2, pread/2, pread/3, pwrite/2, pwrite/3, position/2, truncate/1, sync/1,
         datasync/1, advise/4, allocate/3, path_open/3]).
-export_type([filename/0, filename_all/0, name/0, name_all/0, posix/0]).

-type filename() :: string().
-type filename_all() :: string() | binary().
-type name() :: string() | atom() | [term()].
-type name_all() :: name() | binary().
-type posix() :: atom().

-include("file.hrl").

%% A raw file: the native's handle, and what read_line has read ahead.

%%% Whole files

-spec read_file(file:name_all()) -> {ok, binary()} | {error, file:posix()}.
read_file(Name) -> erlet_file:read_file(Name).

read_file(Name, _Options) -> erlet_file:read_file(Name).

write_file(Name, Data) -> write_file(Name, Data, []).

-spec write_file(file:name_all(), iodata(), [atom()]) -> ok | {error, file:posix()}.
write_file(Name, Data, Modes) ->
    try iolist_to_binary(Data) of
        Binary ->
            case erlet_file:open(Name, [write, raw, binary | lists:delete(raw, lists:delete(binary, Modes))]) of
                {ok, Handle} ->
                    Written = erlet_file:write(Handle, Binary),
                    Closed = erlet_file:close(Handle),
                    case Written of
                        ok -> Closed;
                        Error -> Error
                    end;
                Error -> Error
            end
    catch
        error:badarg -> {error, badarg}
    end.

%% The terms of a file, each ended by a full stop.
-spec consult(file:name_all()) -> {ok, [term()]} | {error, term()}.
consult(Name) ->
    case read_file(Name) of
        {ok, Binary} ->
            Chars = decoded(Binary),
            case erlet_compiler:parse_terms(Chars) of
                {ok, Terms} -> {ok, Terms};
                %% What is wrong is said as for everything that is read term by term.
                {error, _} -> terms(erl_scan:tokens([], Chars, 1), [])
            end;
        Error -> Error
    end.

terms({more, Continuation}, Terms) -> terms(erl_scan:tokens(Continuation, eof, 1), Terms);
terms({done, {eof, _}, _}, Terms) -> {ok, lists:reverse(Terms)};
terms({done, {error, Reason, _}, _}, _) -> {error, Reason};
terms({done, {ok, Tokens, End}, Rest}, Terms) ->
    case erl_parse:parse_term(Tokens) of
        {ok, Term} -> terms(erl_scan:tokens([], Rest, End), [Term | Terms]);
        Error -> Error
    end.

%% UTF-8, unless it is not or says otherwise in its first line.
decoded(Binary) ->
    case unicode:characters_to_list(Binary) of
        Chars when is_list(Chars) -> Chars;
        _ -> binary_to_list(Binary)
    end.

path_consult(Path, Name) -> in_path(Path, Name, fun consult/1).

in_path([Dir | Path], Name, F) ->
    Full = filename:join(Dir, Name),
    case F(Full) of
        {ok, Result} -> {ok, Result, Full};
        {error, enoent} -> in_path(Path, Name, F);
        Error -> Error
    end;
in_path([], _, _) -> {error, enoent}.

%% The value of the last of a file's expressions.
-spec script(file:name_all()) -> {ok, term()} | {error, term()}.
script(Name) -> script(Name, erl_eval:new_bindings()).

-spec script(file:name_all(), erl_eval:binding_struct()) -> {ok, term()} | {error, term()}.
script(Name, Bindings) ->
    case run(Name, Bindings, none, fun(Value) -> {some, Value} end) of
        {ok, {some, Value}, _} -> {ok, Value};
        {ok, none, End} -> {error, {End, file, undefined_script}};
        Error -> Error
    end.

%% Evaluates a file's expressions.
-spec eval(file:name_all()) -> ok | {error, term()}.
eval(Name) -> eval(Name, erl_eval:new_bindings()).

-spec eval(file:name_all(), erl_eval:binding_struct()) -> ok | {error, term()}.
eval(Name, Bindings) ->
    case run(Name, Bindings, []) of
        {ok, _} -> ok;
        Error -> Error
    end.

path_script(Path, Name) -> in_path(Path, Name, fun script/1).
path_script(Path, Name, Bindings) -> in_path(Path, Name, fun(Full) -> script(Full, Bindings) end).

path_eval(Path, Name) -> path_eval(Path, Name, erl_eval:new_bindings()).

path_eval(Path, Name, Bindings) ->
    case in_path(Path, Name, fun(Full) -> run(Full, Bindings, []) end) of
        {ok, _, Full} -> {ok, Full};
        Error -> Error
    end.

run(Name, Bindings, Last) ->
    case run(Name, Bindings, Last, fun(Value) -> Value end) of
        {ok, Value, _} -> {ok, Value};
        Error -> Error
    end.

run(Name, Bindings, Last, Keep) ->
    case read_file(Name) of
        {ok, Binary} -> run(decoded(Binary), 1, Bindings, Last, Keep);
        Error -> Error
    end.

run(Text, Line, Bindings, Last, Keep) ->
    case cut(Text, Line) of
        {done, {eof, End}, _} -> {ok, Last, End};
        {done, {ok, Tokens, Next}, Rest} ->
            case erl_parse:parse_exprs(Tokens) of
                {ok, Exprs} ->
                    try erl_eval:exprs(Exprs, Bindings) of
                        {value, Value, After} -> run(Rest, Next, After, Keep(Value), Keep)
                    catch Class:Reason:Stack -> {error, {Line, file, {Class, Reason, Stack}}}
                    end;
                {error, _} = Error -> Error
            end;
        {done, {error, Info, _}, _} -> {error, Info}
    end.

%% The tokens up to the next full stop, or to the end.
cut(eof, Line) -> {done, {eof, Line}, eof};
cut(Text, Line) ->
    case erl_scan:tokens([], Text, Line) of
        {more, More} -> erl_scan:tokens(More, eof, Line);
        Done -> Done
    end.

%%% Names and folders

read_link_all(Name) -> erlet_file:read_link(Name).
list_dir(Dir) -> erlet_file:list_dir(Dir).
list_dir_all(Dir) -> erlet_file:list_dir(Dir).
make_dir(Dir) -> erlet_file:make_dir(Dir).
del_dir(Dir) -> erlet_file:del_dir(Dir).
delete(Name) -> erlet_file:delete(Name).
delete(Name, _) -> erlet_file:delete(Name).
rename(From, To) -> erlet_file:rename(From, To).
make_link(Existing, New) -> erlet_file:make_link(Existing, New).
make_symlink(Existing, New) -> erlet_file:make_symlink(Existing, New).
read_link(Name) -> erlet_file:read_link(Name).
get_cwd() -> erlet_file:get_cwd().
get_cwd(_) -> {error, enotsup}.
set_cwd(Dir) -> erlet_file:set_cwd(Dir).
native_name_encoding() -> utf8.

%% A folder with all that is in it; links are deleted, not followed.
del_dir_r(Name) ->
    case read_link_info(Name) of
        {ok, #file_info{type = directory}} ->
            case list_dir(Name) of
                {ok, Names} ->
                    lists:foreach(fun(Inner) -> del_dir_r(filename:join(Name, Inner)) end, Names),
                    del_dir(Name);
                _ -> del_dir(Name)
            end;
        {ok, _} -> delete(Name);
        Error -> Error
    end.

copy(From, To) -> copy(From, To, infinity).

%% Names, `{Name, Modes}` or opened files; at most Limit bytes. Answers how many were copied.
copy(From, To, Limit) when Limit =:= infinity; is_integer(Limit), Limit >= 0 ->
    with_file(From, [read, binary, raw],
              fun(In) -> with_file(To, [write, binary, raw], fun(Out) -> copy_bytes(In, Out, Limit, 0) end) end);
copy(_, _, _) -> {error, badarg}.

with_file(File, _, F) when is_pid(File); is_record(File, file_descriptor) -> F(File);
with_file({Name, Modes}, Access, F) -> with_file_1(Name, Access ++ Modes, F);
with_file(Name, Access, F) -> with_file_1(Name, Access, F).

with_file_1(Name, Modes, F) ->
    case open(Name, Modes) of
        {ok, File} ->
            Result = F(File),
            case close(File) of
                ok -> Result;
                Error -> Error
            end;
        Error -> Error
    end.

copy_bytes(_, _, 0, Copied) -> {ok, Copied};
copy_bytes(In, Out, Left, Copied) ->
    case read(In, min(Left, 65536)) of
        {ok, Data} ->
            Size = iolist_size(Data),
            case write(Out, Data) of
                ok when Left =:= infinity -> copy_bytes(In, Out, infinity, Copied + Size);
                ok -> copy_bytes(In, Out, Left - Size, Copied + Size);
                Error -> Error
            end;
        eof -> {ok, Copied};
        Error -> Error
    end.

%%% Information

read_file_info(Name) -> read_file_info(Name, []).

%% The only option is `{time, local | universal | posix}`.
read_file_info(Name, Options) -> information(erlet_file:info(Name, follow), Options).

read_link_info(Name) -> read_link_info(Name, []).

read_link_info(Name, Options) -> information(erlet_file:info(Name, nofollow), Options).

information({error, _} = Error, _) -> Error;
information({ok, _} = Found, Options) ->
    Kind = proplists:get_value(time, Options, local),
    case lists:member(Kind, [local, universal, posix]) of
        true -> shown(Found, Kind);
        false -> {error, badarg}
    end.

shown({ok, {Size, Type, Access, Atime, Mtime, Ctime, Mode, Links, Major, Minor, Inode, Uid, Gid}}, Kind) ->
    Time = fun(Seconds) -> shown_time(Seconds, Kind) end,
    {ok, #file_info{size = Size, type = Type, access = Access, atime = Time(Atime), mtime = Time(Mtime), ctime = Time(Ctime),
                    mode = Mode, links = Links, major_device = Major, minor_device = Minor, inode = Inode, uid = Uid, gid = Gid}}.

shown_time(Seconds, posix) -> Seconds;
shown_time(Seconds, universal) -> calendar:system_time_to_universal_time(Seconds, second);
shown_time(Seconds, local) -> calendar:system_time_to_local_time(Seconds, second).

posix_time(Seconds, posix) when is_integer(Seconds) -> Seconds;
posix_time(DateTime, universal) -> erlang:universaltime_to_posixtime(DateTime);
posix_time(DateTime, local) -> erlang:universaltime_to_posixtime(erlang:localtime_to_universaltime(DateTime));
posix_time(_, _) -> error(badarg).

write_file_info(Name, #file_info{} = Info) -> write_file_info(Name, Info, []).

%% Mode and owners that are `undefined` stay as they are. A missing time of access is the present one, a missing one of modification that of
%% access, as in OTP: the times are always written.
write_file_info(Name, #file_info{mode = Mode, uid = Uid, gid = Gid, atime = Atime, mtime = Mtime}, Options) ->
    Kind = proplists:get_value(time, Options, local),
    try
        Accessed = case Atime of
                       undefined -> erlang:system_time(second);
                       _ -> posix_time(Atime, Kind)
                   end,
        Modified = case Mtime of
                       undefined -> Accessed;
                       _ -> posix_time(Mtime, Kind)
                   end,
        Numbers = [{Key, Value} || {Key, Value} <- [{mode, Mode}, {uid, Uid}, {gid, Gid}], Value =/= undefined],
        erlet_file:set_info(Name, Numbers ++ [{time, Accessed, Modified}])
    catch error:badarg -> {error, badarg}
    end.

change_mode(Name, Mode) when is_integer(Mode) -> write_file_info(Name, #file_info{mode = Mode}).

change_owner(Name, Uid) when is_integer(Uid) -> write_file_info(Name, #file_info{uid = Uid}).

change_group(Name, Gid) when is_integer(Gid) -> write_file_info(Name, #file_info{gid = Gid}).

-define(IS_TIME(Time), (tuple_size(Time) =:= 2 andalso tuple_size(element(1, Time)) =:= 3 andalso tuple_size(element(2, Time)) =:= 3)).

change_time(Name, Time) when ?IS_TIME(Time) -> write_file_info(Name, #file_info{mtime = Time}).

change_time(Name, Atime, Mtime) when ?IS_TIME(Atime), ?IS_TIME(Mtime) -> write_file_info(Name, #file_info{atime = Atime, mtime = Mtime}).

%% What an error of this module means.
format_error({_, ?MODULE, undefined_script}) -> "no value returned from script";
format_error({Line, Module, Reason}) -> io_lib:format("~w: ~ts", [Line, Module:format_error(Reason)]);
format_error(badarg) -> "bad argument";
format_error(terminated) -> "the file server process is terminated";
format_error(system_limit) -> "a system limit was hit, probably not enough ports";
format_error(calling_self) -> "the file server process is calling itself";
format_error(Posix) -> erl_posix_msg:message(Posix).

%%% Opened files

-spec open(file:name_all(), [term()]) -> {ok, pid() | #file_descriptor{}} | {error, file:posix()}.
open(Name, Modes) when is_list(Modes) ->
    %% Files compressed as a whole are read and written through zlib.
    IsCompressed = lists:any(fun(Mode) -> Mode =:= compressed orelse Mode =:= compressed_one end, Modes),
    case lists:member(raw, Modes) of
        _ when IsCompressed -> {error, enotsup};
        true ->
            case erlet_file:open(Name, native_modes(Modes)) of
                {ok, Handle} -> {ok, #file_descriptor{module = erlet_file, data = {Handle, Modes}}};
                Error -> Error
            end;
        false -> erlet_file_server:open(Name, native_modes(Modes), Modes)
    end;
open(Name, read_write) -> open(Name, [read, write]);
open(Name, Mode) when is_atom(Mode) -> open(Name, [Mode]);
open(_, _) -> {error, badarg}.

native_modes(Modes) ->
    case [M || M <- Modes, lists:member(M, [read, write, append, exclusive, directory])] of
        [] -> [read];
        Access -> Access
    end.

path_open(Path, Name, Modes) -> in_path(Path, Name, fun(Full) -> open(Full, Modes) end).

close(#file_descriptor{data = {Handle, _}}) -> erlet_file:close(Handle);
close(Pid) when is_pid(Pid) ->
    case erlet_file_server:request(Pid, close) of
        {error, terminated} -> ok;
        Reply -> Reply
    end;
close(_) -> {error, badarg}.

read(#file_descriptor{data = {Handle, Modes}}, N) when is_integer(N), N >= 0 -> shaped(erlet_file:read(Handle, N), Modes);
read(Device, N) when is_integer(N), N >= 0, (is_pid(Device) orelse is_atom(Device)) ->
    case io:request(Device, {get_chars, latin1, '', N}) of
        %% Nothing can be had at the end, too.
        eof when N =:= 0 -> {ok, nothing(Device)};
        Data when is_list(Data); is_binary(Data) -> {ok, Data};
        Other -> Other
    end;
read(_, _) -> {error, badarg}.

nothing(Device) ->
    case io:getopts(Device) of
        Options when is_list(Options) ->
            case proplists:get_value(binary, Options, false) of
                true -> <<>>;
                false -> ""
            end;
        _ -> ""
    end.

%% A raw file gives lists unless it was opened as binary.
shaped({ok, Binary}, Modes) ->
    case lists:member(binary, Modes) of
        true -> {ok, Binary};
        false -> {ok, binary_to_list(Binary)}
    end;
shaped(Other, _) -> Other.

read_line(#file_descriptor{data = {Handle, Modes}}) -> shaped(raw_line(Handle, 256, []), Modes);
read_line(Device) when is_pid(Device); is_atom(Device) ->
    case io:request(Device, {get_line, latin1, ''}) of
        Data when is_list(Data); is_binary(Data) -> {ok, Data};
        Other -> Other
    end;
read_line(_) -> {error, badarg}.

%% What was read beyond the end of the line is given back by moving the position.
raw_line(Handle, Size, Parts) ->
    case erlet_file:read(Handle, Size) of
        {ok, Data} ->
            case binary:match(Data, <<"\n">>) of
                {At, _} ->
                    Rest = byte_size(Data) - At - 1,
                    {ok, _} = erlet_file:position(Handle, {cur, -Rest}),
                    {ok, without_return(list_to_binary(lists:reverse(Parts, [binary:part(Data, 0, At + 1)])))};
                nomatch -> raw_line(Handle, min(Size * 2, 65536), [Data | Parts])
            end;
        eof when Parts =:= [] -> eof;
        eof -> {ok, list_to_binary(lists:reverse(Parts))};
        Error -> Error
    end.

without_return(Line) ->
    Before = byte_size(Line) - 2,
    case Line of
        <<Text:Before/binary, "\r\n">> -> <<Text/binary, "\n">>;
        _ -> Line
    end.

write(#file_descriptor{data = {Handle, _}}, Data) ->
    try iolist_to_binary(Data) of
        Binary -> erlet_file:write(Handle, Binary)
    catch error:badarg -> {error, badarg}
    end;
write(Device, Data) when is_pid(Device); is_atom(Device) ->
    try iolist_to_binary(Data) of
        Binary -> io:request(Device, {put_chars, latin1, Binary})
    catch error:badarg -> {error, badarg}
    end;
write(_, _) -> {error, badarg}.

pread(File, Locations) when is_list(Locations) -> pread_all(File, Locations, []).

pread_all(File, [{At, N} | Locations], Data) ->
    case pread(File, At, N) of
        {ok, Part} -> pread_all(File, Locations, [Part | Data]);
        eof -> pread_all(File, Locations, [eof | Data]);
        Error -> Error
    end;
pread_all(_, [], Data) -> {ok, lists:reverse(Data)};
pread_all(_, _, _) -> {error, badarg}.

pread(#file_descriptor{}, At, _) when is_integer(At), At < 0 -> {error, einval};
pread(#file_descriptor{data = {Handle, Modes}}, At, N) when is_integer(At), is_integer(N), N >= 0 ->
    shaped(erlet_file:pread(Handle, At, N), Modes);
pread(Pid, At, N) when is_pid(Pid), is_integer(N), N >= 0 -> erlet_file_server:request(Pid, {pread, location(At), N});
pread(_, _, _) -> {error, badarg}.

pwrite(File, Locations) when is_list(Locations) -> pwrite_all(File, Locations, 0).

%% On failure also how many were written.
pwrite_all(File, [{At, Data} | Locations], Done) ->
    case pwrite(File, At, Data) of
        ok -> pwrite_all(File, Locations, Done + 1);
        {error, Reason} -> {error, {Done, Reason}}
    end;
pwrite_all(_, [], _) -> ok;
pwrite_all(_, _, _) -> {error, badarg}.

pwrite(#file_descriptor{}, At, _) when is_integer(At), At < 0 -> {error, einval};
pwrite(#file_descriptor{data = {Handle, _}}, At, Data) when is_integer(At) -> erlet_file:pwrite(Handle, At, iolist_to_binary(Data));
pwrite(Pid, At, Data) when is_pid(Pid) -> erlet_file_server:request(Pid, {pwrite, location(At), iolist_to_binary(Data)});
pwrite(_, _, _) -> {error, badarg}.

%% The location is `bof`, `cur`, `eof`, one of them with an offset, or an absolute position.
position(#file_descriptor{data = {Handle, _}}, Location) -> erlet_file:position(Handle, location(Location));
position(Pid, Location) when is_pid(Pid) -> erlet_file_server:request(Pid, {position, location(Location)});
position(_, _) -> {error, badarg}.

location(Offset) when is_integer(Offset) -> {bof, Offset};
location(Base) when is_atom(Base) -> {Base, 0};
location(Location) -> Location.

truncate(File) -> on_file(File, truncate, fun erlet_file:truncate/1).

sync(File) -> on_file(File, sync, fun erlet_file:sync/1).

datasync(File) -> on_file(File, datasync, fun erlet_file:datasync/1).

on_file(#file_descriptor{data = {Handle, _}}, _, F) -> F(Handle);
on_file(Pid, Request, _) when is_pid(Pid) -> erlet_file_server:request(Pid, Request);
on_file(_, _, _) -> {error, badarg}.

%% Hints that are not taken.
advise(_, _, _, Advice) ->
    case lists:member(Advice, [normal, sequential, random, no_reuse, will_need, dont_need]) of
        true -> ok;
        false -> {error, einval}
    end.

allocate(_, _, _) -> {error, enotsup}.
