%% Who gets which events of the logger: its configuration, kept in persistent terms, which are read at every event.
%%
%% There is the primary configuration, one for each handler, and levels of modules. Changes that are wrong are refused with the reasons that
%% Erlang/OTP gives.
-module(erlet_log_config).

-export([primary/0, set_primary/1, set_primary/2, update_primary/1, handlers/0, handler/1, add_handler/3, remove_handler/1,
         change_handler/3, change_handler/4, update_formatter/2, add_filter/3, remove_filter/2, drop_filter/2, level/1, module_levels/0,
         set_module_level/2, unset_module_level/1, proxy/0, set_proxy/1, is_changed/0]).

-define(PRIMARY, #{level => notice, metadata => #{}, filters => [], filter_default => log}).

%% The default handler shows what has no domain, or is of Erlang/OTP's own.
-define(DEFAULT,
        #{id => default, module => logger_std_h, level => all, filter_default => stop,
          filters => [{remote_gl, {fun logger_filters:remote_gl/2, stop}},
                      {domain, {fun logger_filters:domain/2, {log, super, [otp, sasl]}}},
                      {no_domain, {fun logger_filters:domain/2, {log, undefined, []}}}],
          formatter => {logger_formatter, #{legacy_header => true, single_line => false}},
          config => #{type => standard_error}}).

stored(Key, Default) -> persistent_term:get({logger, Key}, Default).

store(Key, Value) ->
    try persistent_term:put({logger, Key}, Value)
    catch error:eacces -> {error, eacces}
    end.

%% Whether anybody has changed who sees events.
-spec is_changed() -> boolean().
is_changed() -> maps:get(filters, primary()) =/= [] orelse handlers() =/= #{default => ?DEFAULT}.

%%% The primary configuration

-spec primary() -> map().
primary() -> stored(primary, ?PRIMARY).

-spec set_primary(atom(), term()) -> ok | {error, term()}.
set_primary(Key, Value) -> update_primary(#{Key => Value}).

-spec set_primary(map()) -> ok | {error, term()}.
set_primary(Config) -> change_primary(?PRIMARY, Config).

-spec update_primary(map()) -> ok | {error, term()}.
update_primary(Config) -> change_primary(primary(), Config).

change_primary(Old, Config) ->
    checked(fun() ->
                    check(primary, Config),
                    store(primary, maps:merge(Old, Config))
            end).

%%% Handlers

-spec handlers() -> #{atom() => map()}.
handlers() -> stored(handlers, #{default => ?DEFAULT}).

-spec handler(atom()) -> {ok, map()} | {error, {not_found, atom()}}.
handler(Id) ->
    case handlers() of
        #{Id := #{module := Module} = Config} ->
            case exported(Module, filter_config, 1) of
                true -> {ok, Module:filter_config(Config)};
                false -> {ok, Config}
            end;
        _ -> {error, {not_found, Id}}
    end.

fresh(Id, Module) ->
    #{id => Id, module => Module, level => all, filters => [], filter_default => log, formatter => {logger_formatter, #{}}}.

-spec add_handler(atom(), module(), map()) -> ok | {error, term()}.
add_handler(Id, Module, Given) ->
    checked(fun() ->
                    is_atom(Id) orelse throw({invalid_id, Id}),
                    is_atom(Module) orelse throw({invalid_module, Module}),
                    check(handler, Given),
                    %% Who may not change it starts nothing either.
                    store(handlers, handlers()) =:= ok orelse throw(eacces),
                    is_map_key(Id, handlers()) andalso throw({already_exist, Id}),
                    Config = maps:merge(fresh(Id, Module), Given#{id => Id, module => Module}),
                    case callback(Module, adding_handler, [Config], {ok, Config}) of
                        {ok, Ready} ->
                            exported(Module, log, 2) orelse throw({invalid_handler, {function_not_exported, {Module, log, 2}}}),
                            put_handler(Id, Ready);
                        {error, Reason} -> {error, {handler_not_added, Reason}};
                        Other -> {error, {handler_not_added, {bad_return_value, Other}}}
                    end
            end).

put_handler(Id, Config) -> store(handlers, (handlers())#{Id => Config}).

%% It is out of the way before it is told.
-spec remove_handler(atom()) -> ok | {error, term()}.
remove_handler(Id) ->
    case handlers() of
        #{Id := #{module := Module} = Config} = Handlers ->
            case store(handlers, maps:remove(Id, Handlers)) of
                ok ->
                    _ = callback(Module, removing_handler, [Config], ok),
                    ok;
                Error -> Error
            end;
        _ -> {error, {not_found, Id}}
    end.

-spec change_handler(set | update, atom(), atom(), term()) -> ok | {error, term()}.
change_handler(How, Id, Key, Value) ->
    changed(How, Id, #{Key => Value}, fun(Old) -> Old#{Key => Value} end).

%% `set` starts from the defaults, `update` from what there is.
-spec change_handler(set | update, atom(), map()) -> ok | {error, term()}.
change_handler(How, Id, Config) ->
    changed(How, Id, Config,
            fun(#{module := Module} = Old) ->
                    Base = case How of set -> fresh(Id, Module); update -> Old end,
                    maps:merge(Base, Config)
            end).

changed(How, Id, Given, Change) ->
    checked(fun() ->
                    is_atom(Id) orelse throw({invalid_id, Id}),
                    check(handler, Given),
                    Old =
                        case handlers() of
                            #{Id := Found} -> Found;
                            _ -> throw({not_found, Id})
                        end,
                    New = Change(Old),
                    case {maps:with([id, module], Old), maps:with([id, module], New)} of
                        {Same, Same} -> ok;
                        {Before, After} ->
                            Differ = [Key || Key <- maps:keys(Before), maps:get(Key, Before) =/= maps:get(Key, After)],
                            throw({illegal_config_change, maps:with(Differ, Before), maps:with(Differ, After)})
                    end,
                    case asked(maps:get(module, Old), How, Old, New) of
                        {ok, Ready} -> put_handler(Id, Ready);
                        {error, _} = Error -> Error
                    end
            end).

asked(Module, How, Old, New) ->
    case exported(Module, changing_config, 3) of
        true -> callback(Module, changing_config, [How, Old, New], {ok, New});
        false -> callback(Module, changing_config, [Old, New], {ok, New})
    end.

-spec update_formatter(atom(), map()) -> ok | {error, term()}.
update_formatter(Id, Given) ->
    case handlers() of
        #{Id := #{formatter := {Module, Old}} = Config} when is_map(Given) ->
            checked(fun() ->
                            Formatter = {Module, maps:merge(Old, Given)},
                            check_formatter(Formatter),
                            put_handler(Id, Config#{formatter := Formatter})
                    end);
        #{Id := _} -> {error, {invalid_formatter_config, Given}};
        _ -> {error, {not_found, Id}}
    end.

exported(Module, Function, Arity) ->
    _ = code:ensure_loaded(Module),
    erlang:function_exported(Module, Function, Arity).

callback(Module, Function, Args, Default) ->
    case exported(Module, Function, length(Args)) of
        true ->
            try apply(Module, Function, Args)
            catch Class:Reason:Stack -> {error, {callback_crashed, {Class, Reason, own(Stack)}}}
            end;
        false -> Default
    end.

own(Stack) -> lists:takewhile(fun({Module, _, _, _}) -> Module =/= ?MODULE end, Stack).

%%% Filters

-spec add_filter(primary | atom(), atom(), term()) -> ok | {error, term()}.
add_filter(Owner, Id, Filter) ->
    checked(fun() ->
                    check_filters([{Id, Filter}]),
                    Filters = filters(Owner),
                    lists:keymember(Id, 1, Filters) andalso throw({already_exist, Id}),
                    put_filters(Owner, [{Id, Filter} | Filters])
            end).

-spec remove_filter(primary | atom(), atom()) -> ok | {error, term()}.
remove_filter(Owner, Id) ->
    checked(fun() ->
                    case lists:keytake(Id, 1, filters(Owner)) of
                        {value, _, Filters} -> put_filters(Owner, Filters);
                        false -> throw({not_found, Id})
                    end
            end).

%% One that has failed.
-spec drop_filter(primary | atom(), atom()) -> ok.
drop_filter(Owner, Id) ->
    _ = remove_filter(Owner, Id),
    ok.

filters(primary) -> maps:get(filters, primary());
filters(Id) ->
    case handlers() of
        #{Id := #{filters := Filters}} -> Filters;
        _ -> throw({not_found, Id})
    end.

put_filters(primary, Filters) -> store(primary, (primary())#{filters := Filters});
put_filters(Id, Filters) ->
    #{Id := Config} = handlers(),
    put_handler(Id, Config#{filters := Filters}).

%%% Levels of modules

-spec module_levels() -> #{module() => logger:level() | all | none}.
module_levels() -> stored(module_levels, #{}).

%% What counts for a module.
-spec level(module()) -> logger:level() | all | none.
level(Module) ->
    case module_levels() of
        #{Module := Level} -> Level;
        _ -> maps:get(level, primary())
    end.

-spec set_module_level([module()], term()) -> ok | {error, term()}.
set_module_level(Modules, Level) ->
    checked(fun() ->
                    lists:all(fun is_atom/1, Modules) orelse throw({not_a_list_of_modules, Modules}),
                    check_level(Level),
                    store(module_levels, maps:merge(module_levels(), maps:from_keys(Modules, Level)))
            end).

-spec unset_module_level(all | [module()]) -> ok | {error, term()}.
unset_module_level(all) -> store(module_levels, #{});
unset_module_level(Modules) ->
    case lists:all(fun is_atom/1, Modules) of
        true -> store(module_levels, maps:without(Modules, module_levels()));
        false -> {error, {not_a_list_of_modules, Modules}}
    end.

%%% What would be handed on

-spec proxy() -> map().
proxy() -> stored(proxy, #{}).

-spec set_proxy(map()) -> ok | {error, term()}.
set_proxy(Config) -> store(proxy, Config).

%%% Checking: what is wrong is thrown

checked(Change) ->
    try Change()
    catch throw:Reason -> {error, Reason}
    end.

check(Of, Config) when is_map(Config) -> lists:foreach(fun(Item) -> check_item(Of, Item) end, maps:to_list(Config));
check(_, Config) -> throw({invalid_config, Config}).

check_item(_, {level, Level}) -> check_level(Level);
check_item(_, {filters, Filters}) -> check_filters(Filters);
check_item(_, {filter_default, Default}) ->
    Default =:= log orelse Default =:= stop orelse throw({invalid_filter_default, Default});
check_item(handler, {formatter, Formatter}) -> check_formatter(Formatter);
check_item(primary, {metadata, Meta}) when is_map(Meta) -> ok;
check_item(primary, Item) -> throw({invalid_primary_config, Item});
check_item(handler, _) -> ok.

check_level(Level) ->
    Levels = [none, emergency, alert, critical, error, warning, notice, info, debug, all],
    lists:member(Level, Levels) orelse throw({invalid_level, Level}).

check_filters([{Id, {Filter, _}} | Filters]) when is_atom(Id), is_function(Filter, 2) -> check_filters(Filters);
check_filters([]) -> ok;
check_filters([Filter | _]) -> throw({invalid_filter, Filter});
check_filters(Filters) -> throw({invalid_filters, Filters}).

check_formatter({Module, Config}) when is_atom(Module) ->
    case exported(Module, check_config, 1) of
        true ->
            try Module:check_config(Config) of
                ok -> ok;
                {error, Reason} -> throw(Reason)
            catch
                error:Reason:Stack -> throw({callback_crashed, {error, Reason, own(Stack)}});
                exit:Reason:Stack -> throw({callback_crashed, {exit, Reason, own(Stack)}})
            end;
        false -> ok
    end;
check_formatter({Module, _}) -> throw({invalid_module, Module});
check_formatter(Formatter) -> throw({invalid_formatter, Formatter}).
