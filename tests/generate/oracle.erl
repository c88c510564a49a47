%% Erlang/OTP's side: reads names of source files, a line each, compiles and runs each, and answers "=== NAME BYTES", a line
%% break, and that many bytes.
-module(oracle).
-export([start/0, plain/0]).

start() -> start([[]]).

%% Without optimisations, which move and remove frames of stack traces, and raise what they know will be raised early. Without all of
%% them the compiler fails now and then: then without some, and the answer begins with a line that says so.
plain() ->
    start([[no_copt, no_ssa_opt, no_type_opt, no_bool_opt, no_bsm_opt, no_recv_opt], [no_copt, no_type_opt], [no_copt],
           [no_type_opt]]).

start(Options) ->
    put(options, Options),
    logger:set_primary_config(level, none),
    io:setopts(standard_io, [binary, {encoding, unicode}]),
    loop().

loop() ->
    case io:get_line("") of
        eof -> halt(0);
        Line -> answer(string:trim(Line)), loop()
    end.

answer(File) ->
    Bytes = run(binary_to_list(File)),
    io:put_chars(["=== ", File, " ", integer_to_list(byte_size(Bytes)), "\n", Bytes]).

run(File) -> run(File, get(options)).

run(File, [Options | Others]) ->
    case run_with(File, Options) of
        <<"** compile: internal error", _/binary>> when Others =/= [] -> run(File, Others);
        <<"** compile:", _/binary>> = Bytes -> Bytes;
        Bytes -> <<(note(Options, get(options)))/binary, Bytes/binary>>
    end.

note(Options, [Options | _]) -> <<>>;
note(_, _) -> <<"** partly optimised\n">>.

run_with(File, Options) ->
    try compiled(File, [binary, return_errors | Options]) of
        {ok, Module, Beam} ->
            Bytes =
                case code:load_binary(Module, filename:basename(File), Beam) of
                    {module, Module} -> execute(Module);
                    {error, Why} -> unicode:characters_to_binary(io_lib:format("** compile: internal error ~0p~n", [Why]))
                end,
            code:delete(Module),
            code:purge(Module),
            Bytes;
        {error, [{_, [{none, compile, {crash, Pass, _, _}} | _]} | _], _} ->
            unicode:characters_to_binary(io_lib:format("** compile: internal error in ~w~n", [Pass]));
        {error, Errors, _} ->
            unicode:characters_to_binary(io_lib:format("** compile: ~0p~n", [Errors]))
    catch
        Class:Reason -> unicode:characters_to_binary(io_lib:format("** compile: internal error ~0p ~0p~n", [Class, Reason]))
    end.

%% OTP 25's loader drops the line of a call in tail position, and an `if`, `case` or match that fails behind it, where the compiler has
%% left out its line since it is the same, gets that of another expression. So each of these is given its line once more.
compiled(File, Options) ->
    case compile:file(File, ['S' | Options]) of
        {ok, _, {Module, Exports, Attributes, Functions, Labels}} ->
            Lined = [{function, Name, Arity, Entry, lined(Code, none)} || {function, Name, Arity, Entry, Code} <- Functions],
            compile:forms({Module, Exports, Attributes, Lined, Labels}, [from_asm, binary, return_errors]);
        Other -> Other
    end.

lined([{line, _} = Line | Code], _) -> [Line | lined(Code, Line)];
lined([Instruction | Code], {line, Place} = Line) ->
    Rest = [Instruction | lined(Code, Line)],
    case is_failure(Instruction) andalso lists:keyfind(location, 1, Place) of
        false -> Rest;
        %% The compiler leaves out what is equal.
        At -> [{line, [At, again]} | Rest]
    end;
lined([Instruction | Code], none) -> [Instruction | lined(Code, none)];
lined([], _) -> [].

is_failure(if_end) -> true;
is_failure(Instruction) when is_tuple(Instruction) ->
    lists:member(element(1, Instruction), [case_end, badmatch, try_case_end, badrecord]);
is_failure(_) -> false.

execute(Module) ->
    {Pid, Ref} = spawn_monitor(fun() -> exit({done, unicode:characters_to_binary(Module:main())}) end),
    receive
        {'DOWN', Ref, process, Pid, {done, Bytes}} -> <<Bytes/binary, "\n">>;
        {'DOWN', Ref, process, Pid, Reason} -> unicode:characters_to_binary(io_lib:format("** died ~0p~n", [Reason]))
    end.
