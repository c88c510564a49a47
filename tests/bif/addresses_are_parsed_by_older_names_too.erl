%% `inet_parse` is what older programs call.
-module(addresses_are_parsed_by_older_names_too).
-export([main/0]).
main() ->
    [io:format("~s ~p~n", [T, [catch inet_parse:F(T) || F <- [address, strict_address, ipv4_address, ipv4strict_address, ipv6_address, ipv6strict_address]]]) || T <- ["192.168.1.10", "1.2", "::1", "fe80::1%eth0", "1.2.3.4.5", "0x7f.1", "", "::ffff:1.2.3.4", "a", "300.1.1.1", "4294967295", "4294967296"]],
    io:format("~p~n", [[catch inet_parse:ntoa(A) || A <- [{1,2,3,4}, {0,0,0,0,0,0,0,1}, {1,2}, x]]]).

%% expect: 192.168.1.10 [{ok,{192,168,1,10}},
%% expect:               {ok,{192,168,1,10}},
%% expect:               {ok,{192,168,1,10}},
%% expect:               {ok,{192,168,1,10}},
%% expect:               {ok,{0,0,0,0,0,65535,49320,266}},
%% expect:               {error,einval}]
%% expect: 1.2 [{ok,{1,0,0,2}},
%% expect:      {error,einval},
%% expect:      {ok,{1,0,0,2}},
%% expect:      {error,einval},
%% expect:      {ok,{0,0,0,0,0,65535,256,2}},
%% expect:      {error,einval}]
%% expect: ::1 [{ok,{0,0,0,0,0,0,0,1}},
%% expect:      {ok,{0,0,0,0,0,0,0,1}},
%% expect:      {error,einval},
%% expect:      {error,einval},
%% expect:      {ok,{0,0,0,0,0,0,0,1}},
%% expect:      {ok,{0,0,0,0,0,0,0,1}}]
%% expect: fe80::1%eth0 [{ok,{65152,0,0,0,0,0,0,1}},
%% expect:               {ok,{65152,0,0,0,0,0,0,1}},
%% expect:               {error,einval},
%% expect:               {error,einval},
%% expect:               {ok,{65152,0,0,0,0,0,0,1}},
%% expect:               {ok,{65152,0,0,0,0,0,0,1}}]
%% expect: 1.2.3.4.5 [{error,einval},
%% expect:            {error,einval},
%% expect:            {error,einval},
%% expect:            {error,einval},
%% expect:            {error,einval},
%% expect:            {error,einval}]
%% expect: 0x7f.1 [{ok,{127,0,0,1}},
%% expect:         {error,einval},
%% expect:         {ok,{127,0,0,1}},
%% expect:         {error,einval},
%% expect:         {ok,{0,0,0,0,0,65535,32512,1}},
%% expect:         {error,einval}]
%% expect:  [{error,einval},
%% expect:   {error,einval},
%% expect:   {error,einval},
%% expect:   {error,einval},
%% expect:   {error,einval},
%% expect:   {error,einval}]
%% expect: ::ffff:1.2.3.4 [{ok,{0,0,0,0,0,65535,258,772}},
%% expect:                 {ok,{0,0,0,0,0,65535,258,772}},
%% expect:                 {error,einval},
%% expect:                 {error,einval},
%% expect:                 {ok,{0,0,0,0,0,65535,258,772}},
%% expect:                 {ok,{0,0,0,0,0,65535,258,772}}]
%% expect: a [{error,einval},
%% expect:    {error,einval},
%% expect:    {error,einval},
%% expect:    {error,einval},
%% expect:    {error,einval},
%% expect:    {error,einval}]
%% expect: 300.1.1.1 [{error,einval},
%% expect:            {error,einval},
%% expect:            {error,einval},
%% expect:            {error,einval},
%% expect:            {error,einval},
%% expect:            {error,einval}]
%% expect: 4294967295 [{ok,{255,255,255,255}},
%% expect:             {error,einval},
%% expect:             {ok,{255,255,255,255}},
%% expect:             {error,einval},
%% expect:             {ok,{0,0,0,0,0,65535,65535,65535}},
%% expect:             {error,einval}]
%% expect: 4294967296 [{error,einval},
%% expect:             {error,einval},
%% expect:             {error,einval},
%% expect:             {error,einval},
%% expect:             {error,einval},
%% expect:             {error,einval}]
%% expect: ["1.2.3.4","::1",{error,einval},{error,einval}]
