%% beam_lib reads object code, and the abstract code of modules whose source is there.
-module(object_code_tells_what_is_in_it).
-export([main/0]).

%% expect: [{exports,[{f,1},{main,0},{module_info,0},{module_info,1}]},{attributes,[{vsn,[7]},{with,[a,b]}]},{"Zzzz",missing_chunk}]
%% expect: {ok,{made,[7]}}
%% expect: {ok,made,16}
%% expect: [{lists,map,2}]
%% expect: {abstract_code,no_abstract_code}
%% expect: {not_a_beam_file,<<"no code">>}
%% expect: {error,beam_lib,{file_error,"nowhere.beam",enoent}}
%% expect: {missing_chunk,"Zzzz"}
%% expect: {unknown_chunk,other}
%% expect: "\"nowhere.beam\": \"no such file or directory\"\n"
%% expect: "<<\"no code\">>: Not a BEAM file\n"
main() ->
    {ok, made, Code} = compile:forms([form(Text) || Text <- ["-module(made).", "-export([main/0, f/1]).", "-vsn(7).", "-with(a).", "-with(b).",
                                                             "main() -> f(2).", "f(X) -> lists:map(X, [])."]]),
    {module, made} = code:load_binary(made, "made.beam", Code),
    {ok, {made, Chunks}} = beam_lib:chunks(Code, [exports, attributes, "Zzzz"], [allow_missing_chunks]),
    show(Chunks),
    show(beam_lib:version(Code)),
    {ok, {Module, Md5}} = beam_lib:md5(Code),
    show({ok, Module, byte_size(Md5)}),
    {ok, {made, [{imports, Imports}]}} = beam_lib:chunks(Code, [imports]),
    show([Import || {lists, _, _} = Import <- Imports]),
    {ok, {made, [Abstract]}} = beam_lib:chunks(Code, [abstract_code]),
    show(Abstract),
    {error, beam_lib, NoCode} = beam_lib:chunks(<<"no code">>, [exports]),
    show(NoCode),
    show(beam_lib:chunks("nowhere", [exports])),
    {error, beam_lib, {Missing, _, Id}} = beam_lib:chunks(Code, ["Zzzz"]),
    show({Missing, Id}),
    {error, beam_lib, {Unknown, _, Other}} = beam_lib:chunks(Code, [other]),
    show({Unknown, Other}),
    show(lists:flatten(beam_lib:format_error(beam_lib:chunks("nowhere", [exports])))),
    show(lists:flatten(beam_lib:format_error(beam_lib:chunks(<<"no code">>, [exports])))).

form(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Form} = erl_parse:parse_form(Tokens),
    Form.

show(X) -> io:format("~0p~n", [X]).
