%% Servers of the system: each starts with the first request, and belongs to nobody.
-module(erlet_system).

-export([call/2, start/2]).

%% Asks the server of that name and module.
-spec call({atom(), module()}, term()) -> term().
call({Name, Module}, Request) ->
    whereis(Name) =:= undefined andalso start(Name, Module),
    gen_server:call(Name, Request, infinity).

%% It does not end with the application that happened to need it first.
-spec start(atom(), module()) -> ok.
start(Name, Module) ->
    case gen_server:start({local, Name}, Module, [], []) of
        {ok, Pid} ->
            User = whereis(user),
            is_pid(User) andalso group_leader(User, Pid),
            ok;
        {error, {already_started, _}} -> ok
    end.
