%% Messages of the compiler have columns if the forms have and no option says otherwise; what options of compile:file/2 ask for is answered.
%% expect: {error,[{[],[{4,erl_lint,{unsafe_var,'A',{'case',4}}},{5,erl_lint,{unbound_var,'X'}}]}],[{[],[{5,erl_lint,{unused_function,{g,1}}},{5,erl_lint,{unused_var,'B'}}]}]}
%% expect: {error,[{[],[{{4,38},erl_lint,{unsafe_var,'A',{'case',{4,3}}}},{{5,9},erl_lint,{unbound_var,'X'}}]}],[{[],[{{5,1},erl_lint,{unused_function,{g,1}}},{{5,3},erl_lint,{unused_var,'B'}}]}]}
%% expect: {error,[{[],[{4,erl_lint,{unsafe_var,'A',{'case',4}}},{5,erl_lint,{unbound_var,'X'}}]}],[{[],[{5,erl_lint,{unused_function,{g,1}}},{5,erl_lint,{unused_var,'B'}}]}]}
%% expect: {error,[{[],[{{4,38},erl_lint,{unsafe_var,'A',{'case',{4,3}}}},{{5,9},erl_lint,{unbound_var,'X'}}]}],[{[],[{{5,1},erl_lint,{unused_function,{g,1}}},{{5,3},erl_lint,{unused_var,'B'}}]}]}
%% expect: {error,[],true}
%% expect: {{ok,m},[]}
%% expect: {{ok,[],[]},[]}
%% expect: {{ok,m},[]}
%% expect: {{ok,[]},["m.P"]}
%% expect: {{ok,m},["m.P","m.beam"]}
%% expect: true
%% expect: [f]
%% expect: {error,[{"m.erl",[{3,erl_parse,["syntax error before: ","'.'"]}]},{"m.erl",[{2,erl_lint,{undefined_function,{f,0}}}]}],[]}
%% expect: {error,[{"m.beam",[{none,compile,{module_name,n,"m"}}]}],[]}
%% expect: n
-module(places_in_messages_are_as_exact_as_those_of_forms).
-export([main/0]).

main() ->
    Text = ["-module(m).\n", "-export([f/0]).\n", "f() ->\n  case 1 of 1 -> A = 1; _ -> ok end, A.\n", "g(B) -> X.\n"],
    [show(compile:forms(forms(Text, Start), [return | Options]))
     || {Start, Options} <- [{1, []}, {{1, 1}, []}, {{1, 1}, [{error_location, line}]}, {{1, 1}, [{error_location, column}]}]],
    show(compile:forms(not_forms, [return])),
    %% Several machines in one process run this at once: only the system knows a name that nobody has.
    Folder = string:trim(os:cmd("mktemp -d /tmp/erlet_places_XXXXXXXX")),
    try in(Folder) after file:del_dir_r(Folder) end.

in(Folder) ->
    File = filename:join(Folder, "m.erl"),
    ok = file:write_file(File, "-module(m).\n-export([f/0]).\nf() -> 1.\n"),
    [show({compile:file(File, [{outdir, Folder} | Options]), written(Folder)})
     || Options <- [[strong_validation], [basic_validation, return], [strong_validation, binary], ['P'], []]],
    {ok, [], Forms} = compile:file(File, ['P', binary, {outdir, Folder}]),
    show(Forms =:= element(3, compile:file(File, [dpp, binary, {outdir, Folder}]))),
    show([F || {function, _, F, _, _} <- Forms]),
    ok = file:write_file(File, "-module(n).\n-export([f/0]).\nf() -> 1 +.\n"),
    show(named(compile:file(File, [return, {error_location, line}]))),
    ok = file:write_file(File, "-module(n).\n"),
    show(named(compile:file(File, [return, {outdir, Folder}]))),
    show(element(2, compile:file(File, [return, binary]))).

written(Folder) -> [File || File <- ["m.P", "m.beam"], filelib:is_regular(filename:join(Folder, File))].

forms([Text | Rest], Place) ->
    {ok, Tokens, End} = erl_scan:string(Text, Place),
    {ok, Form} = erl_parse:parse_form(Tokens),
    [Form | forms(Rest, End)];
forms([], _) -> [].

named({error, Errors, Warnings}) -> {error, [{filename:basename(File), Said} || {File, Said} <- Errors], Warnings}.

show({error, [{File, [{none, compile, {crash, _, Reason, _}}]}], []}) -> show({error, File, Reason =:= function_clause});
show(X) -> io:format("~0p~n", [X]).
