%% A file of terms is read as OTP reads it, and what is wrong with it is said so.
-module(files_of_terms_are_read_as_by_otp).
-export([main/0]).

main() ->
    File = string:trim(os:cmd("mktemp -u /tmp/erlet_terms_XXXXXXXX")),
    [begin
         ok = file:write_file(File, Text),
         Read = file:consult(File),
         io:format("~p~n  ~p~n", [Text, Read]),
         case Read of
             {error, Error} -> io:format("  ~ts~n", [file:format_error(Error)]);
             _ -> ok
         end
     end || Text <- texts()],
    file:delete(File).

texts() ->
    ["a. b.", "{a, [b.", "a.\nfoo(1).", "a", "X.", "a b.", "\"abc", "1 + 2.", "fun x/1.", "<<1,2>>.", "#{a => 1}.", "a.\n\n  'q", "$",
     "a. %x", "", "%% c\n", "fun lists:map/2.", "-1.", "- 1.", "{1,}.", "a.b.", "<<X>>.", "#r{}.", "16#g.", "1.0e999."].

%% expect: "a. b."
%% expect:   {ok,[a,b]}
%% expect: "{a, [b."
%% expect:   {error,{1,erl_parse,["syntax error before: ","'.'"]}}
%% expect:   1: syntax error before: '.'
%% expect: "a.\nfoo(1)."
%% expect:   {error,{2,erl_parse,"bad term"}}
%% expect:   2: bad term
%% expect: "a"
%% expect:   {error,{1,erl_parse,["syntax error before: ",[]]}}
%% expect:   1: syntax error before: 
%% expect: "X."
%% expect:   {error,{1,erl_parse,"bad term"}}
%% expect:   1: bad term
%% expect: "a b."
%% expect:   {error,{1,erl_parse,["syntax error before: ","b"]}}
%% expect:   1: syntax error before: b
%% expect: "\"abc"
%% expect:   {error,{1,erl_scan,{string,34,"abc"}}}
%% expect:   1: unterminated string starting with "abc"
%% expect: "1 + 2."
%% expect:   {error,{1,erl_parse,"bad term"}}
%% expect:   1: bad term
%% expect: "fun x/1."
%% expect:   {error,{1,erl_parse,"bad term"}}
%% expect:   1: bad term
%% expect: "<<1,2>>."
%% expect:   {ok,[<<1,2>>]}
%% expect: "#{a => 1}."
%% expect:   {ok,[#{a => 1}]}
%% expect: "a.\n\n  'q"
%% expect:   {error,{3,erl_scan,{string,39,"q"}}}
%% expect:   3: unterminated atom starting with 'q'
%% expect: "$"
%% expect:   {error,{1,erl_scan,char}}
%% expect:   1: unterminated character
%% expect: "a. %x"
%% expect:   {ok,[a]}
%% expect: []
%% expect:   {ok,[]}
%% expect: "%% c\n"
%% expect:   {ok,[]}
%% expect: "fun lists:map/2."
%% expect:   {ok,[fun lists:map/2]}
%% expect: "-1."
%% expect:   {ok,[-1]}
%% expect: "- 1."
%% expect:   {ok,[-1]}
%% expect: "{1,}."
%% expect:   {error,{1,erl_parse,["syntax error before: ","'}'"]}}
%% expect:   1: syntax error before: '}'
%% expect: "a.b."
%% expect:   {error,{1,erl_parse,["syntax error before: ","'.'"]}}
%% expect:   1: syntax error before: '.'
%% expect: "<<X>>."
%% expect:   {error,{1,erl_parse,"bad term"}}
%% expect:   1: bad term
%% expect: "#r{}."
%% expect:   {error,{1,erl_parse,"bad term"}}
%% expect:   1: bad term
%% expect: "16#g."
%% expect:   {error,{1,erl_scan,{illegal,integer}}}
%% expect:   1: illegal integer
%% expect: "1.0e999."
%% expect:   {error,{1,erl_scan,{illegal,float}}}
%% expect:   1: illegal float
