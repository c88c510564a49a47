%% module_info/0,1 and attributes.
-module(module_information_is_exported).

-export([main/0, other/2]).
-author("me").
-vsn(7).
main() ->
    show(?MODULE:module_info(module)),
    show(lists:sort(?MODULE:module_info(exports))),
    show(proplists:get_value(author, ?MODULE:module_info(attributes))),
    show(proplists:get_value(vsn, module_info(attributes))),
    show(erlang:function_exported(?MODULE, other, 2)),
    show(erlang:function_exported(?MODULE, other, 1)).

other(_, _) -> ok.

show(X) -> io:format("~p~n", [X]).

%% expect: module_information_is_exported
%% expect: [{main,0},{module_info,0},{module_info,1},{other,2}]
%% expect: "me"
%% expect: [7]
%% expect: true
%% expect: false
