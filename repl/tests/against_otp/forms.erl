%% Source files as tokens, forms and text again, on two systems: `forms:main([Out, File...])` writes a line for each form.
-module(forms).
-export([main/1]).

main([Out | Files]) -> ok = file:write_file(Out, unicode:characters_to_binary([file(File) || File <- Files])).

file(File) ->
    {ok, Bytes} = file:read_file(File),
    Text = unicode:characters_to_list(Bytes),
    {Scanned, Parsed} = parts(erl_scan:string(Text, {1, 1}, [return])),
    Plain = if is_list(Scanned) -> [plain(Token) || Token <- Scanned]; true -> Scanned end,
    Name = filename:basename(File),
    [io_lib:format("~ts:tokens -> ~w~n", [Name, erlang:phash2(Plain)]) |
     [[line(Name, I, "form", Form), line(Name, I, "text", text(Form))] || {I, Form} <- lists:zip(lists:seq(1, length(Parsed)), Parsed)]].

%% Words that only newer versions reserve.
plain({Word, Location}) when Word =:= 'maybe'; Word =:= 'else' -> {atom, Location, Word};
plain(Token) -> Token.

line(Name, I, What, Term) -> io_lib:format("~ts:~w:~ts -> ~ts~n", [Name, I, What, one_line(Term)]).

one_line(Term) -> unicode:characters_to_binary(io_lib:format("~tw", [Term])).

%% Tokens, and what each form of them is, as far as it needs no preprocessor.
parts({ok, Tokens, _}) -> {Tokens, [erl_parse:parse_form(Form) || Form <- cut(Tokens, []), not is_preprocessed(Form)]};
parts(Other) -> {Other, []}.

cut([{white_space, _, _} | Tokens], Form) -> cut(Tokens, Form);
cut([{comment, _, _} | Tokens], Form) -> cut(Tokens, Form);
cut([{dot, _} = Dot | Tokens], Form) -> [lists:reverse([Dot | Form]) | cut(Tokens, [])];
cut([Token | Tokens], Form) -> cut(Tokens, [Token | Form]);
cut([], _) -> [].

%% Macros, directives, and words that are reserved on one side only.
is_preprocessed([{'-', _}, {'if', _} | _]) -> true;
is_preprocessed([{'-', _}, {'else', _} | _]) -> true;
is_preprocessed([{'-', _}, {atom, _, Directive} | _] = Form) ->
    lists:member(Directive, [define, undef, ifdef, ifndef, endif, elif, 'else', include, include_lib, error, warning, feature, spec, type,
                             opaque, callback, record, export_type, doc, moduledoc]) orelse has_macros(Form);
is_preprocessed(Form) -> has_macros(Form).

has_macros(Form) -> lists:any(fun(Token) -> lists:member(element(1, Token), ['?', 'maybe', 'else', '&&', '<:-', '<:=']) orelse
                                                (element(1, Token) =:= atom andalso lists:member(element(3, Token), ['maybe', 'else']))
                              end, Form).

%% Is the printed form the form again?
text({ok, Form}) ->
    {ok, Tokens, _} = erl_scan:string(unicode:characters_to_list(erl_pp:form(Form))),
    {ok, Again} = erl_parse:parse_form(Tokens),
    bare(Again) =:= bare(Form);
text({error, _}) -> none.

bare(Form) -> erl_parse:map_anno(fun(_) -> 0 end, Form).
