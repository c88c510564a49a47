%% What OTP 27 documents modules and functions with is accepted wherever it may stand.
%% never on OTP: -doc needs OTP 27; see "Documentation Attributes" in its reference manual
-module(documentation_attributes_of_otp_27).
-moduledoc "A module.".
-moduledoc #{since => "1.0", authors => [<<"a">>]}.
-export([main/0, f/1, g/2, h/0]).

-doc "A type.".
-doc #{since => "1.1"}.
-type t() :: integer().

-doc "Says what it gets.".
-doc #{equiv => g(X, default), group => "some"}.
-spec f(t()) -> t().
f(X) -> g(X, default).

-doc #{equiv => f/1}.
g(X, _) -> X.

-doc hidden.
h() -> ok.

main() -> io:format("~p~n", [{f(1), g(2, a), h()}]).

%% expect: {1,2,ok}
