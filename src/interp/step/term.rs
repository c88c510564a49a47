//! Taking terms apart, and building them.

use super::{Flow, jump, on};
use crate::interp::live::Live;
use crate::interp::machine::Machine;
use crate::term::{Subtag, Word};

// ---- taking apart ----

/// Two elements of a tuple, whose places are the halves of word 1.
#[inline(always)]
fn elements(m: &mut Live, tuple: Word, set: impl Fn(&mut Live, u16, Word)) -> Flow {
    let first = Live::body(tuple, m.half(1, 0));
    let second = Live::body(tuple, m.half(1, 1));
    set(m, m.b(), first);
    set(m, m.c(), second);
    on(m, 2)
}

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
    get_element2 |m, _machine| elements(m, m.get(m.a()), Live::set);
    get_element2_xxx |m, _machine| elements(m, m.x(m.a()), Live::set_x);
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
fn build_tuple(
    m: &mut Live,
    count: usize,
    build: impl FnOnce(&mut Live, Word, usize, usize) -> Word,
) -> Flow {
    if !m.has_room(m.h_at(1) as usize) {
        return jump(m, 1);
    }
    let tuple = build(m, Word::header(Subtag::Tuple, count), 3, count);
    m.set(m.a(), tuple);
    on(m, 3 + count as isize)
}

/// `test_heap` and `put_list` of `words` words, with a tail of which kind may be, and the destination in the field.
#[inline(always)]
fn build_cell(m: &mut Live, words: isize, tail: impl FnOnce(&Live) -> Word, to: u16) -> Flow {
    if !m.has_room(m.h_at(1) as usize) {
        return jump(m, 1);
    }
    let (head, tail) = (m.get(m.a()), tail(m));
    let list = m.cons(head, tail);
    m.set(to, list);
    on(m, words)
}

steps! {
    heap_tuple |m, _machine| build_tuple(m, m.b() as usize, Live::build);
    heap_tuple_x |m, _machine| build_tuple(m, m.b() as usize, Live::build_x);
    heap_tuple2 |m, _machine| build_tuple(m, 2, Live::build);
    heap_tuple3 |m, _machine| build_tuple(m, 3, Live::build);
    heap_cons |m, _machine| build_cell(m, 3, |m| m.get(m.b()), m.c());
    heap_cons_const |m, _machine| build_cell(m, 4, |m| Word::from_bits(m.operand(3)), m.b());
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
