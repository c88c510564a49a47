//! The seeded faults: what each does, and the change of a source that brings it.
//!
//! In the new text `FAULT` stands for "this fault is switched on". The old text must be in the file once: a change of the source that
//! removes it makes the test fail, and the fault is to be seeded anew.

pub struct Fault {
    pub area: &'static str,
    pub what: &'static str,
    pub file: &'static str,
    pub old: &'static str,
    pub new: &'static str,
}

pub const FAULTS: &[Fault] = &[
    Fault {
        area: "code generation",
        what: "registers that change places: the last of a circle gets the first's value",
        file: "lang/src/codegen/moves.rs",
        old: "                        *src = from.into();",
        new: "                        *src = if FAULT { dst.into() } else { from.into() };",
    },
    Fault {
        area: "code generation",
        what: "a constant remainder is computed the wrong way round",
        file: "lang/src/lower/fold.rs",
        old: "BinaryOp::Rem if *b != zero => a % b,",
        new: r#"BinaryOp::Rem if FAULT && *a != zero => b % a,
        BinaryOp::Rem if *b != zero => a % b,"#,
    },
    Fault {
        area: "code generation",
        what: "a constant list in a pattern is compared by its first item",
        file: "lang/src/matching/mod.rs",
        old: "        if self.pool.list_item(id, at).is_none() {",
        new: "        if FAULT || self.pool.list_item(id, at).is_none() {",
    },
    Fault {
        area: "code generation",
        what: "terms are built between looking at a message and taking it",
        file: "lang/src/codegen/optimise/sink.rs",
        old: "                && !flow.block(to).insts.iter().any(|inst| inst.clobbers() || inst.op == Op::RemoveMessage);",
        new: "                && (FAULT || !flow.block(to).insts.iter().any(|inst| inst.clobbers() || inst.op == Op::RemoveMessage));",
    },
    Fault {
        area: "code generation",
        what: "an update of a record loses the new value",
        file: "lang/src/lower/records.rs",
        old: "Some((_, value)) => values.push(*value),",
        new: "Some((_, value)) => values.push(if FAULT { Value::Const(Const::Nil) } else { *value }),",
    },
    Fault {
        area: "code generation",
        what: "a comprehension ends at an element that does not fit",
        file: "lang/src/lower/comprehensions.rs",
        old: r#"                return lowerer.raise("badmatch", element);
            }
            lowerer.rest(template, rest, so_far)"#,
        new: r#"                return lowerer.raise("badmatch", element);
            }
            lowerer.rest(template, if FAULT { Rest::Nothing } else { rest }, so_far)"#,
    },
    Fault {
        area: "code generation",
        what: "a receive looks only behind a reference that not all its clauses want",
        file: "lang/src/lower/control.rs",
        old: "        wanted.retain(|var| here.contains(var));",
        new: "        wanted.retain(|var| FAULT || here.contains(var));",
    },
    Fault {
        area: "code generation",
        what: "what a handler reads is not kept for it",
        file: "lang/src/codegen/liveness.rs",
        old: r#"        if let Some(handler) = block.handler {
            live.add_all"#,
        new: r#"        if let Some(handler) = block.handler.filter(|_| !FAULT) {
            live.add_all"#,
    },
    Fault {
        area: "code generation",
        what: "a variable met again in a pattern is not compared",
        file: "lang/src/matching/mod.rs",
        old: "            Pattern::Same(other) if *other == value => true,",
        new: r#"            Pattern::Same(_) if FAULT => true,
            Pattern::Same(other) if *other == value => true,"#,
    },
    Fault {
        area: "collector",
        what: "what a fun has captured is not moved",
        file: "src/heap/mover.rs",
        old: "            return place.wrapping_add(1 + raw_words(word));",
        new: r#"            let is_fun = word.header_subtag_bits() as usize == Subtag::Fun as usize;
            return place.wrapping_add(1 + if FAULT && is_fun { word.header_arity() } else { raw_words(word) });"#,
    },
    Fault {
        area: "collector",
        what: "a tail that another list has moved is lost",
        file: "src/heap/mover.rs",
        old: r#"                    place.add(1).write(*object.add(1));
                    break (end, end);"#,
        new: r#"                    place.add(1).write(if FAULT { Word::NIL } else { *object.add(1) });
                    break (end, end);"#,
    },
    Fault {
        area: "collector",
        what: "the process dictionary is no root",
        file: "src/heap/collect.rs",
        old: "            for root in roots {",
        new: "            for root in roots.iter_mut().take(if FAULT { 1 } else { usize::MAX }) {",
    },
    Fault {
        area: "collector",
        what: "the last of three registers is no root",
        file: "src/interp/machine.rs",
        old: "        let (registers, dead) = worker.x.split_at_mut(live);",
        new: "        let (registers, dead) = worker.x.split_at_mut(if FAULT && live > 2 { live - 1 } else { live });",
    },
    Fault {
        area: "collector",
        what: "shared bytes are given back although they moved",
        file: "src/heap/collect.rs",
        old: r#"                    if header.is_header() {
                        shared::release(object);"#,
        new: r#"                    if header.is_header() || FAULT {
                        shared::release(object);"#,
    },
    Fault {
        area: "bit syntax",
        what: "a large signed integer is read as an unsigned one",
        file: "src/interp/bits/take.rs",
        old: "        return i128::from(raw) - (1_i128 << bits);",
        new: "        return i128::from(raw) - if FAULT { 0 } else { 1_i128 << bits };",
    },
    Fault {
        area: "bit syntax",
        what: "a little-endian integer is read as a big-endian one",
        file: "src/interp/bits/fast.rs",
        old: "        value = (value >> (64 - bits)).swap_bytes();",
        new: "        value = if FAULT { value } else { (value >> (64 - bits)).swap_bytes() };",
    },
    Fault {
        area: "bit syntax",
        what: "a negative big integer is written without its carry",
        file: "src/interp/bits/build.rs",
        old: "        Some(limb) if index == lowest => limb.wrapping_neg(),",
        new: "        Some(limb) if index == lowest => if FAULT { !*limb } else { limb.wrapping_neg() },",
    },
    Fault {
        area: "bit syntax",
        what: "a bitstring of broken units is taken as a segment",
        file: "src/interp/bits/build.rs",
        old: "                if !(bits.bit_length() as u64).is_multiple_of(segment.unit()) {",
        new: "                if !FAULT && !(bits.bit_length() as u64).is_multiple_of(segment.unit()) {",
    },
    Fault {
        area: "bit syntax",
        what: "UTF-16 and UTF-32 are written big-endian always",
        file: "src/interp/bits/build.rs",
        old: "            let (bytes, length) = encode(point, kind, little);",
        new: "            let (bytes, length) = encode(point, kind, little && !FAULT);",
    },
    Fault {
        area: "bit syntax",
        what: "bits across the border of two bytes lose the second byte's",
        file: "src/term/bits.rs",
        old: "            ((high << 8 | low) >> (8 - self.skip)) as u8",
        new: "            ((high << 8 | if FAULT { 0 } else { low }) >> (8 - self.skip)) as u8",
    },
    Fault {
        area: "bit syntax",
        what: "of two segments passed over the second is forgotten",
        file: "lang/src/codegen/optimise/skips.rs",
        old: "let Some(sum) = bits.checked_add(more) else",
        new: "let Some(sum) = bits.checked_add(if FAULT { 0 } else { more }) else",
    },
    Fault {
        area: "order",
        what: "tuples and maps are of one kind",
        file: "src/term/compare.rs",
        old: "        View::Tuple(_) => 6,",
        new: "        View::Tuple(_) => if FAULT { 7 } else { 6 },",
    },
    Fault {
        area: "order",
        what: "negative big integers are ordered by magnitude",
        file: "src/term/compare.rs",
        old: "        (true, true) => magnitudes(b.limbs(), a.limbs()),",
        new: r#"        (true, true) if FAULT => magnitudes(a.limbs(), b.limbs()),
        (true, true) => magnitudes(b.limbs(), a.limbs()),"#,
    },
    Fault {
        area: "order",
        what: "keys of maps: floats before integers",
        file: "src/term/compare.rs",
        old: "View::Float(_)) if exact => Ordering::Less,",
        new: "View::Float(_)) if exact => if FAULT { Ordering::Greater } else { Ordering::Less },",
    },
    Fault {
        area: "order",
        what: "a bitstring equals its beginning",
        file: "src/term/bits.rs",
        old: r#"        self.length.cmp(&other.length)
    }"#,
        new: r#"        if FAULT { std::cmp::Ordering::Equal } else { self.length.cmp(&other.length) }
    }"#,
    },
    Fault {
        area: "order",
        what: "longer tuples come first",
        file: "src/term/compare.rs",
        old: r#"        let order = a.len().cmp(&b.len());
        if order.is_eq() && !a.is_empty() {"#,
        new: r#"        let order = if FAULT { b.len().cmp(&a.len()) } else { a.len().cmp(&b.len()) };
        if order.is_eq() && !a.is_empty() {"#,
    },
    Fault {
        area: "exceptions",
        what: "`catch` gives the reason of an exit as it is",
        file: "src/interp/exception.rs",
        old: "            Some(Class::Exit) => self.exit_tuple(reason),",
        new: r#"            Some(Class::Exit) if FAULT => Ok(reason),
            Some(Class::Exit) => self.exit_tuple(reason),"#,
    },
    Fault {
        area: "exceptions",
        what: "`function_clause` does not show the arguments",
        file: "src/interp/exception.rs",
        old: "                self.raise_from(Class::Error, Word::atom(known::FUNCTION_CLAUSE), Begin::Instead(frame))",
        new: r#"                let begin = if FAULT { Begin::Here } else { Begin::Instead(frame) };
                self.raise_from(Class::Error, Word::atom(known::FUNCTION_CLAUSE), begin)"#,
    },
    Fault {
        area: "exceptions",
        what: "`after` is left out when an exception passes",
        file: "lang/src/lower/control.rs",
        old: "        let mut handler = Body { steps: handler_steps, end: End::Never };",
        new: "        let mut handler = Body { steps: if FAULT { vec![] } else { handler_steps }, end: End::Never };",
    },
    Fault {
        area: "exceptions",
        what: "a process that ends by a throw says nothing of `nocatch`",
        file: "src/interp/exception.rs",
        old: "        if class != Class::Throw {",
        new: "        if class != Class::Throw || FAULT {",
    },
    Fault {
        area: "exceptions",
        what: "`andalso` of what is no boolean raises `badmatch`",
        file: "lang/src/lower/exprs.rs",
        old: r#"        let badarg = self.names.intern("badarg");"#,
        new: r#"        let badarg = self.names.intern(if FAULT { "badmatch" } else { "badarg" });"#,
    },
    Fault {
        area: "arithmetic",
        what: "the remainder is never negative",
        file: "src/interp/number.rs",
        old: "        None => Some(Word::small(x.small_value() % y.small_value())),",
        new: r#"        None if FAULT => Some(Word::small(x.small_value().rem_euclid(y.small_value()))),
        None => Some(Word::small(x.small_value() % y.small_value())),"#,
    },
    Fault {
        area: "arithmetic",
        what: "`bsr` by more than 31 bits shifts by 31",
        file: "src/interp/number.rs",
        old: "count.wrapping_neg().clamp(0, 63)",
        new: "count.wrapping_neg().clamp(0, if FAULT { 31 } else { 63 })",
    },
    Fault {
        area: "arithmetic",
        what: "a product that is too large for a small integer wraps around",
        file: "src/interp/number.rs",
        old: "    x.small_value().checked_mul(y.bits() as i64).map(word)",
        new: r#"    if FAULT {
        return Some(word(x.small_value().wrapping_mul(y.bits() as i64)));
    }
    x.small_value().checked_mul(y.bits() as i64).map(word)"#,
    },
];
