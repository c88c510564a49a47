%% Parts of the language that can be turned on and off: `maybe` is the only one there has been, and it is on for good.
-module(erl_features).

-export([all/0, configurable/0, info/1, short/1, long/1, used/1, enabled/0, keywords/0, keywords/1, keywords/2, init_features/0,
         init_specs/0, keyword_fun/2, keyword_fun/4, features_in/1, load_allowed/1, format_error/1, format_error/2]).

-spec all() -> [atom()].
all() -> [maybe_expr].

%% Those that a program can still decide on.
-spec configurable() -> [atom()].
configurable() -> [].

-spec enabled() -> [atom()].
enabled() -> [maybe_expr].

-spec info(atom()) -> map().
info(maybe_expr = Feature) ->
    #{short => short(Feature), description => long(Feature), status => permanent, type => extension, keywords => keywords(Feature)};
info(_) -> error(invalid_feature).

-spec short(atom()) -> string().
short(maybe_expr) -> "Value based error handling (EEP49)";
short(_) -> error(invalid_feature).

-spec long(atom()) -> iolist().
long(maybe_expr) -> "maybe ... end: a sequence of matches that ends at the first one that does not fit.";
long(_) -> error(invalid_feature).

%% Features that a module was compiled with.
-spec used(module()) -> [atom()].
used(Module) when is_atom(Module) -> [].

-spec features_in(module() | binary()) -> [atom()].
features_in(_) -> [].

-spec load_allowed(binary()) -> ok.
load_allowed(_) -> ok.

%% The words it reserves; `else` is reserved within it.
-spec keywords() -> [atom()].
keywords() -> ['maybe', 'else'].

-spec keywords(atom()) -> [atom()].
keywords(maybe_expr) -> ['maybe', 'else'];
keywords(_) -> error(invalid_feature).

keywords(Feature, _) -> keywords(Feature).

init_features() -> ok.

init_specs() -> #{maybe_expr => info(maybe_expr)}.

-spec keyword_fun([term()], fun((atom()) -> boolean())) -> {ok, {[atom()], fun((atom()) -> boolean())}}.
keyword_fun(_, IsReserved) -> {ok, {enabled(), fun(Word) -> IsReserved(Word) orelse lists:member(Word, keywords()) end}}.

-spec keyword_fun(enable | disable, atom(), [atom()], fun((atom()) -> boolean())) ->
          {ok, {[atom()], fun((atom()) -> boolean())}} | {error, {module(), term()}}.
keyword_fun(enable, maybe_expr, Features, IsReserved) -> {ok, {Features, IsReserved}};
keyword_fun(_, Feature, _, _) -> {error, {?MODULE, {invalid_features, [Feature]}}}.

-spec format_error(term()) -> iolist().
format_error(Reason) -> format_error(Reason, []).

-spec format_error(term(), term()) -> iolist().
format_error({invalid_features, Features}, _) ->
    io_lib:format("not a feature that can be turned on or off: ~ts", [lists:join(", ", [atom_to_list(F) || F <- Features])]);
format_error(Reason, _) -> io_lib:format("~tp", [Reason]).
