%% A process that stands between a supervisor and something that is no behaviour: it starts it, and ends it when it is told to end.
%%
%% `Module:init/1` starts it and answers with its process and a state; `Module:terminate/2` ends it.
-module(supervisor_bridge).

-export([start_link/2, start_link/3]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2, code_change/3, format_log/1, format_log/2]).

-callback init(Args :: term()) -> {ok, pid(), term()} | ignore | {error, term()}.
-callback terminate(Reason :: term(), State :: term()) -> term().

-record(bridge, {module, pid, state, name}).

-spec start_link(module(), term()) -> {ok, pid()} | ignore | {error, term()}.
start_link(Module, Args) -> gen_server:start_link(supervisor_bridge, [Module, Args, self], []).

-spec start_link({local, atom()} | {global, term()} | {via, module(), term()}, module(), term()) -> {ok, pid()} | ignore | {error, term()}.
start_link(Name, Module, Args) -> gen_server:start_link(Name, supervisor_bridge, [Module, Args, Name], []).

init([Module, Args, Name]) ->
    process_flag(trap_exit, true),
    case Module:init(Args) of
        {ok, Pid, State} ->
            link(Pid),
            Bridge = #bridge{module = Module, pid = Pid, state = State, name = name(Name, Module)},
            logger:log(info, #{label => {supervisor, progress},
                               report => [{supervisor, Bridge#bridge.name}, {started, [{pid, Pid}, {mfa, {Module, init, [Args]}}]}]},
                       meta(info_report, progress)),
            {ok, Bridge};
        ignore -> ignore;
        {error, Reason} -> {stop, Reason}
    end.

name(self, Module) -> {self(), Module};
name(Name, _) -> Name.

meta(Tag, Type) ->
    #{domain => [otp, sasl], report_cb => fun supervisor_bridge:format_log/2,
      logger_formatter => #{title => case Type of progress -> "PROGRESS REPORT"; _ -> "SUPERVISOR REPORT" end},
      error_logger => #{tag => Tag, type => Type, report_cb => fun supervisor_bridge:format_log/1}}.

handle_call(which_children, _, State) -> {reply, [], State};
handle_call(_, _, State) -> {reply, {error, badcall}, State}.

handle_cast(_, State) -> {noreply, State}.

handle_info({'EXIT', Pid, Reason}, #bridge{pid = Pid} = Bridge) ->
    case Reason of
        normal -> ok;
        shutdown -> ok;
        {shutdown, _} -> ok;
        _ -> report(child_terminated, Reason, Bridge)
    end,
    {stop, Reason, Bridge#bridge{pid = undefined}};
handle_info(_, Bridge) -> {noreply, Bridge}.

terminate(_, #bridge{pid = undefined}) -> ok;
terminate(Reason, #bridge{module = Module, pid = Pid, state = State}) ->
    unlink(Pid),
    Module:terminate(Reason, State),
    ok.

code_change(_, Bridge, _) -> {ok, Bridge}.

report(Context, Reason, #bridge{module = Module, pid = Pid, name = Name}) ->
    logger:log(error, #{label => {supervisor, Context},
                        report => [{supervisor, Name}, {errorContext, Context}, {reason, Reason}, {offender, [{pid, Pid}, {mod, Module}]}]},
               meta(error_report, supervisor_report)).

format_log(#{report := Report}) -> erlet_layout:format(layout(Report, fun error_logger:limit_term/1)).

format_log(#{report := Report}, Options) -> erlet_layout:text(layout(Report, fun(Term) -> Term end), single(Report), Options).

layout(Report, Cut) -> lists:append([["    ", atom_to_list(Key), ": ", part(Key, Value, Cut), "~n"] || {Key, Value} <- Report]).

part(supervisor, Name, _) -> {show, Name};
part(started, [Pid, {mfa, {M, F, Args}}], Cut) -> {show, [Pid, {mfa, {M, F, [Cut(Arg) || Arg <- Args]}}]};
part(_, Value, _) -> {cut, Value}.

single([{supervisor, Name}, {started, Child}]) ->
    {_, Pid} = lists:keyfind(pid, 1, Child),
    {_, Call} = lists:keyfind(mfa, 1, Child),
    ["Supervisor: ", {show, Name}, ". Started: pid=", {word, Pid}, ",mfa=", {show, Call}, "."];
single([{supervisor, Name}, {errorContext, Context}, {reason, Reason}, {offender, Child}]) ->
    {_, Pid} = lists:keyfind(pid, 1, Child),
    {_, Module} = lists:keyfind(mod, 1, Child),
    ["Supervisor: ", {show, Name}, ". Context: ", {show, Context}, ". Reason: ", {show, Reason}, ". Offender: pid=", {word, Pid}, ",mod=",
     {word, Module}, "."].
