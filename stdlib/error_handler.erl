%% What happens when a process calls a function that is not there. The machine itself looks for the module and raises `undef`;
%% these functions say the same in Erlang, for programs that have a handler of their own (`process_flag(error_handler, Module)`) and
%% leave to this one what is not theirs.
-module(error_handler).

-export([undefined_function/3, undefined_lambda/3, raise_undef_exception/3, stub_function/3]).

%% Loads the module and makes the call, leaves it to what the module has for functions it does not have, or raises `undef`.
-spec undefined_function(module(), atom(), [term()]) -> term().
undefined_function(Module, Function, Args) ->
    _ = is_loaded(Module),
    Handler = '$handle_undefined_function',
    case {erlang:function_exported(Module, Function, length(Args)), erlang:function_exported(Module, Handler, 2)} of
        {true, _} -> apply(Module, Function, Args);
        {false, true} -> Module:Handler(Function, Args);
        _ -> crash(Module, Function, Args)
    end.

%% The same for a fun whose module is not loaded.
-spec undefined_lambda(module(), fun(), [term()]) -> term().
undefined_lambda(Module, Fun, Args) ->
    case is_loaded(Module) of
        true -> apply(Fun, Args);
        false -> crash([{Fun, Args, []}])
    end.

-spec raise_undef_exception(module(), atom(), [term()]) -> no_return().
raise_undef_exception(Module, Function, Args) -> crash(Module, Function, Args).

%% For functions that are declared and were never written.
-spec stub_function(module(), atom(), [term()]) -> no_return().
stub_function(Module, Function, Args) -> exit({undef, [{Module, Function, Args, []}]}).

is_loaded(Module) ->
    case code:ensure_loaded(Module) of
        {module, _} -> true;
        {error, _} -> false
    end.

crash(Module, Function, Args) -> crash([{Module, Function, Args, []}]).

%% The trace is that of who made the call: nothing in it is from here.
crash(Frames) ->
    try error(undef)
    catch
        error:undef:Trace ->
            Callers = lists:dropwhile(fun(Frame) -> element(1, Frame) =:= ?MODULE end, Trace),
            erlang:raise(error, undef, Frames ++ Callers)
    end.
