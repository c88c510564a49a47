%% epp:set_encoding/1,2 sets a file to the encoding that its first lines name, else to the default, and leaves it where it was.
%% expect: [{latin1,latin1,[[37,37,32,99,111,100,105,110,103,58,32,76,97,116,105,110,45,49,10],[120,228,121,10]]},{latin1,latin1,[[37,37,32,99,111,100,105,110,103,58,32,76,97,116,105,110,45,49,10],[120,228,121,10]]}]
%% expect: [{utf8,unicode,[[37,37,32,99,111,100,105,110,103,58,32,117,116,102,45,56,10],[120,228,121,10]]},{utf8,unicode,[[37,37,32,99,111,100,105,110,103,58,32,117,116,102,45,56,10],[120,228,121,10]]}]
%% expect: [{none,unicode,[[120,228,121,10],[122,10]]},{none,latin1,[[120,195,164,121,10],[122,10]]}]
%% expect: [{latin1,latin1,[[10],[37,37,32,45,42,45,32,99,111,100,105,110,103,58,32,108,97,116,105,110,45,49,32,45,42,45,10]]},{latin1,latin1,[[10],[37,37,32,45,42,45,32,99,111,100,105,110,103,58,32,108,97,116,105,110,45,49,32,45,42,45,10]]}]
%% expect: [{none,unicode,[eof,eof]},{none,latin1,[eof,eof]}]
%% expect: [{none,unicode,[[97],eof]},{none,latin1,[[97],eof]}]
-module(the_encoding_that_a_file_names_is_set).
-export([main/0]).

main() ->
    %% Several machines in one process run this at once: only the system knows a name that nobody has.
    File = string:trim(os:cmd("mktemp /tmp/erlet_encoding_XXXXXXXX")),
    try
        [show(File, Bytes) || Bytes <- [<<"%% coding: Latin-1\nx", 228, "y\n">>, <<"%% coding: utf-8\nx", 195, 164, "y\n">>,
                                        <<"x", 195, 164, "y\nz\n">>, <<"\n%% -*- coding: latin-1 -*-\n">>, <<>>, <<"a">>]]
    after
        file:delete(File)
    end.

show(File, Bytes) ->
    ok = file:write_file(File, Bytes),
    io:format("~w~n", [[read(File, fun epp:set_encoding/1), read(File, fun(F) -> epp:set_encoding(F, latin1) end)]]).

read(File, Set) ->
    {ok, F} = file:open(File, [read]),
    Said = Set(F),
    {encoding, Encoding} = lists:keyfind(encoding, 1, io:getopts(F)),
    Lines = [io:get_line(F, ''), io:get_line(F, '')],
    ok = file:close(F),
    {Said, Encoding, Lines}.
