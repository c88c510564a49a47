//! Calls and returns.

use super::{Flow, jump, on, out};
use crate::code::BifId;
use crate::interp::live::Live;
use crate::interp::machine::Machine;
use crate::interp::{applied, arity_at, closure, export};

/// Takes a reduction and calls; if there is none, the instruction runs again later with `live` registers.
#[inline(always)]
fn charged(
    m: &mut Live,
    machine: &mut Machine<'_>,
    live: impl FnOnce(&Live) -> usize,
    call: impl FnOnce(&mut Live),
) -> Flow {
    m.reductions -= 1;
    if m.reductions < 0 {
        let live = live(m);
        return out(m, machine, |machine| machine.used_up(live));
    }
    call(m);
    Flow::Elsewhere
}

steps! {
    call |m, machine| charged(m, machine, |m| arity_at(m, m.h()), |m| {
        m.push_return(1);
        m.go(m.h());
    });
    call_last |m, machine| charged(m, machine, |m| arity_at(m, m.h()), |m| {
        m.drop_slots(m.a());
        m.go(m.h());
    });
    call_only |m, machine| charged(m, machine, |m| arity_at(m, m.h()), |m| m.go(m.h()));
    call_ext |m, machine| {
        let cell = export(m.operand(1));
        charged(m, machine, |_| usize::from(cell.mfa.arity), |m| {
            m.push_return(2);
            m.pc = cell.entry();
        })
    };
    call_ext_last |m, machine| {
        let cell = export(m.operand(1));
        charged(m, machine, |_| usize::from(cell.mfa.arity), |m| {
            m.drop_slots(m.a());
            m.pc = cell.entry();
        })
    };
    call_ext_only |m, machine| {
        let cell = export(m.operand(1));
        charged(m, machine, |_| usize::from(cell.mfa.arity), |m| m.pc = cell.entry())
    };
    // The three below take their reduction by themselves: behind one more closure the live state falls out of registers
    // in the whole loop (43 % more instructions in fib).
    call_native |m, machine| {
        m.reductions -= 1;
        if m.reductions < 0 {
            let live = m.b() as usize;
            return out(m, machine, |machine| machine.used_up(live));
        }
        let (id, arity, next) = (BifId(m.a()), m.b() as usize, m.pc.wrapping_add(1));
        out(m, machine, |machine| machine.call_native(id, arity, next))
    };
    call_fun |m, machine| {
        m.reductions -= 1;
        let arity = m.a() as usize;
        if m.reductions < 0 {
            return out(m, machine, |machine| machine.used_up(arity + 1));
        }
        match closure(m) {
            Some(target) => {
                m.push_return(1);
                m.pc = target;
                Flow::Elsewhere
            }
            None => {
                let next = m.pc.wrapping_add(1);
                out(m, machine, |machine| machine.call_fun(arity, next))
            }
        }
    };
    apply |m, machine| {
        m.reductions -= 1;
        let arity = m.a() as usize;
        if m.reductions < 0 {
            return out(m, machine, |machine| machine.used_up(arity + 2));
        }
        match applied(machine.rt, m) {
            Some(target) => {
                m.push_return(1);
                m.pc = target;
                Flow::Elsewhere
            }
            None => {
                let next = m.pc.wrapping_add(1);
                out(m, machine, |machine| machine.apply(arity, next))
            }
        }
    };
    return_ |m, _machine| {
        m.pop_return();
        Flow::Elsewhere
    };
    deallocate_return |m, _machine| {
        m.drop_slots(m.a());
        m.pop_return();
        Flow::Elsewhere
    };
    trim |m, _machine| {
        m.drop_slots(m.a());
        on(m, 1)
    };
}

/// Which call a super-instruction ends with.
#[derive(Clone, Copy)]
pub(super) enum Call {
    Normal,
    Only,
    Last,
}

/// Two or three moves from Y to X registers, and the local call behind the moves that follow the two words of the prefix.
#[inline(always)]
fn moves_call(m: &mut Live, moves: usize, call: Call) -> Flow {
    if m.reductions <= 0 {
        return jump(m, 2);
    }
    m.reductions -= 1;
    let value = m.y(m.a());
    m.set_x(m.b(), value);
    let value = m.y(m.c());
    m.set_x(m.field(1, 0), value);
    if moves > 2 {
        let value = m.y(m.field(1, 1));
        m.set_x(m.field(1, 2), value);
    }
    let at = 2 + moves;
    match call {
        Call::Normal => m.push_return(at + 1),
        Call::Only => {}
        Call::Last => m.drop_slots(m.field(at, 1)),
    }
    jump(m, at as isize + m.h_at(at))
}

steps! {
    move2_call_yx |m, _machine| moves_call(m, 2, Call::Normal);
    move2_call_last_yx |m, _machine| moves_call(m, 2, Call::Last);
    move3_call_last_yx |m, _machine| moves_call(m, 3, Call::Last);
}
