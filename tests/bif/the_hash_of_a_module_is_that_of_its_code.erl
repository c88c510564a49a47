%% module_info(md5) changes with the code of a module, not with its attributes or with where the code stands.
%% expect: [true,true,true,false,false]
-module(the_hash_of_a_module_is_that_of_its_code).
-export([main/0]).

main() ->
    [First | Rest] = [hash(Text) || Text <- ["-module(m).\n-export([f/1]).\nf(X) ->\n  hd(X).\n",
                                             "-module(m).\n-export([f/1]).\n-foo({bar, \"baz\"}).\nf(X) ->\n  hd(X).\n",
                                             "-module(m).\n-vsn(1).\n-export([f/1]).\nf(X) ->\n  hd(X).\n",
                                             "-module(m).\n\n\n-export([f/1]).\n\nf(X) ->\n\n\n  hd(X).\n",
                                             "-module(m).\n-export([f/1]).\nf(X) ->\n  tl(X).\n",
                                             "-module(m).\n-export([f/1]).\nf(X) -> hd(X).\ng() -> 1.\n"]],
    io:format("~w~n", [[Hash =:= First || Hash <- Rest]]).

hash(Text) ->
    {ok, m, Code} = compile:forms(forms(Text, 1), [binary, export_all]),
    code:purge(m),
    {module, m} = code:load_binary(m, "m.erl", Code),
    m:module_info(md5).

forms(Text, Line) ->
    case erl_scan:tokens([], Text, Line) of
        {done, {ok, Tokens, End}, Rest} ->
            {ok, Form} = erl_parse:parse_form(Tokens),
            [Form | forms(Rest, End)];
        {more, _} -> [];
        {done, {eof, _}, _} -> []
    end.
