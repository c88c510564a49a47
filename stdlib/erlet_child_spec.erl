%% Supervisor flags and child specifications: checked, defaults filled in.
-module(erlet_child_spec).

-export([flags/1, child/2, children/2, to_spec/1]).

-include("erlet_supervisor.hrl").

%% The flags as a map with all keys, or an error term.
-spec flags(term()) -> {ok, map()} | {error, term()}.
flags({Strategy, Intensity, Period}) -> flags(#{strategy => Strategy, intensity => Intensity, period => Period});
flags(Flags) when is_map(Flags) ->
    Full = maps:merge(#{strategy => one_for_one, intensity => 1, period => 5, auto_shutdown => never}, Flags),
    #{strategy := Strategy, intensity := Intensity, period := Period, auto_shutdown := Shutdown} = Full,
    first_error([{lists:member(Strategy, [simple_one_for_one, one_for_one, one_for_all, rest_for_one]), {invalid_strategy, Strategy}},
                 {is_integer(Intensity) andalso Intensity >= 0, {invalid_intensity, Intensity}},
                 {is_integer(Period) andalso Period > 0, {invalid_period, Period}},
                 {lists:member(Shutdown, [never, any_significant, all_significant]), {invalid_auto_shutdown, Shutdown}}],
                Full);
flags(Other) -> {error, {invalid_type, Other}}.

first_error(Checks, Result) ->
    case [Error || {false, Error} <- Checks] of
        [] -> {ok, Result};
        [Error | _] -> {error, Error}
    end.

%% Children in order; no id may appear twice.
-spec children([term()], atom()) -> {ok, [#child{}]} | {error, term()}.
children(Specs, AutoShutdown) -> children(Specs, AutoShutdown, #{}, []).

children([Spec | Specs], AutoShutdown, Ids, Children) ->
    case child(Spec, AutoShutdown) of
        {ok, #child{id = Id}} when is_map_key(Id, Ids) -> {error, {duplicate_child_name, Id}};
        {ok, #child{id = Id} = Child} -> children(Specs, AutoShutdown, Ids#{Id => true}, [Child | Children]);
        Error -> Error
    end;
children([], _, _, Children) -> {ok, lists:reverse(Children)}.

-spec child(term(), atom()) -> {ok, #child{}} | {error, term()}.
child({Id, Start, Restart, Shutdown, Type, Modules}, AutoShutdown) ->
    child(#{id => Id, start => Start, restart => Restart, shutdown => Shutdown, type => Type, modules => Modules}, AutoShutdown);
child(Spec, AutoShutdown) when is_map(Spec) ->
    case Spec of
        #{id := Id, start := Start} -> child(Id, Start, Spec, AutoShutdown);
        #{id := _} -> {error, missing_start};
        #{} -> {error, missing_id}
    end;
child(Other, _) -> {error, {invalid_child_spec, Other}}.

child(Id, Start, Spec, AutoShutdown) ->
    Restart = maps:get(restart, Spec, permanent),
    Type = maps:get(type, Spec, worker),
    Significant = maps:get(significant, Spec, false),
    Shutdown = maps:get(shutdown, Spec, if Type =:= supervisor -> infinity; true -> 5000 end),
    Modules = maps:get(modules, Spec, if is_tuple(Start), tuple_size(Start) >= 1 -> [element(1, Start)]; true -> [] end),
    IsStart =
        case Start of
            {M, F, A} -> is_atom(M) andalso is_atom(F) andalso is_list(A);
            _ -> false
        end,
    Combination = fun(Other) -> {bad_combination, [Other, {significant, true}]} end,
    first_error([{IsStart, {invalid_mfa, Start}},
                 {lists:member(Restart, [permanent, temporary, transient]), {invalid_restart_type, Restart}},
                 {not (Significant =:= true andalso AutoShutdown =:= never), Combination({auto_shutdown, never})},
                 {not (Significant =:= true andalso Restart =:= permanent), Combination({restart, permanent})},
                 {is_boolean(Significant), {invalid_significant, Significant}},
                 {Type =:= worker orelse Type =:= supervisor, {invalid_child_type, Type}},
                 {is_integer(Shutdown) andalso Shutdown >= 0 orelse Shutdown =:= infinity orelse Shutdown =:= brutal_kill,
                  {invalid_shutdown, Shutdown}} | module_checks(Modules)],
                #child{id = Id, start = Start, restart = Restart, significant = Significant, shutdown = Shutdown,
                       type = Type, modules = Modules}).

module_checks(dynamic) -> [];
module_checks(Modules) when is_list(Modules) -> [{is_atom(M), {invalid_module, M}} || M <- Modules];
module_checks(Other) -> [{false, {invalid_modules, Other}}].

to_spec(#child{id = Id, start = Start, restart = Restart, significant = Significant, shutdown = Shutdown, type = Type,
               modules = Modules}) ->
    #{id => Id, start => Start, restart => Restart, significant => Significant, shutdown => Shutdown, type => Type,
      modules => Modules}.
