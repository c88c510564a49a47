%% The process `logger`: writes what the virtual machine has to report.
%%
%% The machine sends a message for each process that an uncaught error has ended; here it becomes an event of the logger. Whoever
%% is about to end the machine waits for `flush/0` first. What others send is forgotten: writing is work that nobody pays for, so
%% each report has a number, by which the machine knows it as its own.
-module(erlet_reporter).

-export([start/0, flush/0, halt/1]).

-define(PATIENCE, 10000).
%% A term that takes so many words may be shown with so many characters.
-define(MANY_WORDS, 8192).
-define(MANY_CHARACTERS, 65536).

-spec start() -> no_return().
start() ->
    receive
        {Label, Number, Pid, Leader, Time, What} ->
            case erlet_init:is_report(Number) of
                true ->
                    {Format, Args} = text(Label, Pid, What),
                    write(Pid, Leader, Time, Format, Args),
                    erlet_init:reported(Number);
                false -> ok
            end;
        {flush, From, Ref} when is_pid(From) -> From ! {flushed, Ref};
        _ -> ok
    end,
    start().

text(uncaught, Pid, Reason) -> {"Error in process ~p with exit value:~n~p~n", [Pid, Reason]};
text(heap_limit, Pid, Values) ->
    {"     Process:            ~p ~n     Context:            maximum heap size reached~n"
     "     Max Heap Size:      ~p~n     Total Heap Size:    ~p~n     Kill:               ~p~n"
     "     Error Logger:       ~p~n     Message Queue Len:  ~p~n     GC Info:            ~p~n",
     [Pid | tuple_to_list(Values)]};
text(limit, Pid, {What, Used, Limit}) ->
    {"     Process:            ~p ~n     Context:            limit of ~p reached~n"
     "     Limit:              ~p~n     In use:             ~p~n",
     [Pid, What, Limit, Used]}.

write(Pid, Leader, Time, Format, Args) ->
    Meta = #{pid => Pid, gl => Leader, time => Time, error_logger => #{emulator => true, tag => error}},
    try logger:has_own_handlers() of
        false ->
            {Shown, ShownArgs} = shown(Format, Args),
            logger:log(error, Shown, ShownArgs, Meta);
        true ->
            %% Handlers and filters are the program's code, which runs with the program's rights and limits.
            {Runner, Ref} = spawn_opt(fun() -> logger:log(error, Format, Args, Meta) end, [monitor, machine]),
            receive
                {'DOWN', Ref, process, Runner, _} -> ok
            after ?PATIENCE -> exit(Runner, kill)
            end
    catch
        %% Even formatting may be what has failed.
        Class:Reason:Stack ->
            Text = [erlet_io:write_flat(Term, unicode) || Term <- [Args, {Class, Reason, Stack}]],
            erlet_io:write_stderr(unicode:characters_to_binary([[Line, $\n] || Line <- Text]))
    end.

%% Where there are limits, what is huge is not written whole: what that takes is not counted.
shown(Format, Args) ->
    case erlet_io:is_limited() andalso erts_debug:flat_size(Args) > ?MANY_WORDS of
        true -> {"~ts", [io_lib:format(Format, Args, [{chars_limit, ?MANY_CHARACTERS}])]};
        false -> {Format, Args}
    end.

%% Waits until what was reported before is written.
-spec flush() -> ok.
flush() ->
    case whereis(logger) of
        Pid when is_pid(Pid), Pid =/= self() ->
            Ref = monitor(process, Pid),
            Pid ! {flush, self(), Ref},
            receive
                {flushed, Ref} ->
                    demonitor(Ref, [flush]),
                    ok;
                {'DOWN', Ref, process, Pid, _} -> ok
            after ?PATIENCE -> ok
            end;
        _ -> ok
    end.

-spec halt(0..16#7fffffff) -> no_return().
halt(Status) ->
    flush(),
    erlet_init:halt(Status).
