%% Strings of OTP 27.
%% differs from OTP 25: triple-quoted strings and sigils came with OTP 27
-module(triple_quoted_strings_and_sigils).
-export([main/0]).

main() ->
    show("""
        first
          second "quoted"
        """),
    show(~"binary é"),
    show(~s"string\n"),
    show(~S"raw\n"),
    show(~b(bin\t)).

%% expect: "first\n  second \"quoted\""
%% expect: <<"binary Ã©">>
%% expect: "string\n"
%% expect: "raw\\n"
%% expect: <<"bin\t">>

show(X) -> io:format("~p~n", [X]).
