%% `{minor_version, 0}` writes floats as text of 31 bytes; all versions are read.
-module(floats_in_decimal_are_the_format_s_oldest_version).
-export([main/0]).

main() ->
%% expect: <<131,99,53,46,53,48,48,48,48,48,48,48,48,48,48,48,48,48,48,48,48,48,48,48,101,43,48,48,0,0,0,0,0>>
    print(term_to_binary(5.5, [{minor_version, 0}])),
%% expect: <<"-5.49999999999999988915e-300">>
    <<131, 108, 1:32, 99, Text:28/binary, 0, 0, 0, 106>> = term_to_binary([-5.5e-300], [{minor_version, 0}]),
    print(Text),
%% expect: true
    Terms = [0.0, 1.0, -1.5e300, {4.9e-324, [1.7976931348623157e308]}, #{1.5 => 2.5}],
    print(Terms =:= binary_to_term(term_to_binary(Terms, [{minor_version, 0}, compressed]))),
%% expect: [sizes,33,10,10,33]
    print([sizes, erlang:external_size(5.5, [{minor_version, 0}]), erlang:external_size(5.5, [{minor_version, 1}]),
           erlang:external_size(5.5), byte_size(iolist_to_binary(erlang:term_to_iovec(5.5, [{minor_version, 0}])))]),
%% expect: badarg
    print(try term_to_binary(5.5, [{minor_version, 3}]) catch error:Reason -> Reason end).

print(Term) -> io:format("~0p~n", [Term]).
