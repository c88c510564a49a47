%% Records and fields must be defined.
%% expect refused: undefined
-module(refused_undefined_record_and_field).
-export([main/0]).

-record(r, {a}).
main() -> {#r{b = 1}, #s{a = 1}}.
