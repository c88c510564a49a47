% A function of each kind of instruction; `main/0` calls them all.
module everything

function main/0 exported
    allocate words=2, live=0
    try y1, L0
    move #0, x0
    call lists/1
    move x0, y0
    call tuples/1
    move y0, x0
    call maps/1
    call bits/1
    call messages/0
    call floats/1
    call raises/1
    try_end y1
    deallocate words=2
    return
L0:
    try_case y1
    move x2, y0
    build_trace live=3, x2, x2
    test_heap words=4, live=3
    put_tuple [x0, x1, x2], x0
    trim words=1, remaining=1
    call tuples/1
    deallocate words=1
    return

function lists/1 exported
    move [], x1
    call_only reverse/2

function reverse/2
    is_cons L0, x0
    get_list x0, x2, x3
    test_heap words=2, live=4
    put_list x2, x1, x1
    move x3, x0
    call_only reverse/2
L0:
    is_nil L1, x0
    move x1, x0
    return
L1:
    function_clause

function tuples/1 exported
    test_heap words=10, live=1
    put_tuple [x0, 1, ok], x1
    put_tuple [x1, x1], x2
    make_fun fun#0, [x1], x3
    is_tuple_of L1, x2, arity=2
    get_element x2, index=1, x0
    is_tagged L0, x0, arity=3, ok
    get_element x0, index=2, x0
L0:
    select_arity x0, L1, [2: L1, 3: L2]
L1:
    bif raise, live=1, erlang:'+'/2, [x0, 1], x0
    return
L2:
    allocate words=1, live=4
    move x1, y0
    move x3, x1
    move 7, x0
    call_fun arity=1
    move y0, x1
    is_exact_eq L3, x0, x1
L3:
    is_lt L4, x0, x1
    swap x0, x1
L4:
    deallocate words=1
    test_heap words=2, live=2
    put_list x0, x1, x0
    return

function 'fun'/2
    test_heap words=5, live=2
    put_list x0, [], x0
    put_tuple [x0, x1], x0
    select_val 3, L0, [3: L1, a: L0]
L0:
    if_clause
L1:
    return

function maps/1 exported
    map_put raise, live=1, #1, [a: x0, 2: b], x1
    is_map L0, x1
    map_get L0, x1, [a: x2, 2: x3]
    map_has L0, x1, [a]
    map_update raise, live=4, x1, [a: x2, z: x3], x1
    move x1, x0
    return
L0:
    badmatch x1

function bits/1 exported
    bs_create raise, live=1, [integer 258 size=16 unit=1 big, utf8 233 size=0 unit=1 big, binary #2 size=all unit=1 big], x0
    bs_start L0, live=1, x0, x1
    bs_get_position x1, x2
    bs_integer L0, live=3, x1, size=8, unit=1, big, x3
    bs_set_position x1, x2
    bs_integer L0, live=4, x1, size=1, unit=16, little_signed, x3
    bs_utf L0, x1, utf8, big, x4
    bs_skip L0, x1, size=1, unit=3
    bs_get_tail x1, live=2, x2
    bs_binary L0, live=3, x1, size=1, unit=5, x3
    bs_tail L0, x1, bits=3
    bs_string L0, x1, #3
    test_heap words=2, live=4
    put_list x2, x3, x0
    return
L0:
    case_clause x0

function messages/0 exported
    allocate words=1, live=0
    bif raise, live=0, erlang:self/0, [], x0
    move x0, y0
    move #0, x1
    send
    move y0, x0
    move hello, x1
    send
L0:
    loop_rec L3, x0
    is_cons L1, x0
    get_list x0, x1, x0
    bif L1, live=2, erlang:length/1, [x0], x2
    is_lt L1, 1, x2
    remove_message live=3
    test_heap words=2, live=3
    put_list x2, x1, x0
    deallocate words=1
    return
L1:
    is_tuple L2, x0
    is_tuple_of L2, x0, arity=2
    get_element x0, index=0, x0
    remove_message live=1
    deallocate words=1
    return
L2:
    loop_rec_end L0
L3:
    wait_timeout L0, time=5
    timeout
    deallocate words=1
    move timeout, x0
    return

function floats/1 exported
    move #4, x1
    bif L0, live=2, erlang:'*'/2, [x1, #4], x2
    bif L0, live=3, erlang:'-'/2, [x2, 1], x2
    is_float L0, x2
    bif raise, live=3, erlang:'bsl'/2, [1, 70], x3
    bif raise, live=4, erlang:'rem'/2, [x3, 1000003], x3
    is_integer L0, x3
    bif raise, live=4, erlang:'div'/2, [x3, 7], x0
    return
L0:
    try_clause x0

function raises/1 exported
    allocate words=2, live=1
    catch y1, L0
    try y0, L1
    bif raise, live=1, erlang:hd/1, [x0], x0
    call reverse/1
    try_end y0
    jump L0
L1:
    try_case y0
    is_exact_eq L2, x0, error
    move ok, x0
    jump L0
L2:
    re_raise
L0:
    catch_end y1
    test_heap words=3, live=1
    put_tuple [x0, done], x0
    deallocate words=2
    return

function reverse/1
    allocate words=0, live=1
    move erlang, x1
    move abs, x2
    apply arity=1
    deallocate words=0
    return

literal #0 = [1, 2, 3, a]
literal #1 = #{z => 1}
literal #2 = bits 11 16#FFE0
literal #3 = bits 3 16#E0
literal #4 = float 1.5
lambda 0 = 'fun'/2 free=1 uniq=17
