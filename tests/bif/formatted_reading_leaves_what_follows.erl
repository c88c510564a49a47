%% What a file's server has read ahead is there for whatever reads next, in any way.
-module(formatted_reading_leaves_what_follows).
-export([main/0]).

main() ->
    %% Several machines in one process run this at once: only the system knows a name that nobody has.
    File = string:trim(os:cmd("mktemp -u /tmp/erlet_ahead_XXXXXXXX")),
    Text = ["1 2 \x{e9}\n3 ", "4\n\n\n abc\r\nx y\n", "{a,\n b}. foo(1,\n2). \"x\ny\". last\nend.\n",
            [["7 line ", integer_to_list(N), "\n"] || N <- lists:seq(1, 2000)], "~~\n"],
    ok = file:write_file(File, unicode:characters_to_binary(Text)),
    [read_with(File, [read, {encoding, utf8} | Modes]) || Modes <- [[], [binary]]],
    file:delete(File).

read_with(File, Modes) ->
    {ok, D} = file:open(File, Modes),
    Reads = [fun() -> io:fread(D, "", "~d ~d") end, fun() -> io:get_line(D, "") end, fun() -> io:fread(D, "", "~d\n~d") end,
             fun() -> io:fread(D, "", "~d") end, fun() -> io:fread(D, "", "~s") end, fun() -> io:get_chars(D, "", 4) end,
             fun() -> io:read(D, "") end, fun() -> io:scan_erl_exprs(D, "") end, fun() -> io:parse_erl_exprs(D, "") end,
             fun() -> io:read(D, "") end, fun() -> io:get_line(D, "") end],
    [io:format("~w~n", [Read()]) || Read <- Reads],
    Sum = lists:sum([begin {ok, [7, N]} = io:fread(D, "", "~d line ~d"), N end || _ <- lists:seq(2, 2000)]),
    io:format("~w ~w ~w~n", [Sum, io:get_line(D, ""), io:fread(D, "", "~d")]),
    file:close(D).

%% expect: {ok,[1,2]}
%% expect: [32,233,10]
%% expect: {ok,[3,4]}
%% expect: {error,{fread,integer}}
%% expect: {ok,[[120]]}
%% expect: [32,121,10,123]
%% expect: {error,{2,erl_parse,[[115,121,110,116,97,120,32,101,114,114,111,114,32,98,101,102,111,114,101,58,32],[39,125,39]]}}
%% expect: {ok,[{atom,1,foo},{'(',1},{integer,1,1},{',',1},{integer,2,2},{')',2},{dot,2}],2}
%% expect: {ok,[{string,1,[120,10,121]}],2}
%% expect: {error,{2,erl_parse,[[115,121,110,116,97,120,32,101,114,114,111,114,32,98,101,102,111,114,101,58,32],[39,101,110,100,39]]}}
%% expect: [55,32,108,105,110,101,32,49,10]
%% expect: 2000999 [126,126,10] eof
%% expect: {ok,[1,2]}
%% expect: <<32,195,169,10>>
%% expect: {ok,[3,4]}
%% expect: {error,{fread,integer}}
%% expect: {ok,[[120]]}
%% expect: <<32,121,10,123>>
%% expect: {error,{2,erl_parse,[[115,121,110,116,97,120,32,101,114,114,111,114,32,98,101,102,111,114,101,58,32],[39,125,39]]}}
%% expect: {ok,[{atom,1,foo},{'(',1},{integer,1,1},{',',1},{integer,2,2},{')',2},{dot,2}],2}
%% expect: {ok,[{string,1,[120,10,121]}],2}
%% expect: {error,{2,erl_parse,[[115,121,110,116,97,120,32,101,114,114,111,114,32,98,101,102,111,114,101,58,32],[39,101,110,100,39]]}}
%% expect: <<55,32,108,105,110,101,32,49,10>>
%% expect: 2000999 <<126,126,10>> eof
