%% An include file that is not there.
%% expect refused: no_such_file.hrl
-module(refused_missing_include).
-export([main/0]).

-include("no_such_file.hrl").
main() -> ok.
