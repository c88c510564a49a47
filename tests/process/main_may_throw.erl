%% An uncaught throw is {nocatch, Value}.
-module(main_may_throw).
-export([main/0]).

main() -> throw(ball).

%% expect error: {nocatch,ball}
