%% `process_flag(error_handler, Module)`: calls of functions that are not there go to that module; to a handler that is not there
%% either, nothing does.
-module(a_process_may_handle_undefined_functions_itself).
-export([main/0, undefined_function/3, undefined_lambda/3]).

undefined_function(lists, Function, Args) -> error_handler:undefined_function(lists, Function, Args);
undefined_function(Module, Function, Args) -> {Module, Function, Args}.

undefined_lambda(Module, Fun, Args) -> {Module, is_function(Fun, length(Args)), Args}.

main() ->
%% expect: error_handler
    print(process_flag(error_handler, ?MODULE)),
    Missing = list_to_atom("no_such_module"),
%% expect: {no_such_module,run,[1,2]}
    print(Missing:run(1, 2)),
%% expect: {no_such_module,stop,[]}
    print(apply(Missing, stop, [])),
%% expect: {no_such_module,go,[x]}
    print((fun Missing:go/1)(x)),
%% expect: [3,2,1]
    print(lists:reverse([1, 2, 3])),
%% expect: {undef,{lists,no_such_function,[a]},main}
    print(try lists:no_such_function(a)
          catch
              error:Reason:Trace ->
                  [{M, F, A, []}, {?MODULE, Caller, _, _} | _] = Trace,
                  {Reason, {M, F, A}, Caller}
          end),
%% expect: a_process_may_handle_undefined_functions_itself
    print(process_flag(error_handler, error_handler)),
%% expect: undef
    print(try Missing:run() catch error:Other -> Other end),
%% expect: [1,2,3]
    print(error_handler:undefined_function(lists, seq, [1, 3])),
%% expect: {undef,[{m,f,[x],[]}]}
    print(try error_handler:stub_function(m, f, [x]) catch exit:Exit -> Exit end),
    %% Others are not concerned.
%% expect: undef
    {_, Monitor} = spawn_monitor(fun() -> Missing:run() end),
    receive {'DOWN', Monitor, process, _, {Why, _}} -> print(Why) end.

print(Term) -> io:format("~0p~n", [Term]).
