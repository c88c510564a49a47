%% URIs are taken apart, put together, normalized and resolved; queries of forms.
-module(uri_strings).
-export([main/0]).
t(F) -> R = try F() catch C:E -> {C,E} end, io:format("~0p~n", [R]).
main() ->
  U = uri_string,
  [t(fun() -> U:parse(X) end) || X <- ["foo://user@example.com:8042/over/there?name=ferret#nose", <<"foo://user@example.com:8042/over/there?name=ferret">>, "http://[2001:db8::1]:80/", "mailto:a@b.c", "/a/b?c", "//host", "", "a b", "http://a:b", "http://a:", "foo:", "?q", "#f", "http://ex%zz", "urn:x:y", "1a:b", "http://åäö", "http://%C3%A5/", "../a", "http://h?", "http://h#", "file:///etc", "http://u:p@h/"]],
  [t(fun() -> U:recompose(X) end) || X <- [#{scheme => "foo", userinfo => "user", host => "example.com", port => 8042, path => "/over/there", query => "name=ferret", fragment => "nose"}, #{path => "a"}, #{scheme => "foo", path => "bar"}, #{host => "h", path => "x"}, #{host => "h", path => ""}, #{path => "//a"}, #{}, #{scheme => <<"foo">>, host => <<"h">>, path => <<"/x">>}, #{host => "h", path => "/å", port => 80}]],
  [t(fun() -> U:normalize(X) end) || X <- ["/a/b/c/./../../g", <<"mid/content=5/../6">>, "HTTP://localhost:80/%7euser", "http://LOCALHOST:80", "http://localhost:81/a/../b", "http://a/b/%c3%a5", "https://a:443", "http://a%41/", "http://h", "../a/b", "a/..", "./a", #{scheme => "http", port => 80, path => "/a/../b", host => "localhost-örebro"}]],
  [t(fun() -> U:normalize(X, [return_map]) end) || X <- ["/a/b/c/./../../g", "http://localhost-%c3%b6rebro:80"]],
  [t(fun() -> U:resolve(X, "http://a/b/c/d;p?q") end) || X <- ["g:h","g","./g","g/","/g","//g","?y","g?y","#s","g#s","g?y#s",";x","g;x","","./", ".","..","../","../g","../..","../../g","../../../g","/./g","/../g","g.","..g","./../g","g/./h","g;x=1/../y","g?y/./x","http:g"]],
  t(fun() -> U:resolve("../x", "/a/b/c") end), t(fun() -> U:resolve(<<"x">>, <<"http://h">>) end), t(fun() -> U:resolve("x", "http://h/a", [return_map]) end),
  [t(fun() -> U:percent_decode(X) end) || X <- ["a%20b%C3%A5", <<"a%20b%C3%A5">>, "a%", "a%zz", "%ff", #{host => "localhost-%C3%B6rebro", path => []}]],
  [t(fun() -> U:quote(X) end) || X <- ["SomeId/04", "a b/c?å~-_.", <<"a b">>, ""]], t(fun() -> U:quote("SomeId/04", "/") end), t(fun() -> U:quote(<<"a/b c">>, "/ ") end),
  [t(fun() -> U:unquote(X) end) || X <- ["SomeId%2F04", <<"a%20b">>, "a%2"]],
  t(fun() -> U:compose_query([{"foo bar","1"},{"city","örebro"}]) end), t(fun() -> U:compose_query([{<<"foo bar">>,<<"1">>},{<<"city">>,<<"örebro"/utf8>>}]) end), t(fun() -> U:compose_query([{"a",true},{"b*-._","c&d=e"}]) end), t(fun() -> U:compose_query([{"foo bar","1"},{"city","örebro"}], [{encoding, latin1}]) end), t(fun() -> U:compose_query([]) end),
  [t(fun() -> U:dissect_query(X) end) || X <- ["foo+bar=1&city=%C3%B6rebro", <<"foo+bar=1;city=%26%2310761%3B">>, "a&b=", "", "a=b=c", "a%ZZ=1", "&"]],
  t(fun() -> U:transcode("foo%F6bar", [{in_encoding, latin1},{out_encoding, utf8}]) end),
  t(fun() -> U:allowed_characters() end).

%% expect: #{fragment => "nose",host => "example.com",path => "/over/there",port => 8042,query => "name=ferret",scheme => "foo",userinfo => "user"}
%% expect: #{host => <<"example.com">>,path => <<"/over/there">>,port => 8042,query => <<"name=ferret">>,scheme => <<"foo">>,userinfo => <<"user">>}
%% expect: #{host => "2001:db8::1",path => "/",port => 80,scheme => "http"}
%% expect: #{path => "a@b.c",scheme => "mailto"}
%% expect: #{path => "/a/b",query => "c"}
%% expect: #{host => "host",path => []}
%% expect: #{path => []}
%% expect: {error,invalid_uri," "}
%% expect: {error,invalid_uri,":"}
%% expect: #{host => "a",path => [],port => undefined,scheme => "http"}
%% expect: #{path => [],scheme => "foo"}
%% expect: #{path => [],query => "q"}
%% expect: #{fragment => "f",path => []}
%% expect: #{host => "ex%zz",path => [],scheme => "http"}
%% expect: #{path => "x:y",scheme => "urn"}
%% expect: {error,invalid_uri,":"}
%% expect: {error,invalid_uri,":"}
%% expect: #{host => "%C3%A5",path => "/",scheme => "http"}
%% expect: #{path => "../a"}
%% expect: #{host => "h",path => [],query => [],scheme => "http"}
%% expect: #{fragment => [],host => "h",path => [],scheme => "http"}
%% expect: #{host => [],path => "/etc",scheme => "file"}
%% expect: #{host => "h",path => "/",scheme => "http",userinfo => "u:p"}
%% expect: "foo://user@example.com:8042/over/there?name=ferret#nose"
%% expect: "a"
%% expect: "foo:bar"
%% expect: "//h/x"
%% expect: "//h"
%% expect: "//a"
%% expect: {error,invalid_map,#{}}
%% expect: <<"foo://h/x">>
%% expect: "//h:80/%C3%A5"
%% expect: "/a/g"
%% expect: <<"mid/6">>
%% expect: "http://localhost/~user"
%% expect: "http://localhost/"
%% expect: "http://localhost:81/b"
%% expect: "http://a/b/%C3%A5"
%% expect: "https://a/"
%% expect: "http://aA/"
%% expect: "http://h/"
%% expect: "a/b"
%% expect: "/"
%% expect: "a"
%% expect: "http://localhost-%C3%B6rebro/b"
%% expect: #{path => "/a/g"}
%% expect: #{host => "localhost-%C3%B6rebro",path => "/",scheme => "http"}
%% expect: "g:h"
%% expect: "http://a/b/c/g"
%% expect: "http://a/b/c/g"
%% expect: "http://a/b/c/g/"
%% expect: "http://a/g"
%% expect: "http://g"
%% expect: "http://a/b/c/d;p?y"
%% expect: "http://a/b/c/g?y"
%% expect: "http://a/b/c/d;p?q#s"
%% expect: "http://a/b/c/g#s"
%% expect: "http://a/b/c/g?y#s"
%% expect: "http://a/b/c/;x"
%% expect: "http://a/b/c/g;x"
%% expect: "http://a/b/c/d;p?q"
%% expect: "http://a/b/c/"
%% expect: "http://a/b/c/"
%% expect: "http://a/b/"
%% expect: "http://a/b/"
%% expect: "http://a/b/g"
%% expect: "http://a/"
%% expect: "http://a/g"
%% expect: "http://a/g"
%% expect: "http://a/g"
%% expect: "http://a/g"
%% expect: "http://a/b/c/g."
%% expect: "http://a/b/c/..g"
%% expect: "http://a/b/g"
%% expect: "http://a/b/c/g/h"
%% expect: "http://a/b/c/y"
%% expect: "http://a/b/c/g?y/./x"
%% expect: "http:g"
%% expect: {error,invalid_scheme,[]}
%% expect: <<"http://h/x">>
%% expect: #{host => "h",path => "/x",scheme => "http"}
%% expect: "a bå"
%% expect: <<"a bÃ¥">>
%% expect: "a%"
%% expect: {error,invalid_percent_encoding,<<"%zz">>}
%% expect: {error,invalid_utf8,<<"ÿ">>}
%% expect: #{host => "localhost-örebro",path => []}
%% expect: "SomeId%2F04"
%% expect: "a%20b%2Fc%3F%C3%A5~-_."
%% expect: <<"a%20b">>
%% expect: []
%% expect: "SomeId/04"
%% expect: <<"a/b c">>
%% expect: "SomeId/04"
%% expect: <<"a b">>
%% expect: "a%2"
%% expect: "foo+bar=1&city=%C3%B6rebro"
%% expect: <<"foo+bar=1&city=%C3%B6rebro">>
%% expect: "a&b*-._=c%26d%3De"
%% expect: "foo+bar=1&city=%F6rebro"
%% expect: []
%% expect: [{"foo bar","1"},{"city","örebro"}]
%% expect: [{<<"foo bar">>,<<49,59,99,105,116,121,61,226,168,137>>}]
%% expect: [{"a",true},{"b",[]}]
%% expect: []
%% expect: [{"a","b=c"}]
%% expect: {error,invalid_percent_encoding,"%ZZ"}
%% expect: [{[],true},{[],true}]
%% expect: "foo%C3%B6bar"
%% expect: [{scheme,"+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"},{userinfo,"!$%&'()*+,-.0123456789:;=ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~"},{host,"!$&'()*+,-.0123456789:;=ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~"},{ipv4,".0123456789"},{ipv6,".0123456789:ABCDEFabcdef"},{regname,"!$%&'()*+,-.0123456789;=ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~"},{path,"!$%&'()*+,-./0123456789:;=@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~"},{query,"!$%&'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~"},{fragment,"!$%&'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~"},{reserved,"!#$&'()*+,/:;=?@[]"},{unreserved,"-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~"}]
