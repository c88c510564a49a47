%% In reports that are lists and maps, text behind a key stands without quotes, and text elsewhere as a term. Printed by OTP 25.
-module(reports_show_text_behind_keys_only).
-export([main/0]).

main() ->
    [begin
         {Format, Args} = logger:format_report(Report),
         io:format("~ts~n~ts~n", [Format, io_lib:format(Format, Args)])
     end || Report <- [[{a, "text"}, word, "text"], [{"key", "value"}, {2, [0]}], ["all ", "text"], #{k => "v"}, [], [{a, []}]]].

%% expect:     ~tp: ~ts
%% expect:     ~tp
%% expect:     ~tp
%% expect:     a: text
%% expect:     word
%% expect:     "text"
%% expect:     ~tp: ~ts
%% expect:     ~tp: ~tp
%% expect:     "key": value
%% expect:     2: [0]
%% expect: ~ts
%% expect: all text
%% expect:     ~tp: ~ts
%% expect:     k: v
%% expect: ~tp
%% expect: []
%% expect:     ~tp: ~tp
%% expect:     a: []
