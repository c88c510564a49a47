%% Parentheses, patterns and long guards of printed forms (OTP 25's text).
-module(printed_forms_can_be_read_again).
-export([main/0]).

main() -> lists:foreach(fun print/1, forms()).

print(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Form} = erl_parse:parse_form(Tokens),
    io:format("~ts", [erl_pp:form(Form)]).

forms() ->
    ["f(X) -> case X of {a,B,_} -> B; {false,_} -> (g(X))#{a => 1} end.",
     "f(X) -> (X#r.a)#{b => 1}.",
     "f(X) -> X#r.a#r.b.",
     "f(X) -> try g(X) catch error:E:S -> {E,S}; throw:_ -> ok; exit:{a,B} -> B end.",
     "f(X) -> #{a => 1}#{b => 2}.",
     "f(X) -> (h(X))#r{a = 1}.",
     "f(X) -> #r{a = 1}#r{b = 2}.",
     "f(X) -> (#r{a = 1})#{b => 2}.",
     "-type t() :: {a, [(N :: b) | c]}.",
     "f(Abcdefghijklmnop, Qrstuvwxyzabcdefgh, Ijklmnopqrstuv) when Abcdefghijklmnop =:= aaaaaaaaaaa, is_list(Qrstuvwxyzabcdefgh);"
     " Ijklmnopqrstuv > 10000000000000000000 -> ok.",
     "f(L) -> << (id(V)) || V <- L >>.",
     "f() -> <<(g(1)):(g(fun() -> 1 end))>>.",
     "f() -> <<X:(begin 1, 2 end)/binary>>."].

%% expect: f(X) ->
%% expect:     case X of
%% expect:         {a, B, _} ->
%% expect:             B;
%% expect:         {false, _} ->
%% expect:             (g(X))#{a => 1}
%% expect:     end.
%% expect: f(X) ->
%% expect:     (X#r.a)#{b => 1}.
%% expect: f(X) ->
%% expect:     (X#r.a)#r.b.
%% expect: f(X) ->
%% expect:     try
%% expect:         g(X)
%% expect:     catch
%% expect:         error:E:S ->
%% expect:             {E, S};
%% expect:         throw:_ ->
%% expect:             ok;
%% expect:         exit:{a, B} ->
%% expect:             B
%% expect:     end.
%% expect: f(X) ->
%% expect:     (#{a => 1})#{b => 2}.
%% expect: f(X) ->
%% expect:     (h(X))#r{a = 1}.
%% expect: f(X) ->
%% expect:     (#r{a = 1})#r{b = 2}.
%% expect: f(X) ->
%% expect:     (#r{a = 1})#{b => 2}.
%% expect: -type t() :: {a, [(N :: b) | c]}.
%% expect: f(Abcdefghijklmnop, Qrstuvwxyzabcdefgh, Ijklmnopqrstuv)
%% expect:     when
%% expect:         Abcdefghijklmnop =:= aaaaaaaaaaa, is_list(Qrstuvwxyzabcdefgh);
%% expect:         Ijklmnopqrstuv > 10000000000000000000 ->
%% expect:     ok.
%% expect: f(L) ->
%% expect:     << 
%% expect:       (id(V)) ||
%% expect:           V <- L
%% expect:     >>.
%% expect: f() ->
%% expect:     <<(g(1)):(g(fun() ->
%% expect:                        1
%% expect:                 end))>>.
%% expect: f() ->
%% expect:     <<X:begin
%% expect:             1,
%% expect:             2
%% expect:         end/binary>>.
