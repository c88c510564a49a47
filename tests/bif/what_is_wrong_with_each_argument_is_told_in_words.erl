%% What a shell prints under `called as`: the texts for the arguments of natives and library functions (OTP 25's).
-module(what_is_wrong_with_each_argument_is_told_in_words).
-export([main/0]).

main() ->
    show(erlang, abs, [x]),
    show(erlang, element, [5, {a}]),
    show(erlang, setelement, [x, y, z]),
    show(erlang, list_to_atom, [[a | b]]),
    show(erlang, list_to_existing_atom, ["no such atom here, surely"]),
    show(erlang, binary_to_existing_atom, [<<255>>, utf8]),
    show(erlang, binary_part, [<<"abc">>, 2, 5]),
    show(erlang, binary_part, [<<"abc">>, {x, 1}]),
    show(erlang, binary_to_integer, [<<"12x">>]),
    show(erlang, integer_to_list, [12, 99]),
    show(erlang, binary_to_term, [<<1>>, [safe]]),
    show(erlang, binary_to_term, [<<1>>, [nonsense]]),
    show(erlang, register, [undefined, self()]),
    show(erlang, send_after, [-1, self(), x]),
    show(erlang, send_after, [1 bsl 70, 1, x]),
    show(erlang, monitor, [nonsense, self()]),
    show(erlang, monitor, [process, 1, [nonsense]]),
    show(erlang, process_flag, [nonsense, true]),
    show(erlang, process_flag, [trap_exit, 1]),
    show(erlang, spawn_opt, [fun() -> ok end, [nonsense]]),
    show(erlang, spawn, [a, 1, b]),
    show(erlang, send, [self(), x, nonsense]),
    show(erlang, link, [1]),
    show(erlang, system_info, [nonsense]),
    show(erlang, is_process_alive, [1]),
    show(erlang, map_get, [a, #{}]),
    show(erlang, md5_update, [<<1>>, x]),
    show(erlang, decode_packet, [nonsense, <<>>, []]),
    show(erlang, '!', [nobody, x]),
    show(atomics, new, [0, [nonsense]]),
    show(atomics, put, [atomics:new(2, []), 3, x]),
    show(counters, add, [x, 1, y]),
    show(persistent_term, get, [no_such_key]),
    show(maps, get, [a, #{}]),
    show(maps, fold, [x, 0, y]),
    show(lists, keyfind, [a, 0, x]),
    show(lists, seq, [1, 5, -1]),
    show(math, sqrt, [-1]),
    show(math, fmod, [1, 0]),
    show(binary, at, [<<1:3>>, -1]),
    show(binary, match, [<<"abc">>, <<>>]),
    show(unicode, characters_to_list, [x, y]),
    show(re, run, [x, "(", []]),
    show(ets, insert, [no_table, {}]),
    show(ets, lookup_element, [ets:new(t, []), a, 2]),
    show(ets, new, [1, [nonsense]]),
    show(ets, update_counter, [ets:new(t, []), a, {2, 1}]),
    show(ets, select, [ets:new(t, []), x]),
    show(io, format, ["~p", []]),
    show(io, format, [nobody, "~p", [1]]),
    show(io, put_chars, [x]),
    show(os, putenv, ["a=b", 1]).

show(M, F, Args) ->
    try apply(M, F, Args)
    catch
        error:Reason:Stack ->
            [{M, F, _, Info} | _] = Stack,
            {_, #{module := Explainer}} = lists:keyfind(error_info, 1, Info),
            Texts = lists:sort(maps:to_list(Explainer:format_error(Reason, Stack))),
            io:format("~w:~w/~w~ts~n", [M, F, length(Args), [text(Text) || Text <- Texts]])
    end.

text({I, Text}) -> [io_lib:format(" ~w: ", [I]), string:replace(unicode:characters_to_list(Text), "\n", " / ")].

%% expect: erlang:abs/1 1: not a number
%% expect: erlang:element/2 1: out of range
%% expect: erlang:setelement/3 1: not an integer 2: not a tuple
%% expect: erlang:list_to_atom/1 1: not a proper list
%% expect: erlang:list_to_existing_atom/1 1: not an already existing atom
%% expect: erlang:binary_to_existing_atom/2 1: invalid UTF8 encoding
%% expect: erlang:binary_part/3 3: out of range
%% expect: erlang:binary_part/2 2: not a valid {Pos,Length} tuple
%% expect: erlang:binary_to_integer/1 1: not a textual representation of an integer
%% expect: erlang:integer_to_list/2 2: not an integer in the range 2 through 36
%% expect: erlang:binary_to_term/2 1: invalid or unsafe external representation of a term
%% expect: erlang:binary_to_term/2 2: invalid option in list
%% expect: erlang:register/2 1: 'undefined' is not a valid name
%% expect: erlang:send_after/3 1: out of range
%% expect: erlang:send_after/3 1: exceeds the maximum supported time value 2: not a pid or an atom
%% expect: erlang:monitor/2 1: invalid monitor type
%% expect: erlang:monitor/3 2: not a pid 3: invalid option in list
%% expect: erlang:process_flag/2 1: invalid process flag
%% expect: erlang:process_flag/2 2: invalid value for this process flag
%% expect: erlang:spawn_opt/2 2: invalid spawn option
%% expect: erlang:spawn/3 2: not an atom 3: not a list
%% expect: erlang:send/3 3: not a list
%% expect: erlang:link/1 1: not a pid
%% expect: erlang:system_info/1 1: invalid system info item
%% expect: erlang:is_process_alive/1 1: not a pid
%% expect: erlang:map_get/2 1: not present in map
%% expect: erlang:md5_update/2 1: invalid MD5 context 2: not an iodata term
%% expect: erlang:decode_packet/3 1: invalid packet type 3: invalid option in list
%% expect: erlang:'!'/2
%% expect: atomics:new/2 1: out of range 2: invalid option in list
%% expect: atomics:put/3 2: out of range 3: not an integer
%% expect: counters:add/3 1: invalid atomics reference 3: not an integer
%% expect: persistent_term:get/1 1: no persistent term stored with this key
%% expect: maps:get/2 1: not present in map
%% expect: maps:fold/3 1: not a fun that takes three arguments 3: not a map or an iterator
%% expect: lists:keyfind/3 2: out of range 3: not a list
%% expect: lists:seq/3 3: not a positive increment
%% expect: math:sqrt/1 1: is outside the domain for this function
%% expect: math:fmod/2 2: is outside the domain for this function
%% expect: binary:at/2 1: is a bitstring (expected a binary) 2: out of range
%% expect: binary:match/2 2: not a valid pattern
%% expect: unicode:characters_to_list/2 1: not valid character data (an iodata term) 2: not a valid encoding
%% expect: re:run/3 1: not an iodata term 2: could not parse regular expression / missing ) on character 1
%% expect: ets:insert/2 1: the table identifier does not refer to an existing ETS table 2: is an empty tuple
%% expect: ets:lookup_element/3 2: not a key that exists in the table
%% expect: ets:new/2 1: not an atom
%% expect: ets:update_counter/3 2: not a key that exists in the table
%% expect: ets:select/2 2: not a valid match specification
%% expect: io:format/2 1: wrong number of arguments
%% expect: io:format/3 1: the device does not exist
%% expect: io:put_chars/1 1: not valid character data (an iodata term)
%% expect: os:putenv/2 1: "=" characters is not allowed in environment variable names 2: not a list
