%% Handlers of the logger have filters and formatters, which can be changed while they are there; what is wrong is refused.
-module(a_logger_of_ones_own_takes_formats_and_filters).

-export([main/0, log/2]).

log(Event, #{formatter := {Module, Config}, config := #{to := Pid}}) -> Pid ! {logged, lists:flatten(Module:format(Event, Config))}.

main() ->
    ok = logger:set_primary_config(level, notice),
    ok = logger:add_handler_filter(default, quiet, {fun(_, _) -> stop end, none}),
    ok = logger:add_handler(own, ?MODULE, #{config => #{to => self()}, formatter => {logger_formatter, #{template => [level, "|", msg, "|", {who, [who], ["nobody"]}]}}}),
    logger:error("~p and ~s", [{a, 1}, "text"]),
    told(),
    logger:error(#{a => 1, what => "it"}, #{who => joe}),
    told(),
    logger:info("not shown"),
    told(),
    ok = logger:set_primary_config(level, all),
    logger:info("shown\nin ~p", [lines]),
    told(),
    ok = logger:update_formatter_config(own, #{single_line => false, max_size => 20}),
    logger:notice("one\ntwo ~p", [lists:seq(1, 30)]),
    told(),
    ok = logger:set_handler_config(own, formatter, {logger_formatter, #{template => [[deep, key], " ", mfa, " ", msg], depth => 5}}),
    logger:log(error, "~p", [lists:seq(1, 30)], #{deep => #{key => "found"}, mfa => {m, f, [1, 2]}}),
    told(),
    ok = logger:add_handler_filter(own, warnings, {fun logger_filters:level/2, {stop, eq, warning}}),
    io:format("~p~n", [logger:add_handler_filter(own, warnings, {fun logger_filters:level/2, {stop, eq, warning}})]),
    logger:warning("filtered"),
    told(),
    ok = logger:remove_handler_filter(own, warnings),
    ok = logger:add_primary_filter(changes, {fun(#{msg := {string, _}} = Event, to) -> Event#{msg := {"changed ~w", [to]}}; (_, _) -> ignore end, to}),
    logger:warning("said"),
    told(),
    ok = logger:remove_primary_filter(changes),
    ok = logger:update_handler_config(own, #{filter_default => stop, filters => [{domain, {fun logger_filters:domain/2, {log, sub, [a]}}}]}),
    logger:error("elsewhere", #{domain => [b]}),
    logger:error("nowhere"),
    logger:error("within", #{domain => [a, b]}),
    told(),
    told(),
    io:format("~p~n", [[logger:set_primary_config(level, loud), logger:set_handler_config(own, level, loud), logger:set_handler_config(none, level, error),
                        logger:add_handler(own, ?MODULE, #{}), logger:add_handler(other, lists, #{}), logger:remove_handler(none),
                        logger:remove_primary_filter(none), logger:set_handler_config(own, module, lists),
                        logger:update_formatter_config(own, template, nothing), logger:set_handler_config(own, formatter, {logger_formatter, #{x => 1}})]]),
    ok = logger:set_module_level([?MODULE], none),
    io:format("~p ~p~n", [logger:get_module_level(), logger:allow(emergency, ?MODULE)]),
    io:format("~p~n", [logger:remove_handler(own)]),
    ok = logger:remove_handler_filter(default, quiet),
    ok = logger:unset_module_level(?MODULE).

told() ->
    receive {logged, Text} -> io:format("~ts~n", [Text])
    after 0 -> io:format("nothing~n")
    end.

%% expect: error|{a,1} and text|nobody
%% expect: error|a: 1, what: it|joe
%% expect: nothing
%% expect: info|shown, in lines|nobody
%% expect: notice|one
%% expect: two [1...
%% expect: found m:f/2 [1,2,3,4|...]
%% expect: {error,{already_exist,warnings}}
%% expect: nothing
%% expect:   changed to
%% expect:   within
%% expect: nothing
%% expect: [{error,{invalid_level,loud}},
%% expect:  {error,{invalid_level,loud}},
%% expect:  {error,{not_found,none}},
%% expect:  {error,{already_exist,own}},
%% expect:  {error,{invalid_handler,{function_not_exported,{lists,log,2}}}},
%% expect:  {error,{not_found,none}},
%% expect:  {error,{not_found,none}},
%% expect:  {error,{illegal_config_change,#{module =>
%% expect:                                      a_logger_of_ones_own_takes_formats_and_filters},
%% expect:                                #{module => lists}}},
%% expect:  {error,{invalid_formatter_template,logger_formatter,nothing}},
%% expect:  {error,{invalid_formatter_config,logger_formatter,{x,1}}}]
%% expect: [{a_logger_of_ones_own_takes_formats_and_filters,none}] false
%% expect: ok
