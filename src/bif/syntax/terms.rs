//! Natives for programs that handle programs: text to terms, as `file:consult/1` reads them.

use erlet_lang::constants::{self, Constants};

use crate::atom::{Atom, known};
use crate::bif::io::block;
use crate::bif::{BifResult, Cx, Stop, chardata};
use crate::code::CodeServer;
use crate::heap::{AllocError, HeapRef};
use crate::runtime::pool::JobKind;
use crate::term::Term;

/// `erlet_compiler:parse_terms(Chardata) -> {ok, [Term]} | {error, {Line, erl_parse, Description}}`.
///
/// # Errors
/// `badarg` if it is no chardata.
pub fn parse_terms<'h>(cx: &mut Cx<'h>, [data]: [Term<'h>; 1]) -> BifResult<'h> {
    let text = chardata::text(cx, data)?.ok_or_else(Stop::badarg)?;
    let machine = cx.rt.weak();
    Err(block(cx, JobKind::Bulk, move || {
        let parsed = constants::parse_terms(&text);
        Box::new(move |heap| match (parsed, machine.upgrade()) {
            (Ok(constants), Some(rt)) => {
                let terms = built(heap, Vec::new(), &constants, &rt.code)?;
                let list = heap.list(&terms)?;
                heap.tuple(&[Term::atom(known::OK), list])
            }
            (Err(error), _) => {
                let line = heap.int(i64::from(error.line))?;
                let message = heap.string(&error.message)?;
                let reason = heap.tuple(&[line, Term::atom(known::ERL_PARSE), message])?;
                heap.tuple(&[Term::atom(known::ERROR), reason])
            }
            (Ok(_), None) => Ok(Term::atom(known::ERROR)),
        })
    }))
}

/// The terms of tables whose first rows are given. Atoms that do not fit the table are an error of memory, as any other lack of room.
pub(super) fn built<'h>(
    heap: &mut HeapRef<'h>,
    given: Vec<Term<'h>>,
    constants: &Constants,
    code: &CodeServer,
) -> Result<Vec<Term<'h>>, AllocError> {
    let names =
        constants.atoms.iter().map(|text| heap.intern(text)).collect::<Result<Vec<Atom>, AllocError>>()?;
    crate::code::constant_terms(heap, given, &constants.literals, &constants.terms, &names, code)
}
