%% The headers of the library guard themselves, as a program's own headers may include them too.
-module(headers_may_be_included_twice).
-include_lib("kernel/include/logger.hrl").
-include_lib("kernel/include/file.hrl").
-include_lib("stdlib/include/assert.hrl").
-include_lib("stdlib/include/ms_transform.hrl").
-include_lib("eunit/include/eunit.hrl").
-include_lib("kernel/include/logger.hrl").
-include_lib("kernel/include/file.hrl").
-include_lib("stdlib/include/assert.hrl").
-include_lib("stdlib/include/ms_transform.hrl").
-include_lib("eunit/include/eunit.hrl").
-export([main/0]).

main() ->
    ?LOG_DEBUG("not shown"),
    ?assertEqual(3, 1 + 2),
    io:format("~p ~p~n", [record_info(fields, file_descriptor), record_info(size, file_info)]).

%% expect: [module,data] 14
