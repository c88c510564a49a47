%% The processes `user` (standard input and output) and `standard_error`.
%%
%% They are ordinary I/O servers; the virtual machine starts them before the first program and lets `erlet_io:fast_put/2`
%% write past them. Standard input is read a piece at a time, when somebody asks.
-module(erlet_user).

-export([user/0, standard_error/0]).

-spec user() -> no_return().
user() ->
    Read =
        fun(Prompt) ->
                erlet_io:write_stdout(unicode:characters_to_binary(io_lib:format_prompt(Prompt, unicode))),
                erlet_io:read_stdin()
        end,
    erlet_io_server:loop(erlet_io_server:init({Read, fun erlet_io:write_stdout/1, [{geometry, fun erlet_io:geometry/1}]})).

-spec standard_error() -> no_return().
standard_error() ->
    Read = fun(_) -> {error, enotsup} end,
    erlet_io_server:loop(erlet_io_server:init({Read, fun erlet_io:write_stderr/1, []})).
