%% What is known of a host, as in OTP.
-ifndef(INET_HRL).
-define(INET_HRL, true).
-record(hostent, {
    h_name,
    h_aliases = [],
    h_addrtype,
    h_length,
    h_addr_list = []
}).
-endif.
