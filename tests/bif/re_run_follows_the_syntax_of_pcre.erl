%% Each construct of the syntax of regular expressions, with what it captures.
-module(re_run_follows_the_syntax_of_pcre).
-export([main/0]).

main() ->
    %% Characters and classes.
    show("axb", "a.b"), show("a\nb", "a.b"), show("a\nb", "a.b", [dotall]), show("a.b", "a\\.b"),
    show("x\ty", "\\t"), show("ab", "\\x61\\x{62}"), show("a", "\\141"), show("a1_ -", "\\w+"), show([233, 200], "\\w+"),
    show("a1_ -", "\\W+"), show("12ab", "\\d+"), show("[]", "[]]"), show("a-z", "[a\\-]+"), show("bcd", "[^a]+"),
    show("Ab1!", "[[:alpha:]]+"), show("Ab1!", "[[:^alpha:]]+"), show("a+b", "\\Qa+b\\E"), show("ab", "[\\w-]+"),
    show("a]b", "[^]]+"), show("x\r\ny", "x\\Ry"), show("foo bar", "[[:<:]]b"),
    %% Repetitions.
    show("aaa", "a*"), show("aaa", "a+?"), show("aaa", "a{2}"), show("aaa", "a{2,}"), show("aaab", "a{1,2}b"), show("aaa", "a*+a"),
    show("aaa", "(?U)a+"), show("a{,3}", "a{,3}"), show("abab", "(?:ab){2}"), show("aab", "(a|ab)(c|bcd)?"),
    %% Anchors.
    show("a\nb", "^b"), show("a\nb", "^b", [multiline]), show("a\n", "a$"), show("a\n", "a$", [dollar_endonly]),
    show("a\nb", "a$", [multiline]), show("a\n", "a\\z"), show("a\n", "a\\Z"), show("ba", "\\Aa"), show("xab", "\\Gab", [{offset, 1}]),
    show("foobar", "foo\\Kbar"), show("a b", "\\bb"), show("ab", "a\\Bb"),
    %% Groups and references.
    show("abab", "(ab)\\1"), show("abAB", "(ab)\\1"), show("abAB", "(?i)(ab)\\1"), show("aa", "(?<x>a)\\k<x>"), show("aa", "(?P<x>a)(?P=x)"),
    show("ab", "(a)|b"), show("b", "(a)|b"), show("xbx", "(?|(a)|(b))x"), show("aXb", "a(?i)x(?-i)b"), show("aXB", "a(?i:x)b"),
    show("aaab", "(?>a+)ab"), show("ab", "a(?#comment)b"), show("a b", "a\\ b # end", [extended]), show("ba", "\\g{1}(a)|b"),
    show("abc", "(a)(?:b)(c)"), show("aba", "(a|(b))+"), show("abcabc", "(?<n>abc)\\g{-1}"),
    %% Looking around.
    show("foobar", "foo(?=bar)"), show("foobaz", "foo(?!bar)"), show("xfoo", "(?<=x)foo"), show("yfoo", "(?<!x)foo"),
    show("abcd", "(?<=ab|b)c"), show("ab", "(?=(a))\\1b"), show("ab", "(?!(c))a"),
    %% Conditions, calls, recursion.
    show("aab", "(a)?(?(1)a|b)b"), show("b", "(a)?(?(1)a|b)"), show("ab", "(?(?=a)ab|cd)"), show("cd", "(?(?!a)cd|ab)"),
    show("(a(b)c)", "\\((?:[^()]|(?R))*\\)"), show("abcba", "^(?:(.)(?:(?R)|.?)\\1)$|^((.)(?2)\\3|.?)$"),
    show("1+2", "(?<d>\\d)\\+(?&d)"), show("aa", "(a)(?1)"), show("aba", "(?(DEFINE)(?<l>[ab]))(?&l)+"), show("xaax", "(a)(?(R)b)(?1)?"),
    %% Verbs.
    show("aaab", "a+(*COMMIT)c|b"), show("aaabaaab", "a+b?(*COMMIT)(?=c)|x"), show("aaab", "a+(*SKIP)c|b"), show("aaab", "a+(*PRUNE)c|b"),
    show("abd", "(?:a(*THEN)c|ab)d"), show("ab", "a(*ACCEPT)b"), show("aacb", "a+(*MARK:m)c(*SKIP:m)x|b"), show("ab", "a(*F)|ab"),
    show("a\nb", "(*CR)a.b"), show("ab", "(*NO_START_OPT)b").

show(Subject, Pattern) -> show(Subject, Pattern, []).

show(Subject, Pattern, Options) ->
    io:format("~0p~n", [re:run(Subject, Pattern, Options)]).

%% expect: {match,[{0,3}]}
%% expect: nomatch
%% expect: {match,[{0,3}]}
%% expect: {match,[{0,3}]}
%% expect: {match,[{1,1}]}
%% expect: {match,[{0,2}]}
%% expect: {match,[{0,1}]}
%% expect: {match,[{0,3}]}
%% expect: {match,[{0,2}]}
%% expect: {match,[{3,2}]}
%% expect: {match,[{0,2}]}
%% expect: {match,[{1,1}]}
%% expect: {match,[{0,2}]}
%% expect: {match,[{0,3}]}
%% expect: {match,[{0,2}]}
%% expect: {match,[{2,2}]}
%% expect: {match,[{0,3}]}
%% expect: {match,[{0,2}]}
%% expect: {match,[{0,1}]}
%% expect: {match,[{0,4}]}
%% expect: {match,[{4,1}]}
%% expect: {match,[{0,3}]}
%% expect: {match,[{0,1}]}
%% expect: {match,[{0,2}]}
%% expect: {match,[{0,3}]}
%% expect: {match,[{1,3}]}
%% expect: nomatch
%% expect: {match,[{0,1}]}
%% expect: {match,[{0,5}]}
%% expect: {match,[{0,4}]}
%% expect: {match,[{0,1},{0,1}]}
%% expect: nomatch
%% expect: {match,[{2,1}]}
%% expect: {match,[{0,1}]}
%% expect: nomatch
%% expect: {match,[{0,1}]}
%% expect: nomatch
%% expect: {match,[{0,1}]}
%% expect: nomatch
%% expect: {match,[{1,2}]}
%% expect: {match,[{3,3}]}
%% expect: {match,[{2,1}]}
%% expect: {match,[{0,2}]}
%% expect: {match,[{0,4},{0,2}]}
%% expect: nomatch
%% expect: {match,[{0,4},{0,2}]}
%% expect: {match,[{0,2},{0,1}]}
%% expect: {match,[{0,2},{0,1}]}
%% expect: {match,[{0,1},{0,1}]}
%% expect: {match,[{0,1}]}
%% expect: {match,[{1,2},{1,1}]}
%% expect: {match,[{0,3}]}
%% expect: nomatch
%% expect: nomatch
%% expect: {match,[{0,2}]}
%% expect: {match,[{0,3}]}
%% expect: {match,[{0,1}]}
%% expect: {match,[{0,3},{0,1},{2,1}]}
%% expect: {match,[{0,3},{2,1},{1,1}]}
%% expect: {match,[{0,6},{0,3}]}
%% expect: {match,[{0,3}]}
%% expect: {match,[{0,3}]}
%% expect: {match,[{1,3}]}
%% expect: {match,[{1,3}]}
%% expect: {match,[{2,1}]}
%% expect: {match,[{0,2},{0,1}]}
%% expect: {match,[{0,1}]}
%% expect: {match,[{0,3},{0,1}]}
%% expect: {match,[{0,1}]}
%% expect: {match,[{0,2}]}
%% expect: {match,[{0,2}]}
%% expect: {match,[{0,7}]}
%% expect: {match,[{0,5},{-1,0},{0,5},{0,1}]}
%% expect: {match,[{0,3},{0,1}]}
%% expect: {match,[{0,2},{0,1}]}
%% expect: {match,[{0,3}]}
%% expect: {match,[{1,2},{1,1}]}
%% expect: nomatch
%% expect: nomatch
%% expect: {match,[{3,1}]}
%% expect: {match,[{3,1}]}
%% expect: {match,[{0,3}]}
%% expect: {match,[{0,1}]}
%% expect: {match,[{3,1}]}
%% expect: {match,[{0,2}]}
%% expect: {match,[{0,3}]}
%% expect: {match,[{1,1}]}
