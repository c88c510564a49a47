%% A child of a supervisor.
%%
%% pid: its process; `undefined` if it is not running; `{restarting, OldPid}` if starting it again failed and will be tried anew.
-record(child, {pid = undefined, id, start, restart, significant = false, shutdown, type, modules = []}).
