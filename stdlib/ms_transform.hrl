%% Makes match specifications of the funs given to `ets:fun2ms/1`.
-compile({parse_transform, ms_transform}).
