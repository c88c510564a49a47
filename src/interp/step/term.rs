//! Taking terms apart, and building them.

use super::{Flow, jump, on};
use crate::interp::live::Live;
use crate::interp::machine::Machine;
use crate::term::{Subtag, Word};

// ---- taking apart ----

steps! {
    get_list |m, _machine| {
        let (head, tail) = Live::cell(m.get(m.a()));
        m.set(m.b(), head);
        m.set(m.c(), tail);
        on(m, 1)
    };
    get_list_xxx |m, _machine| {
        let (head, tail) = Live::cell(m.x(m.a()));
        m.set_x(m.b(), head);
        m.set_x(m.c(), tail);
        on(m, 1)
    };
    get_hd |m, _machine| {
        let (head, _) = Live::cell(m.get(m.a()));
        m.set(m.b(), head);
        on(m, 1)
    };
    get_tl |m, _machine| {
        let (_, tail) = Live::cell(m.get(m.a()));
        m.set(m.b(), tail);
        on(m, 1)
    };
    get_element_xx |m, _machine| {
        let element = Live::body(m.x(m.a()), m.c() as usize);
        m.set_x(m.b(), element);
        on(m, 1)
    };
    get_element |m, _machine| {
        let element = Live::body(m.get(m.a()), m.c() as usize);
        m.set(m.b(), element);
        on(m, 1)
    };
    get_element2 |m, _machine| {
        let (tuple, places) = (m.get(m.a()), m.operand(1));
        let first = Live::body(tuple, places as u32 as usize);
        let second = Live::body(tuple, (places >> 32) as usize);
        m.set(m.b(), first);
        m.set(m.c(), second);
        on(m, 2)
    };
    cons_split |m, _machine| {
        let list = m.x(m.a());
        if !list.is_cons() {
            return jump(m, 1 + m.h_at(1));
        }
        let (head, tail) = Live::cell(list);
        m.set_x(m.b(), head);
        m.set_x(m.c(), tail);
        on(m, 3)
    };
    cons_allocate_split |m, _machine| {
        let list = m.x(m.a());
        let slots = m.field(2, 1) as usize;
        if !list.is_cons() {
            return jump(m, 1 + m.h_at(1));
        }
        if !m.has_room(slots) {
            return jump(m, 1);
        }
        let (head, tail) = Live::cell(list);
        m.make_frame(slots);
        m.set(m.b(), head);
        m.set(m.c(), tail);
        on(m, 4)
    };
}

// ---- building ----

/// `test_heap` and `put_tuple` of `count` elements.
#[inline(always)]
fn build_tuple(m: &mut Live, count: usize) -> Flow {
    if !m.has_room(m.h_at(1) as usize) {
        return jump(m, 1);
    }
    let tuple = m.build(Word::header(Subtag::Tuple, count), 3, count);
    m.set(m.a(), tuple);
    on(m, 3 + count as isize)
}

steps! {
    heap_tuple |m, _machine| build_tuple(m, m.b() as usize);
    heap_tuple2 |m, _machine| build_tuple(m, 2);
    heap_tuple3 |m, _machine| build_tuple(m, 3);
    heap_cons |m, _machine| {
        if !m.has_room(m.h_at(1) as usize) {
            return jump(m, 1);
        }
        let (head, tail) = (m.get(m.a()), m.get(m.b()));
        let list = m.cons(head, tail);
        m.set(m.c(), list);
        on(m, 3)
    };
    heap_cons_const |m, _machine| {
        if !m.has_room(m.h_at(1) as usize) {
            return jump(m, 1);
        }
        let (head, tail) = (m.get(m.a()), Word::from_bits(m.operand(3)));
        let list = m.cons(head, tail);
        m.set(m.b(), list);
        on(m, 4)
    };
    heap_cons_return |m, _machine| {
        if !m.has_room(m.h_at(1) as usize) {
            return jump(m, 1);
        }
        let (head, tail) = (m.y(m.a()), m.x(m.b()));
        let list = m.cons(head, tail);
        m.set_x(0, list);
        m.drop_slots(m.field(3, 1));
        m.pop_return();
        Flow::Elsewhere
    };
    put_list |m, _machine| {
        let (head, tail) = (m.get(m.a()), m.get(m.b()));
        let list = m.cons(head, tail);
        m.set(m.c(), list);
        on(m, 1)
    };
}
