%% `phash/2` of pids and references goes by their first number.
-module(the_old_hash_of_identifiers).
-export([main/0]).

main() ->
    Pids = [list_to_pid(Text) || Text <- ["<0.2.3>", "<0.1.0>", "<0.0.1>", "<0.32767.0>", "<0.5.8000>"]],
%% expect: [2387240611,3341103954,1,290111367,3820617878]
    print([erlang:phash(Pid, 16#ffffffff) || Pid <- Pids]),
    Refs = [list_to_ref(Text) || Text <- ["#Ref<0.0.0.122>", "#Ref<0.1.2.3>", "#Ref<0.9.2.3>"]],
%% expect: [1113403635,3125387976,3125387976]
    print([erlang:phash(Ref, 16#ffffffff) || Ref <- Refs]),
%% expect: 37442646
    print(erlang:phash([a, b, c, {1, 2, 3}, hd(Pids), 16#77777777777777], 16#ffffffff)),
    %% Units that are not whole, and times before the first.
%% expect: [-1,-278,-1,0,277,36893488147419103232]
    print([erlang:convert_time_unit(T, 4711, 17) || T <- [-1, -76767, -277, 1, 76767]] ++ [erlang:convert_time_unit(1 bsl 65, 7, 7)]).

print(Term) -> io:format("~0p~n", [Term]).
