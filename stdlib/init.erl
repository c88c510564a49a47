%% What a program asks about the way it was started, and how it ends the system.
-module(init).

-export([
    get_argument/1,
    get_arguments/0,
    get_plain_arguments/0,
    get_status/0,
    script_id/0,
    stop/0,
    stop/1
]).

-type stop_status() :: non_neg_integer() | string().

%% Flags of the emulator: there are none here.
-spec get_arguments() -> [{atom(), [string()]}].
get_arguments() -> [].

-spec get_argument(atom()) -> {ok, [[string()]]} | error.
get_argument(_Flag) -> error.

-spec get_plain_arguments() -> [string()].
get_plain_arguments() -> erlet_init:arguments().

-spec get_status() -> {started, started}.
get_status() -> {started, started}.

-spec script_id() -> {string(), string()}.
script_id() -> {"erlet", ""}.

-spec stop() -> ok.
stop() -> stop(0).

%% Applications are stopped first. The caller goes on until the system is gone.
-spec stop(stop_status()) -> ok.
stop(Status) when is_integer(Status), Status >= 0; is_list(Status) ->
    true = erlet_init:may_halt(),
    spawn(fun() ->
                  application_controller:stop_all(),
                  halt(Status)
          end),
    ok.
