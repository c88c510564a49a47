%% Filters for the logger: each answers with the event, `stop`, or `ignore` for an event that it does not judge.
-module(logger_filters).

-export([domain/2, level/2, progress/2, remote_gl/2]).

-define(IS_ACTION(Action), (Action =:= log orelse Action =:= stop)).

%% By the event's domain, as compared with another: a list of atoms, the widest first.
-spec domain(logger:log_event(), {log | stop, super | sub | equal | not_equal | undefined, [atom()]}) ->
          stop | ignore | logger:log_event().
domain(#{meta := Meta} = Event, {Action, Compare, Other})
  when ?IS_ACTION(Action), is_list(Other),
       Compare =:= super orelse Compare =:= sub orelse Compare =:= equal orelse Compare =:= not_equal orelse Compare =:= undefined ->
    Fits =
        case Meta of
            #{domain := Domain} when Compare =:= equal -> Domain =:= Other;
            #{domain := Domain} when Compare =:= not_equal -> Domain =/= Other;
            #{domain := Domain} when Compare =:= super -> is_list(Domain) andalso lists:prefix(Domain, Other);
            #{domain := Domain} when Compare =:= sub -> is_list(Domain) andalso lists:prefix(Other, Domain);
            #{domain := _} -> false;
            #{} -> Compare =:= undefined orelse Compare =:= not_equal
        end,
    judged(Fits, Action, Event);
domain(Event, Extra) -> error(badarg, [Event, Extra]).

%% By the event's level, as compared with another.
-spec level(logger:log_event(), {log | stop, neq | eq | lt | gt | lteq | gteq, logger:level()}) ->
          stop | ignore | logger:log_event().
level(#{level := Level} = Event, {Action, Operator, Other} = Extra) when ?IS_ACTION(Action) ->
    try {logger:compare_levels(Level, Other), Operator} of
        {Order, neq} -> judged(Order =/= eq, Action, Event);
        {Order, eq} -> judged(Order =:= eq, Action, Event);
        {Order, lt} -> judged(Order =:= lt, Action, Event);
        {Order, gt} -> judged(Order =:= gt, Action, Event);
        {Order, lteq} -> judged(Order =/= gt, Action, Event);
        {Order, gteq} -> judged(Order =/= lt, Action, Event);
        _ -> error(badarg, [Event, Extra])
    catch error:_ -> error(badarg, [Event, Extra])
    end;
level(Event, Extra) -> error(badarg, [Event, Extra]).

%% Progress reports of supervisors and applications.
-spec progress(logger:log_event(), log | stop) -> stop | ignore | logger:log_event().
progress(Event, Action) when ?IS_ACTION(Action) ->
    Fits =
        case Event of
            #{msg := {report, #{label := {_, progress}}}} -> true;
            _ -> false
        end,
    judged(Fits, Action, Event);
progress(Event, Action) -> error(badarg, [Event, Action]).

%% Events of processes whose group leader is on another node.
-spec remote_gl(logger:log_event(), log | stop) -> stop | ignore | logger:log_event().
remote_gl(Event, Action) when ?IS_ACTION(Action) ->
    Fits =
        case Event of
            #{meta := #{gl := Leader}} -> node(Leader) =/= node();
            _ -> false
        end,
    judged(Fits, Action, Event);
remote_gl(Event, Action) -> error(badarg, [Event, Action]).

judged(false, _, _) -> ignore;
judged(true, log, Event) -> Event;
judged(true, stop, _) -> stop.
