%% Making atoms without end raises system_limit; the rest goes on.
%% never on OTP: its virtual machine ends
%% plain only: it makes a million atoms
-module(a_full_atom_table_is_system_limit).
-export([main/0]).

main() ->
    show(start),
    show(try make(0) catch error:system_limit -> full end),
    show(list_to_atom("true")),
    show(attempt(fun() -> list_to_atom("one_more_" ++ "atom") end)).

make(N) -> _ = list_to_atom("atom_" ++ integer_to_list(N)), make(N + 1).

%% expect: start
%% expect: full
%% expect: true
%% expect: {error,system_limit}

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.
