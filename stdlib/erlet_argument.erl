%% What is wrong with the arguments of a call that failed, in words.
%%
%% The modules that explain errors (`erl_erts_errors`, `erl_stdlib_errors`, `erl_kernel_errors`) give a rule for each argument:
%%
%%     any             nothing is asked of it
%%     Kind            it must be of that kind
%%     {no, Kind}      it is not of that kind, since there is nothing else to go wrong
%%     {Kind, Text}    it must be of that kind, and if it is, Text is what is wrong
%%     {bad, Text}     Text is what is wrong
%%     options         a list of options, one of which is wrong unless an argument before it is
%%     {general, Text} is no rule for an argument: Text is what is wrong with the call as a whole
%%
%% Texts are those of Erlang/OTP, since people search for them.
-module(erlet_argument).

-export([format_error/2, explain/2, cause/1, fault/2, lacks/1, faultless/2, unless_faulty/3]).

%% What a function of the host has said of its arguments itself.
-spec format_error(term(), [tuple()]) -> #{pos_integer() => unicode:chardata()}.
format_error(_, [{_, _, _, Info} | _]) ->
    case cause(Info) of
        #{} = Texts -> Texts;
        _ -> #{}
    end.

%% The texts by the position of the argument.
-spec explain([term()], [term()]) -> #{pos_integer() | general => unicode:chardata()}.
explain(Rules, Args) -> explain(Rules, Args, 1, #{}).

explain([{general, Text} | Rules], Args, I, Texts) -> explain(Rules, Args, I, Texts#{general => Text});
explain([Rule | Rules], [Arg | Args], I, Texts) ->
    case judge(Rule, Arg, Texts) of
        ok -> explain(Rules, Args, I + 1, Texts);
        Text -> explain(Rules, Args, I + 1, Texts#{I => Text})
    end;
explain(_, _, _, Texts) -> Texts.

judge(any, _, _) -> ok;
judge({no, Kind}, _, _) -> lacks(Kind);
judge({bad, Text}, _, _) -> Text;
judge({Kind, Text}, Arg, _) when is_binary(Text); is_list(Text) ->
    case fault(Kind, Arg) of
        ok -> Text;
        Fault -> Fault
    end;
judge(options, Options, Texts) ->
    case fault(list, Options) of
        ok when map_size(Texts) =:= 0 -> <<"invalid option in list">>;
        Fault -> Fault
    end;
judge(Kind, Arg, _) -> fault(Kind, Arg).

%% Why the native says it failed, from its entry in the stack trace.
-spec cause(list()) -> term().
cause(Info) ->
    case lists:keyfind(error_info, 1, Info) of
        {_, #{cause := Cause}} -> Cause;
        _ -> none
    end.

%% Do the rules find nothing?
-spec faultless([term()], [term()]) -> boolean().
faultless(Rules, Args) -> explain(Rules, Args) =:= #{}.

%% The rules, if they find something, else others.
-spec unless_faulty([term()], [term()], [term()]) -> [term()].
unless_faulty(Rules, Args, Others) ->
    case faultless(Rules, Args) of
        true -> Others;
        false -> Rules
    end.

%% What keeps a term from being of a kind, or `ok`.
-spec fault(term(), term()) -> ok | unicode:chardata().
fault(list, Term) ->
    if
        not is_list(Term) -> lacks(list);
        length(Term) >= 0 -> ok;
        true -> lacks(proper_list)
    end;
fault({integer, Least, Most}, Term) ->
    if
        not is_integer(Term) -> lacks(integer);
        Least =< Term, Term =< Most -> ok;
        true -> <<"out of range">>
    end;
fault(natural, Term) -> fault({integer, 0, infinity}, Term);
fault(positive, Term) -> fault({integer, 1, infinity}, Term);
fault(word, Term) -> fault({integer, 0, 16#ffffffff}, Term);
fault(plain_binary, Term) when is_bitstring(Term), not is_binary(Term) -> <<"is a bitstring (expected a binary)">>;
fault(filled_binary, <<>>) -> <<"a zero-sized binary is not allowed">>;
fault(filled_binary, Term) -> fault(plain_binary, Term);
fault(filled_tuple, {}) -> <<"is an empty tuple">>;
fault(local_pid, Term) when is_pid(Term), node(Term) =/= node() -> lacks(local_pid);
fault(local_pid, Term) -> fault(pid, Term);
fault(local_port, Term) when is_port(Term), node(Term) =/= node() -> lacks(local_port);
fault(local_port, Term) when is_atom(Term) -> ok;
fault(local_port, Term) -> fault(port, Term);
fault(Kind, Term) ->
    case is(Kind, Term) of
        true -> ok;
        false -> lacks(Kind)
    end.

is(Kind, Term) ->
    case Kind of
        atom -> is_atom(Term);
        base -> is_integer(Term) andalso Term >= 2 andalso Term =< 36;
        binary -> is_binary(Term);
        bitstring -> is_bitstring(Term);
        boolean -> is_boolean(Term);
        char_data -> is_char_data(Term);
        dst -> is_boolean(Term) orelse Term =:= undefined;
        encoding -> succeeds(fun() -> unicode:characters_to_binary(<<"a">>, Term) end);
        endianness -> Term =:= big orelse Term =:= little;
        filled_tuple -> is_tuple(Term);
        float -> is_float(Term);
        function -> is_function(Term);
        {function, Arity} -> is_function(Term, Arity);
        integer -> is_integer(Term);
        iodata -> succeeds(fun() -> iolist_size(Term) end);
        local_time -> succeeds(fun() -> erlang:localtime_to_universaltime(Term) end);
        map -> is_map(Term);
        map_or_iterator -> is_map(Term) orelse succeeds(fun() -> maps:next(Term) end);
        number -> is_number(Term);
        pattern -> succeeds(fun() -> binary:match(<<"a">>, Term) end);
        pid -> is_pid(Term);
        plain_binary -> is_binary(Term);
        port -> is_port(Term);
        proper -> fault(list, Term) =:= ok;
        reference -> is_reference(Term);
        time_unit -> succeeds(fun() -> erlang:convert_time_unit(1, native, Term) end);
        tuple -> is_tuple(Term)
    end.

succeeds(F) ->
    try F() of
        _ -> true
    catch
        error:_ -> false
    end.

is_char_data(Term) ->
    try unicode:characters_to_binary(Term) of
        Chars -> is_binary(Chars)
    catch
        error:_ -> false
    end.

%% That a term is not of a kind.
-spec lacks(term()) -> binary().
lacks(Kind) ->
    case Kind of
        atom -> <<"not an atom">>;
        base -> <<"not an integer in the range 2 through 36">>;
        binary -> <<"not a binary">>;
        bitstring -> <<"not a bitstring">>;
        bit_list -> <<"not a bitstring list">>;
        boolean -> <<"not a boolean ('true' or 'false')">>;
        char_data -> <<"not valid character data (an iodata term)">>;
        characters -> <<"not a list of characters">>;
        cons -> <<"not a nonempty list">>;
        continuation -> <<"invalid continuation">>;
        destination -> <<"invalid destination">>;
        dst -> <<"not 'true', 'false', or 'undefined'">>;
        encoding -> <<"not a valid encoding">>;
        endianness -> <<"must be 'big' or 'little'">>;
        filled_tuple -> lacks(tuple);
        float -> <<"not a float">>;
        function -> <<"not a fun">>;
        {function, 1} -> <<"not a fun that takes one argument">>;
        {function, 2} -> <<"not a fun that takes two arguments">>;
        {function, 3} -> <<"not a fun that takes three arguments">>;
        integer -> <<"not an integer">>;
        iodata -> <<"not an iodata term">>;
        iolist -> <<"not an iolist term">>;
        list -> <<"not a list">>;
        local_pid -> <<"not a local pid">>;
        local_port -> <<"not a local port">>;
        local_time -> <<"not a valid local time">>;
        map -> <<"not a map">>;
        map_or_iterator -> <<"not a map or an iterator">>;
        match_spec -> <<"not a valid match specification">>;
        number -> <<"not a number">>;
        pattern -> <<"not a valid pattern">>;
        pid -> <<"not a pid">>;
        plain_binary -> lacks(binary);
        port -> <<"not a port">>;
        proper -> lacks(list);
        proper_list -> <<"not a proper list">>;
        range -> <<"out of range">>;
        reference -> <<"not a reference">>;
        time_unit -> <<"invalid time unit">>;
        tuple -> <<"not a tuple">>;
        universal_time -> <<"not a valid universal time">>
    end.
