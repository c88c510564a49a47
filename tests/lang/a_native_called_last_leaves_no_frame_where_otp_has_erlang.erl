%% Functions that OTP has in Erlang have taken the place of the one that calls them last.
%% expect: badarg [{binary,bin_to_list}]
%% expect: badarg [{erlang,binary_to_atom}]
%% expect: badarg [{erlang,atom_to_binary}]
%% expect: badarg [{ets,tab2list}]
%% expect: badarg [{erlang,integer_to_list},
%% expect:         {a_native_called_last_leaves_no_frame_where_otp_has_erlang,length}]
%% expect: badarg [{erlang,binary_to_atom},
%% expect:         {a_native_called_last_leaves_no_frame_where_otp_has_erlang,not_last}]
-module(a_native_called_last_leaves_no_frame_where_otp_has_erlang).
-export([main/0]).

main() ->
    [show(F) || F <- [fun list/0, fun atom/0, fun binary/0, fun ets/0, fun length/0, fun not_last/0]],
    ok.

show(F) ->
    try F()
    catch
        error:Reason:Stack ->
            Frames = [{M, N} || {M, N, _, _} <- Stack, lists:member(N, names())],
            io:format("~p ~p~n", [Reason, Frames])
    end.

names() -> [bin_to_list, binary_to_atom, atom_to_binary, tab2list, integer_to_list, list, atom, binary, ets, length, not_last].

list() -> binary:bin_to_list(id(ok), 1, ok).
atom() -> binary_to_atom(id(1)).
binary() -> atom_to_binary(id(1)).
ets() -> ets:tab2list(id(none)).
length() -> integer_to_list(id(none)).
not_last() -> {binary_to_atom(id(1))}.

id(X) -> X.
