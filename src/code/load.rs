//! The loader: generic instructions in, internal instructions out.
//!
//! Names become words here, once: atoms of the VM, literals, export cells, natives, fun entries, jump offsets. Operands
//! that a row has no room for go through a scratch register. Choices made for speed alone are in
//! [`fuse`](super::fuse); this module translates instruction by instruction.

use erlet_lang::bytecode::{FnIx, ImportIx, Instr, Label, LambdaIx, LineIx, Module, Operand, Reg, Src};
use erlet_lang::verify::{Fact, FunctionFacts, Verified};

use super::emit::Emitter;
use super::fuse::Fusion;
use super::literal::{Literals, exact_order};
use super::module::{LoadedFunction, LoadedModule};
use super::op::{Op, REGISTER_TAG, SCRATCH_X, Y_BIT};
use super::purge::FunKey;
use super::server::{BifId, CodeServer, ExportCell, FunIdentity, LoadError, Mfa};
use crate::atom::{Atom, AtomError, Atoms, known};
use crate::term::word::fits_small;
use crate::term::{FunEntry, Word};
use std::sync::Arc;

/// Loads a verified module and publishes it: from then on its exports are what callers reach.
///
/// # Errors
/// `SystemLimit` when its atoms or literals do not fit.
pub fn load(server: &CodeServer, atoms: &Atoms, verified: &Verified) -> Result<Arc<LoadedModule>, LoadError> {
    let module = verified.module();
    refuse_unsupported(module)?;
    let names = module.atoms.iter().map(|text| atoms.intern(text)).collect::<Result<Vec<Atom>, AtomError>>();
    let names = names.map_err(|_| LoadError::SystemLimit)?;
    let literals = Literals::build(module, &names, atoms, server, &big_integers(module))?;
    let name = names[module.name.index()];
    let imports = module
        .imports
        .iter()
        .map(|import| {
            server.export(Mfa {
                module: names[import.module.index()],
                function: names[import.function.index()],
                arity: import.arity,
            })
        })
        .collect();
    let (funs, lambdas) = module
        .lambdas
        .iter()
        .enumerate()
        .map(|(index, lambda)| {
            let function = &module.functions[lambda.function.index()];
            server.fun(FunIdentity {
                module: name,
                index: index as u32,
                uniq: lambda.uniq,
                arity: function.arity - lambda.free as u8,
                captured: lambda.free as u8,
                module_hash: module.md5,
            })
        })
        .unzip();
    let mut loader = Loader {
        server,
        atoms,
        module,
        name,
        names,
        literals,
        imports,
        funs,
        lambdas,
        emit: Emitter::default(),
        calls: Vec::new(),
    };
    let functions = match loader.functions(verified.functions()) {
        Ok(functions) => functions,
        Err(error) => {
            server.give_up_funs(&loader.funs);
            return Err(error);
        }
    };
    let loaded = Arc::new(loader.finish(functions));
    server.publish(loaded.clone());
    server.tell_loaded(atoms.text(name));
    Ok(loaded)
}

/// The translation of one module.
pub(super) struct Loader<'m> {
    pub server: &'m CodeServer,
    atoms: &'m Atoms,
    pub module: &'m Module,
    name: Atom,
    pub names: Vec<Atom>,
    pub literals: Literals,
    imports: Vec<&'m ExportCell>,
    /// Its funs, and where their entries are.
    funs: Vec<FunKey>,
    lambdas: Vec<*const FunEntry>,
    pub emit: Emitter,
    /// Local calls: offset of the instruction, callee.
    calls: Vec<(u32, FnIx)>,
}

impl<'m> Loader<'m> {
    fn functions(&mut self, facts: &[FunctionFacts]) -> Result<Vec<LoadedFunction>, LoadError> {
        let module = self.module;
        let mut loaded = Vec::with_capacity(module.functions.len());
        for (function, facts) in module.functions.iter().zip(facts) {
            let name = self.names[function.name.index()];
            // Code reached by address alone finds the arity in the word before the entry.
            self.emit.word(u64::from(function.arity));
            let start = self.emit.here();
            self.emit.begin(function.labels);
            let mfa = Mfa { module: self.name, function: name, arity: function.arity };
            match self.server.existing_export(mfa).and_then(|cell| cell.native) {
                // A native wins over Erlang code of the same name, for calls inside the module too.
                Some(id) => {
                    for &param in &function.contexts {
                        self.emit.abc(Op::BsWhole, param.into(), param.into(), 0);
                    }
                    self.emit.abc(Op::NativeStub, id.0, function.arity as u16, 0);
                }
                None => self.code(&function.code, &facts.facts, function.arity)?,
            }
            self.emit.end();
            loaded.push(LoadedFunction { name, arity: function.arity, exported: function.exported, start });
        }
        Ok(loaded)
    }

    fn finish(self, functions: Vec<LoadedFunction>) -> LoadedModule {
        let module = self.module;
        let mut code = self.emit.code;
        for (at, callee) in self.calls {
            let offset = functions[callee.index()].start as i32 - at as i32;
            code[at as usize] |= (offset as u32 as u64) << 32;
        }
        let attributes = module.attributes.iter();
        let attributes = attributes
            .map(|&(name, value)| (self.names[name.index()], self.literals.value(value, &self.names)))
            .collect();
        let mut loaded = LoadedModule {
            name: self.name,
            shown_name: self.name,
            md5: module.md5,
            code: code.into_boxed_slice(),
            functions,
            line_starts: self.emit.line_starts,
            lines: module.lines.iter().map(|line| (line.file, line.line)).collect(),
            files: module.files.clone(),
            attributes,
            on_load: module.on_load.map(FnIx::index),
            literals: self.literals,
            funs: self.funs,
        };
        let whole = loaded.attributes().find(|(name, _)| *name == known::ERLET_PART_OF);
        if let Some(whole) = whole.and_then(|(_, values)| values.list().next()?.as_atom()) {
            loaded.shown_name = whole;
        }
        for (lambda, &entry) in module.lambdas.iter().zip(&self.lambdas) {
            let target = loaded.entry(&loaded.functions[lambda.function.index()]);
            // SAFETY: C3: the server's fun entries live as long as a module has them.
            unsafe { &*entry }.set_target(target.expose_provenance() as u64);
        }
        loaded
    }

    fn code(&mut self, code: &[Instr], facts: &[Fact], arity: u8) -> Result<(), LoadError> {
        // Instructions before this one are parts of a super-instruction in front of them.
        let mut parts = 0;
        let mut at = 0;
        while at < code.len() {
            if at >= parts {
                self.emit.end_parts();
                match super::fuse::fuse(self, &code[at..], &facts[at..]) {
                    Fusion::None => {}
                    Fusion::Prefix(count) => {
                        parts = at + count;
                        self.emit.begin_parts();
                    }
                    Fusion::Done(count) => {
                        at += count;
                        continue;
                    }
                }
            }
            // A frame is always dropped in one with the return behind it: prefixes count on that.
            if let [Instr::Deallocate { words }, Instr::Return {}, ..] = code[at..] {
                self.op(Op::DeallocateReturn, words);
                at += 2;
                continue;
            }
            // What is not reached was not verified, but jumps from other such places may name its labels, and its lines hold for
            // reached places behind it too.
            if facts[at].has(Fact::REACHED) || matches!(code[at], Instr::Label { .. } | Instr::Line { .. }) {
                self.instruction(&code[at], facts[at], arity)?;
            }
            at += 1;
        }
        Ok(())
    }

    /// Whether code is to collect at every safepoint: then what stands in front of one must not skip it.
    pub(super) fn stress(&self) -> bool {
        self.server.stress()
    }

    /// The name of the operator that a `bif` instruction calls.
    pub(super) fn operator_name(&self, import: ImportIx) -> Option<Atom> {
        let mfa = self.imports[import.index()].mfa;
        (mfa.module == crate::atom::known::ERLANG).then_some(mfa.function)
    }

    fn instruction(&mut self, instr: &Instr, fact: Fact, arity: u8) -> Result<(), LoadError> {
        let proven = fact.has(Fact::PROVEN);
        match instr {
            Instr::Label { label } => self.emit.place(*label),
            Instr::Line { line } => self.line(*line),
            Instr::FunctionClause {} => self.op(Op::FunctionClause, arity as u16),
            Instr::Call { .. }
            | Instr::CallLast { .. }
            | Instr::CallOnly { .. }
            | Instr::CallExt { .. }
            | Instr::CallExtLast { .. }
            | Instr::CallExtOnly { .. }
            | Instr::CallFun { .. }
            | Instr::CallFunLast { .. }
            | Instr::CallFunOnly { .. }
            | Instr::Apply { .. }
            | Instr::ApplyLast { .. }
            | Instr::ApplyOnly { .. }
            | Instr::Return {} => self.call(instr),
            Instr::Allocate { words, live } => {
                let op = if self.server.stress() { Op::AllocateStress } else { Op::Allocate };
                self.emit.abc(op, *words, *live, 0);
            }
            Instr::Deallocate { words } => self.op(Op::Deallocate, *words),
            Instr::Trim { words, .. } => self.op(Op::Trim, *words),
            Instr::TestHeap { words, live } => {
                let op = if self.server.stress() { Op::TestHeapStress } else { Op::TestHeap };
                self.emit.ah(op, *live, *words);
            }
            Instr::Move { src, dst } => self.mov(*src, *dst),
            Instr::Swap { a, b } => {
                self.emit.abc(Op::Swap, reg(*a), reg(*b), 0);
            }
            Instr::Jump { label } => {
                self.emit.jump(Op::Jump, 0, *label);
            }
            Instr::SelectVal { src, fail, cases } => self.select_val(*src, *fail, cases),
            Instr::SelectArity { src, fail, cases } => self.select_arity(*src, *fail, cases),
            Instr::GetList { src: Reg::X(src), head: Reg::X(head), tail: Reg::X(tail) } if proven => {
                self.emit.abc(Op::GetListXXX, *src, *head, *tail);
            }
            Instr::GetList { src, head, tail } => {
                self.emit.abc(
                    if proven { Op::GetList } else { Op::GetListChecked },
                    reg(*src),
                    reg(*head),
                    reg(*tail),
                );
            }
            Instr::GetHd { src, dst } => {
                self.emit.abc(if proven { Op::GetHd } else { Op::GetHdChecked }, reg(*src), reg(*dst), 0);
            }
            Instr::GetTl { src, dst } => {
                self.emit.abc(if proven { Op::GetTl } else { Op::GetTlChecked }, reg(*src), reg(*dst), 0);
            }
            Instr::GetElement { src, index, dst } => {
                if proven && let Ok(index) = u16::try_from(*index) {
                    let op = match (src, dst) {
                        (Reg::X(_), Reg::X(_)) => Op::GetElementXX,
                        _ => Op::GetElement,
                    };
                    self.emit.abc(op, reg(*src), reg(*dst), index);
                } else {
                    self.emit.abc(Op::GetElementChecked, reg(*src), reg(*dst), 0);
                    self.emit.word(*index as u64);
                }
            }
            Instr::PutList { head, tail, dst } => self.put_list(*head, *tail, *dst),
            Instr::PutTuple { elements, dst } => {
                self.emit.abc(Op::PutTuple, reg(*dst), elements.len() as u16, 0);
                self.sources(elements);
            }
            Instr::MakeFun { lambda, captured, dst } => self.make_fun(*lambda, captured, *dst),
            Instr::Bif { fail, import, args, dst, .. } => self.bif(*fail, *import, args, *dst)?,
            Instr::MapPut { fail, map, pairs, dst, .. } => {
                self.map_new(*map, pairs, *dst);
                self.map_store(Op::MapPut, *fail, *map, pairs, *dst);
            }
            Instr::MapUpdate { fail, map, pairs, dst, .. } => {
                self.map_store(Op::MapUpdate, *fail, *map, pairs, *dst);
            }
            Instr::MapGet { fail, map, pairs } => self.map_get(*fail, *map, pairs),
            Instr::MapHas { fail, map, keys } => {
                let start = self.emit.abc(Op::MapHas, reg(*map), keys.len() as u16, 0);
                self.emit.offset(start, Some(*fail));
                self.sources(keys);
            }
            Instr::BsCreate { .. }
            | Instr::BsStart { .. }
            | Instr::BsInteger { .. }
            | Instr::BsFloat { .. }
            | Instr::BsBinary { .. }
            | Instr::BsUtf { .. }
            | Instr::BsSkip { .. }
            | Instr::BsString { .. }
            | Instr::BsTail { .. }
            | Instr::BsGetPosition { .. }
            | Instr::BsSetPosition { .. }
            | Instr::BsGetTail { .. }
            | Instr::BsRest { .. }
            | Instr::BsWhole { .. }
            | Instr::BsBegin { .. } => self.bits(instr),
            Instr::Try { slot, handler } | Instr::Catch { slot, handler } => {
                self.emit.jump(Op::Try, slot_number(*slot), *handler);
            }
            Instr::TryEnd { slot } => self.op(Op::TryEnd, slot_number(*slot)),
            Instr::TryCase { slot } => self.op(Op::TryCase, slot_number(*slot)),
            Instr::CatchEnd { slot } => self.op(Op::CatchEnd, slot_number(*slot)),
            Instr::BadMatch { value } => self.raise_value(Op::BadMatch, *value),
            Instr::CaseClause { value } => self.raise_value(Op::CaseClause, *value),
            Instr::TryClause { value } => self.raise_value(Op::TryClause, *value),
            Instr::BadRecord { value } => self.raise_value(Op::BadRecord, *value),
            Instr::IfClause {} => self.op(Op::IfClause, 0),
            Instr::ReRaise {} => self.op(Op::ReRaise, 0),
            Instr::BuildTrace { src, dst, .. } => {
                self.emit.abc(Op::BuildTrace, reg(*src), reg(*dst), 0);
            }
            Instr::LoopRec { empty, dst } => {
                self.emit.jump(Op::LoopRec, reg(*dst), *empty);
            }
            Instr::LoopRecEnd { again } => {
                self.emit.jump(Op::LoopRecEnd, 0, *again);
            }
            Instr::RemoveMessage { live } => self.op(Op::RemoveMessage, *live),
            Instr::Wait { again } => {
                self.emit.jump(Op::Wait, 0, *again);
            }
            Instr::WaitTimeout { again, time } => {
                let time = self.source(*time);
                self.emit.jump(Op::WaitTimeout, 0, *again);
                self.emit.word(time);
            }
            Instr::Timeout {} => self.op(Op::Timeout, 0),
            Instr::ReceiveMark { reference } => self.raise_value(Op::ReceiveMark, *reference),
            Instr::Send {} => self.op(Op::Send, 0),
            test => self.test(test),
        }
        Ok(())
    }

    fn op(&mut self, op: Op, a: u16) {
        self.emit.abc(op, a, 0, 0);
    }

    pub(super) fn line(&mut self, line: LineIx) {
        self.emit.set_line(line.0);
    }

    fn raise_value(&mut self, op: Op, value: Src) {
        let value = self.source(value);
        self.op(op, 0);
        self.emit.word(value);
    }

    // ---- operands ----

    /// A constant's word; `None` for registers.
    pub(super) fn constant(&self, src: Src) -> Option<Word> {
        match src {
            Src::X(_) | Src::Y(_) => None,
            Src::Int(value) => Some(self.literals.integer(value)),
            Src::Atom(atom) => Some(Word::atom(self.names[atom.index()])),
            Src::Nil => Some(Word::NIL),
            Src::Lit(literal) => Some(self.literals.word(literal)),
        }
    }

    /// A source word.
    pub(super) fn source(&mut self, src: Src) -> u64 {
        match (src, self.constant(src)) {
            (_, Some(constant)) => constant.bits(),
            (Src::Y(n), None) => register_source(n | Y_BIT),
            (Src::X(n), _) => register_source(n),
            _ => unreachable!("only registers are no constants"),
        }
    }

    fn sources(&mut self, sources: &[Src]) {
        for &src in sources {
            let word = self.source(src);
            self.emit.word(word);
        }
    }

    /// A register field that holds the value: a constant is moved into scratch register `scratch` first.
    pub(super) fn field(&mut self, src: Src, scratch: u16) -> u16 {
        match (src, self.constant(src)) {
            (_, Some(constant)) => {
                self.emit.abc(Op::MoveConst, SCRATCH_X + scratch, 0, 0);
                self.emit.word(constant.bits());
                SCRATCH_X + scratch
            }
            (Src::Y(n), None) => n | Y_BIT,
            (Src::X(n), _) => n,
            _ => unreachable!("only registers are no constants"),
        }
    }

    // ---- calls ----

    fn call(&mut self, instr: &Instr) {
        match *instr {
            Instr::Call { function } => self.local_call(Op::Call, 0, function),
            Instr::CallLast { function, words } => self.local_call(Op::CallLast, words, function),
            Instr::CallOnly { function } => self.local_call(Op::CallOnly, 0, function),
            Instr::CallExt { import } => match self.imports[import.index()].native {
                Some(id) => self.native_call(id, import),
                None => self.external_call(Op::CallExt, 0, import),
            },
            Instr::CallExtLast { import, words } => match self.imports[import.index()].native {
                Some(id) => {
                    self.native_call(id, import);
                    self.op(Op::DeallocateReturn, words);
                }
                None => self.external_call(Op::CallExtLast, words, import),
            },
            Instr::CallExtOnly { import } => match self.imports[import.index()].native {
                Some(id) => {
                    self.native_call(id, import);
                    self.op(Op::Return, 0);
                }
                None => self.external_call(Op::CallExtOnly, 0, import),
            },
            Instr::CallFun { arity } => self.op(Op::CallFun, arity as u16),
            Instr::CallFunLast { arity, words } => {
                self.emit.abc(Op::CallFunLast, arity as u16, words, 0);
            }
            Instr::CallFunOnly { arity } => self.op(Op::CallFunOnly, arity as u16),
            Instr::Apply { arity } => self.op(Op::Apply, arity as u16),
            Instr::ApplyLast { arity, words } => {
                self.emit.abc(Op::ApplyLast, arity as u16, words, 0);
            }
            Instr::ApplyOnly { arity } => self.op(Op::ApplyOnly, arity as u16),
            _ => self.op(Op::Return, 0),
        }
    }

    pub(super) fn local_call(&mut self, op: Op, words: u16, callee: FnIx) {
        let at = self.emit.ah(op, words, 0);
        self.calls.push((at, callee));
    }

    fn external_call(&mut self, op: Op, words: u16, import: ImportIx) {
        self.emit.abc(op, words, 0, 0);
        let cell: *const ExportCell = self.imports[import.index()];
        self.emit.word(cell.expose_provenance() as u64);
    }

    fn native_call(&mut self, id: BifId, import: ImportIx) {
        self.emit.abc(Op::CallNative, id.0, self.imports[import.index()].mfa.arity as u16, 0);
    }

    fn bif(
        &mut self,
        fail: Option<Label>,
        import: ImportIx,
        args: &[Src],
        dst: Reg,
    ) -> Result<(), LoadError> {
        let cell = self.imports[import.index()];
        let Some(id) = cell.native else {
            let name = &self.module.atoms[self.module.imports[import.index()].function.index()];
            let module = &self.module.atoms[self.module.imports[import.index()].module.index()];
            let arity = cell.mfa.arity;
            return Err(LoadError::Unsupported(format!(
                "no native {module}:{name}/{arity} in this virtual machine"
            )));
        };
        let done = match cell.mfa.module == known::MATH {
            true => self.math(cell.mfa.function, id, args, dst),
            false => self.operator(cell.mfa.function, fail, args, dst),
        };
        if done {
            return Ok(());
        }
        let start = self.emit.abc(Op::Bif, reg(dst), id.0, args.len() as u16);
        self.emit.offset(start, fail);
        self.sources(args);
        Ok(())
    }

    fn make_fun(&mut self, lambda: LambdaIx, captured: &[Src], dst: Reg) {
        self.emit.abc(Op::MakeFun, reg(dst), captured.len() as u16, 0);
        self.emit.word(self.lambdas[lambda.index()].expose_provenance() as u64);
        self.sources(captured);
    }

    /// Emits the prefix that makes a small map written out with constant keys.
    fn map_new(&mut self, map: Src, pairs: &[(Src, Src)], dst: Reg) {
        let Src::Lit(literal) = map else { return };
        if !Literals::is_empty_map(self.module, literal) {
            return;
        }
        let keys: Option<Vec<Word>> = pairs.iter().map(|(key, _)| self.constant(*key)).collect();
        let Some((tuple, order)) = keys.as_deref().and_then(|keys| self.literals.keys(keys)) else { return };
        let order = order.to_vec();
        self.emit.abc(Op::MapNew, reg(dst), order.len() as u16, 0);
        self.emit.word(tuple.bits());
        for place in order {
            let value = self.source(pairs[place].1);
            self.emit.word(value);
        }
    }

    fn map_get(&mut self, fail: Label, map: Reg, pairs: &[(Src, Reg)]) {
        let keys: Option<Vec<Word>> = pairs.iter().map(|(key, _)| self.constant(*key)).collect();
        let places = keys.as_deref().map(|keys| self.literals.likely_places(keys));
        let order = keys.and_then(|keys| exact_order(self.atoms, &keys));
        let op = if order.is_some() { Op::MapGetImmediate } else { Op::MapGet };
        let start = self.emit.abc(op, reg(map), pairs.len() as u16, 0);
        self.emit.offset(start, Some(fail));
        for index in order.unwrap_or_else(|| (0..pairs.len()).collect()) {
            let (key, dst) = pairs[index];
            let key = self.source(key);
            self.emit.word(key);
            let place = places.as_ref().map_or(0, |places| places[index]);
            self.emit.word(register_source(reg(dst)) | (place as u64) << 32);
        }
    }

    fn map_store(&mut self, op: Op, fail: Option<Label>, map: Src, pairs: &[(Src, Src)], dst: Reg) {
        let map = self.field(map, 0);
        let start = self.emit.abc(op, reg(dst), pairs.len() as u16, map);
        self.emit.offset(start, fail);
        for &(key, value) in pairs {
            self.sources(&[key, value]);
        }
    }
}

/// Most operands of an instruction that has a list of them: what the field that counts them holds.
const MAX_LIST: usize = u16::MAX as usize;

/// Says what a module needs that this virtual machine does not have.
fn refuse_unsupported(module: &Module) -> Result<(), LoadError> {
    let name = &module.atoms[module.name.index()];
    let too_long = |instr: &Instr| match instr {
        Instr::PutTuple { elements, .. } => elements.len() > MAX_LIST,
        Instr::MapPut { pairs, .. } | Instr::MapUpdate { pairs, .. } => pairs.len() > MAX_LIST,
        Instr::MapGet { pairs, .. } => pairs.len() > MAX_LIST,
        Instr::MapHas { keys, .. } => keys.len() > MAX_LIST,
        Instr::SelectVal { cases, .. } => cases.len() > MAX_LIST,
        Instr::SelectArity { cases, .. } => cases.len() > MAX_LIST,
        Instr::BsCreate { segments, .. } => segments.len() > MAX_LIST,
        _ => false,
    };
    if module.functions.iter().flat_map(|function| &function.code).any(too_long) {
        let text = format!("module {name}: an expression or pattern of more than {MAX_LIST} parts");
        return Err(LoadError::Unsupported(text));
    }
    Ok(())
}

/// The integers among the operands of a module's code that are not small.
fn big_integers(module: &Module) -> Vec<i64> {
    let mut found = Vec::new();
    for instr in module.functions.iter().flat_map(|function| &function.code) {
        instr.operands(&mut |operand| {
            if let Operand::Int(value) = operand
                && !fits_small(value)
                && !found.contains(&value)
            {
                found.push(value);
            }
        });
    }
    found
}

/// The register field of a register.
pub(super) fn reg(reg: Reg) -> u16 {
    match reg {
        Reg::X(n) => n,
        Reg::Y(n) => n | Y_BIT,
    }
}

/// The number of a Y register (catch marks live nowhere else).
fn slot_number(slot: Reg) -> u16 {
    match slot {
        Reg::Y(n) | Reg::X(n) => n,
    }
}

/// The source word of a register field.
pub(super) fn register_source(field: u16) -> u64 {
    (field as u64) << 3 | REGISTER_TAG
}
