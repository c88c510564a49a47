%% Functions of `erlang` and `string` that programs seldom call (OTP 25's answers).
-module(seldom_used_natives).
-export([main/0]).

main() ->
    Whole = erlang:md5("hello, world, this is longer than one block of sixty-four bytes, is it not?"),
    Parts = lists:foldl(fun(Part, Context) -> erlang:md5_update(Context, Part) end, erlang:md5_init(),
                        ["hello, ", <<"world">>, ["", ", this is longer than one block of sixty-four ", <<"bytes, is">>], " it not?"]),
    io:format("~w~n", [erlang:md5_final(Parts) =:= Whole]),
    io:format("~w~n", [erlang:md5_final(erlang:md5_init())]),
    Long = binary:copy(<<"0123456789">>, 1000),
    Context = erlang:md5_update(erlang:md5_update(erlang:md5_init(), Long), Long),
    io:format("~w ~w~n", [byte_size(Context), erlang:md5_final(Context) =:= erlang:md5([Long, Long])]),
    io:format("~w~n", [erlang:adler32_combine(erlang:adler32("abc"), erlang:adler32("defg"), 4) =:= erlang:adler32("abcdefg")]),
    io:format("~w~n", [erlang:adler32_combine(16#ffff0001, 16#12345678, 100000)]),
    io:format("~w~n", [erlang:iolist_to_iovec([1, <<2, 3>>, "ab"])]),
    io:format("~w~n", [erlang:iolist_to_iovec([])]),
    io:format("~w~n", [erlang:term_to_iovec([1]) =:= [term_to_binary([1])]]),
    Self = self(),
    io:format("~w~n", [erlang:'!'(Self, hello)]),
    receive Message -> io:format("~w~n", [Message]) end,
    Ref = make_ref(),
    io:format("~w~n", [list_to_ref(ref_to_list(Ref)) =:= Ref]),
    io:format("~w~n", [[string:list_to_integer(S) || S <- ["12ab", "-7", "+12 ", "x", "", x, [$1 | a]]]]),
    io:format("~w~n", [[string:list_to_float(S) || S <- ["1.5e3x", "1", "1.5e", "1.5e400", x, "-0.25"]]]),
    io:format("~w~n", [[nodes(this), nodes(hidden), nodes([this, known]), nodes(this, #{connection_id => true})]]),
    io:format("~w~n", [[erlang:get_cookie(), monitor_node(node(), true), catch_reason(fun() -> monitor_node(other, true) end)]]),
    io:format("~w~n", [erlang:match_spec_test({a, 1}, [{{'$1', '_'}, [], ['$1']}], table)]),
    io:format("~w~n", [lists:all(fun(FA) -> lists:member(FA, erlang:module_info(exports)) end,
                                 [{self, 0}, {element, 2}, {nodes, 1}, {module_info, 0}])]),
    io:format("~w~n", [lists:all(fun({M, FA}) -> lists:member(FA, M:module_info(exports)) end,
                                 [{lists, {reverse, 2}}, {maps, {get, 2}}, {math, {pi, 0}}, {atomics, {new, 2}}, {lists, {map, 2}}])]),
    Request = spawn_request(fun() -> ok end, [nonsense]),
    receive {spawn_reply, Request, error, Why} -> io:format("~w~n", [Why]) end.

catch_reason(F) ->
    try F()
    catch error:Reason -> Reason
    end.

%% expect: true
%% expect: <<212,29,140,217,143,0,178,4,233,128,9,152,236,248,66,126>>
%% expect: 88 true
%% expect: true
%% expect: 306337400
%% expect: [<<1,2,3,97,98>>]
%% expect: []
%% expect: true
%% expect: hello
%% expect: hello
%% expect: true
%% expect: [{12,[97,98]},{-7,[]},{12,[32]},{error,no_integer},{error,no_integer},{error,not_a_list},{1,a}]
%% expect: [{1.5e3,[120]},{error,no_float},{1.5,[101]},{error,no_float},{error,not_a_list},{-0.25,[]}]
%% expect: [[nonode@nohost],[],[nonode@nohost],[{nonode@nohost,#{connection_id => undefined}}]]
%% expect: [nocookie,true,notalive]
%% expect: {ok,a,[],[]}
%% expect: true
%% expect: true
%% expect: badopt
