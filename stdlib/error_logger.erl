%% The older interface to logging.
-module(error_logger).

-export([error_msg/1, error_msg/2, format/2, warning_msg/1, warning_msg/2, info_msg/1, info_msg/2,
         error_report/1, error_report/2, warning_report/1, warning_report/2, info_report/1, info_report/2,
         limit_term/1, get_format_depth/0, tty/1, logfile/1, warning_map/0]).

error_msg(Format) -> error_msg(Format, []).
error_msg(Format, Args) -> logger:log(error, Format, Args, #{}).

format(Format, Args) -> error_msg(Format, Args).

warning_msg(Format) -> warning_msg(Format, []).
warning_msg(Format, Args) -> logger:log(warning, Format, Args, #{}).

%% Informational output of this interface has the level of a notice, which is shown by default, under its own title.
info_msg(Format) -> info_msg(Format, []).
info_msg(Format, Args) -> logger:log(notice, Format, Args, title(notice)).

error_report(Report) -> error_report(std_error, Report).
error_report(Type, Report) -> report(error, Type, Report).

warning_report(Report) -> warning_report(std_warning, Report).
warning_report(Type, Report) -> report(warning, Type, Report).

info_report(Report) -> info_report(std_info, Report).
info_report(Type, Report) -> report(notice, Type, Report).

report(Level, _, Report) ->
    logger:log(Level, #{label => {error_logger, Level}, report => Report},
               (title(Level))#{report_cb => fun(#{report := R}) -> erlet_log:report_format(R) end}).

title(notice) -> #{logger_formatter => #{title => "INFO REPORT"}};
title(_) -> #{}.

limit_term(Term) -> Term.

get_format_depth() -> unlimited.

tty(_) -> ok.

logfile(filename) -> {error, no_log_file};
logfile(_) -> {error, no_log_file}.

warning_map() -> warning.
