%% The net kernel of a node that is not part of a network.
-module(net_kernel).

-export([connect_node/1, monitor_nodes/1, monitor_nodes/2, get_net_ticktime/0, get_state/0, stop/0, dflag_unicode_io/1]).

%% There is no other node to connect with.
-spec connect_node(node()) -> ignored.
connect_node(Node) when is_atom(Node) -> ignored.

%% No node ever comes or goes.
-spec monitor_nodes(boolean()) -> ok.
monitor_nodes(Flag) when is_boolean(Flag) -> ok.

-spec monitor_nodes(boolean(), [term()]) -> ok.
monitor_nodes(Flag, Options) when is_boolean(Flag), is_list(Options) -> ok.

-spec get_net_ticktime() -> ignored.
get_net_ticktime() -> ignored.

-spec get_state() -> #{started := no}.
get_state() -> #{started => no}.

-spec stop() -> {error, not_found}.
stop() -> {error, not_found}.

%% Whether the node of an I/O device knows characters of Unicode: all do that a device may be on.
-spec dflag_unicode_io(pid()) -> true.
dflag_unicode_io(Pid) when is_pid(Pid) -> true.
