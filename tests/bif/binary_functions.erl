%% The binary module.
-module(binary_functions).
-export([main/0]).

main() ->
    B = <<"hello world, hello">>,
    show([binary:at(B, 0), binary:first(B), binary:last(B), binary:part(B, 0, 5), binary:part(B, {6, 5}), binary:copy(<<"ab">>), binary:copy(<<"ab">>, 3), binary:copy(<<>>, 5), binary:bin_to_list(<<1, 2, 3>>, 1, 2), binary:list_to_bin([1, <<2>>])]),
    show([binary:match(B, <<"o">>), binary:match(B, [<<"wor">>, <<"lo">>]), binary:match(B, <<"zz">>), binary:matches(B, <<"hello">>), binary:matches(B, [<<"l">>, <<"ll">>]), binary:matches(B, <<"zz">>), binary:match(B, <<"hello">>, [{scope, {1, 17}}])]),
    show([binary:split(<<"a,b,c">>, <<",">>), binary:split(<<"a,b,c">>, <<",">>, [global]), binary:split(<<",a,,">>, <<",">>, [global]), binary:split(<<",a,,">>, <<",">>, [global, trim]), binary:split(<<",a,,">>, <<",">>, [global, trim_all]),
          binary:split(<<"abc">>, <<"x">>), binary:split(<<"a;b,c">>, [<<",">>, <<";">>], [global])]),
    show([binary:replace(<<"a-b-c">>, <<"-">>, <<"+">>), binary:replace(<<"a-b-c">>, <<"-">>, <<"+">>, [global]), binary:replace(<<"abc">>, <<"b">>, <<"[]">>, [{insert_replaced, 1}])]),
    show([binary:encode_unsigned(258), binary:encode_unsigned(258, little), binary:encode_unsigned(0), binary:decode_unsigned(<<1, 2>>), binary:decode_unsigned(<<1, 2>>, little), binary:decode_unsigned(<<>>), binary:encode_unsigned(1 bsl 64)]),
    show([binary:longest_common_prefix([<<"abc">>, <<"abd">>]), binary:longest_common_suffix([<<"xbc">>, <<"abc">>]), binary:referenced_byte_size(<<"abc">>) > 0]),
    P = binary:compile_pattern(<<"lo">>),
    show(binary:matches(B, P)),
    show([attempt(F) || F <- [fun() -> binary:at(B, id(99)) end, fun() -> binary:first(id(<<>>)) end, fun() -> binary:part(B, id(10), id(99)) end, fun() -> binary:match(B, id(<<>>)) end, fun() -> binary:split(id(a), <<",">>) end,
                              fun() -> binary:encode_unsigned(id(-1)) end, fun() -> binary:copy(<<>>, id(-1)) end, fun() -> binary:decode_unsigned(id(a)) end, fun() -> binary:match(B, id([])) end]]).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [104,104,111,<<"hello">>,<<"world">>,<<"ab">>,<<"ababab">>,<<>>,[2,3],<<1,2>>]
%% expect: [{4,1},{3,2},nomatch,[{0,5},{13,5}],[{2,2},{9,1},{15,2}],[],{13,5}]
%% expect: [[<<"a">>,<<"b,c">>],
%% expect:  [<<"a">>,<<"b">>,<<"c">>],
%% expect:  [<<>>,<<"a">>,<<>>,<<>>],
%% expect:  [<<>>,<<"a">>],
%% expect:  [<<"a">>],
%% expect:  [<<"abc">>],
%% expect:  [<<"a">>,<<"b">>,<<"c">>]]
%% expect: [<<"a+b-c">>,<<"a+b+c">>,<<"a[b]c">>]
%% expect: [<<1,2>>,<<2,1>>,<<0>>,258,513,0,<<1,0,0,0,0,0,0,0,0>>]
%% expect: [2,2,true]
%% expect: [{3,2},{16,2}]
%% expect: [{error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg}]
