%% Assertions: each is `ok`, or an error that says what was expected and what was there. NOASSERT switches them off.
-ifndef(ASSERT_HRL).
-define(ASSERT_HRL, true).

-ifdef(ASSERT).
-undef(NOASSERT).
-endif.

-ifdef(NOASSERT).

-define(assert(Expr), ok).
-define(assert(Expr, Comment), ok).
-define(assertNot(Expr), ok).
-define(assertNot(Expr, Comment), ok).
-define(assertMatch(Pattern, Expr), ok).
-define(assertMatch(Pattern, Expr, Comment), ok).
-define(assertNotMatch(Pattern, Expr), ok).
-define(assertNotMatch(Pattern, Expr, Comment), ok).
-define(assertEqual(Expected, Expr), ok).
-define(assertEqual(Expected, Expr, Comment), ok).
-define(assertNotEqual(Unexpected, Expr), ok).
-define(assertNotEqual(Unexpected, Expr, Comment), ok).
-define(assertException(Class, Term, Expr), ok).
-define(assertException(Class, Term, Expr, Comment), ok).
-define(assertNotException(Class, Term, Expr), ok).
-define(assertNotException(Class, Term, Expr, Comment), ok).

-else.

%% Expressions are evaluated in funs, so that their variables stay their own.
-define(ASSERT_FAIL_(Kind, Comment, Facts),
        erlang:error({Kind, [{module, ?MODULE}, {line, ?LINE}] ++ Comment ++ Facts})).

-define(ASSERT_BOOLEAN_(Wanted, Expr, Text, Comment),
        begin
            ((fun() ->
                  case (Expr) of
                      Wanted -> ok;
                      X__Value ->
                          X__Fact =
                              case is_boolean(X__Value) of
                                  true -> {value, X__Value};
                                  false -> {not_boolean, X__Value}
                              end,
                          ?ASSERT_FAIL_(assert, Comment, [{expression, Text}, {expected, Wanted}, X__Fact])
                  end
              end)())
        end).
-define(assert(Expr), ?ASSERT_BOOLEAN_(true, Expr, (??Expr), [])).
-define(assert(Expr, Comment), ?ASSERT_BOOLEAN_(true, Expr, (??Expr), [{comment, (Comment)}])).
-define(assertNot(Expr), ?ASSERT_BOOLEAN_(false, Expr, (??Expr), [])).
-define(assertNot(Expr, Comment), ?ASSERT_BOOLEAN_(false, Expr, (??Expr), [{comment, (Comment)}])).

-define(ASSERT_MATCH_(Pattern, PatternText, Expr, Text, Comment),
        begin
            ((fun() ->
                  case (Expr) of
                      Pattern -> ok;
                      X__Value ->
                          ?ASSERT_FAIL_(assertMatch, Comment, [{expression, Text}, {pattern, PatternText}, {value, X__Value}])
                  end
              end)())
        end).
-define(assertMatch(Pattern, Expr), ?ASSERT_MATCH_(Pattern, (??Pattern), Expr, (??Expr), [])).
-define(assertMatch(Pattern, Expr, Comment),
        ?ASSERT_MATCH_(Pattern, (??Pattern), Expr, (??Expr), [{comment, (Comment)}])).

-define(ASSERT_NOT_MATCH_(Pattern, PatternText, Expr, Text, Comment),
        begin
            ((fun() ->
                  X__Value = (Expr),
                  case X__Value of
                      Pattern ->
                          ?ASSERT_FAIL_(assertNotMatch, Comment,
                                        [{expression, Text}, {pattern, PatternText}, {value, X__Value}]);
                      _ -> ok
                  end
              end)())
        end).
-define(assertNotMatch(Pattern, Expr), ?ASSERT_NOT_MATCH_(Pattern, (??Pattern), Expr, (??Expr), [])).
-define(assertNotMatch(Pattern, Expr, Comment),
        ?ASSERT_NOT_MATCH_(Pattern, (??Pattern), Expr, (??Expr), [{comment, (Comment)}])).

-define(ASSERT_EQUAL_(Expected, Expr, Text, Comment),
        begin
            ((fun() ->
                  X__Expected = (Expected),
                  case (Expr) of
                      X__Expected -> ok;
                      X__Value ->
                          ?ASSERT_FAIL_(assertEqual, Comment, [{expression, Text}, {expected, X__Expected}, {value, X__Value}])
                  end
              end)())
        end).
-define(assertEqual(Expected, Expr), ?ASSERT_EQUAL_(Expected, Expr, (??Expr), [])).
-define(assertEqual(Expected, Expr, Comment), ?ASSERT_EQUAL_(Expected, Expr, (??Expr), [{comment, (Comment)}])).

-define(ASSERT_NOT_EQUAL_(Unexpected, Expr, Text, Comment),
        begin
            ((fun() ->
                  X__Unexpected = (Unexpected),
                  case (Expr) of
                      X__Unexpected -> ?ASSERT_FAIL_(assertNotEqual, Comment, [{expression, Text}, {value, X__Unexpected}]);
                      _ -> ok
                  end
              end)())
        end).
-define(assertNotEqual(Unexpected, Expr), ?ASSERT_NOT_EQUAL_(Unexpected, Expr, (??Expr), [])).
-define(assertNotEqual(Unexpected, Expr, Comment), ?ASSERT_NOT_EQUAL_(Unexpected, Expr, (??Expr), [{comment, (Comment)}])).

-define(ASSERT_EXCEPTION_(Class, Term, PatternText, Expr, Text, Comment),
        begin
            ((fun() ->
                  try (Expr) of
                      X__Value ->
                          ?ASSERT_FAIL_(assertException, Comment,
                                        [{expression, Text}, {pattern, PatternText}, {unexpected_success, X__Value}])
                  catch
                      Class:Term -> ok;
                      X__Class:X__Term:X__Stack ->
                          ?ASSERT_FAIL_(assertException, Comment,
                                        [{expression, Text}, {pattern, PatternText},
                                         {unexpected_exception, {X__Class, X__Term, X__Stack}}])
                  end
              end)())
        end).
-define(ASSERT_CLASS_(ClassText, TermText), "{ " ++ ClassText ++ " , " ++ TermText ++ " , [...] }").
-define(assertException(Class, Term, Expr),
        ?ASSERT_EXCEPTION_(Class, Term, ?ASSERT_CLASS_((??Class), (??Term)), Expr, (??Expr), [])).
-define(assertException(Class, Term, Expr, Comment),
        ?ASSERT_EXCEPTION_(Class, Term, ?ASSERT_CLASS_((??Class), (??Term)), Expr, (??Expr), [{comment, (Comment)}])).

-define(ASSERT_NOT_EXCEPTION_(Class, Term, PatternText, Expr, Text, Comment),
        begin
            ((fun() ->
                  try (Expr) of
                      _ -> ok
                  catch
                      X__Class:X__Term:X__Stack ->
                          case X__Class of
                              Class ->
                                  case X__Term of
                                      Term ->
                                          ?ASSERT_FAIL_(assertNotException, Comment,
                                                        [{expression, Text}, {pattern, PatternText},
                                                         {unexpected_exception, {X__Class, X__Term, X__Stack}}]);
                                      _ -> ok
                                  end;
                              _ -> ok
                          end
                  end
              end)())
        end).
-define(assertNotException(Class, Term, Expr),
        ?ASSERT_NOT_EXCEPTION_(Class, Term, ?ASSERT_CLASS_((??Class), (??Term)), Expr, (??Expr), [])).
-define(assertNotException(Class, Term, Expr, Comment),
        ?ASSERT_NOT_EXCEPTION_(Class, Term, ?ASSERT_CLASS_((??Class), (??Term)), Expr, (??Expr), [{comment, (Comment)}])).

-endif.

-define(assertError(Term, Expr), ?assertException(error, Term, Expr)).
-define(assertError(Term, Expr, Comment), ?assertException(error, Term, Expr, Comment)).
-define(assertExit(Term, Expr), ?assertException(exit, Term, Expr)).
-define(assertExit(Term, Expr, Comment), ?assertException(exit, Term, Expr, Comment)).
-define(assertThrow(Term, Expr), ?assertException(throw, Term, Expr)).
-define(assertThrow(Term, Expr, Comment), ?assertException(throw, Term, Expr, Comment)).

-endif.
