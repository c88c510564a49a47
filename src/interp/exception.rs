//! Exceptions: raising, finding the handler, stack traces.
//!
//! A handler is found by walking the stack up from its top: the first catch mark is the innermost one, and the frame it
//! lies in begins behind the last return word passed. Every word of the stack says what it is, so no table is needed.
//!
//! The *raw trace* a handler gets in `x2` is cheap to make, since most are never looked at: a tuple of the frames that are
//! no code position (natives, functions shown with their arguments) as a finished list, then the code positions as small
//! integers. `build_trace` makes the list that programs see. What `raise/3` was given is a raw trace too: that list.

use super::machine::{Info, Machine, Native, Next};
use crate::atom::{Atom, known};
use crate::bif::{self, Cx, class_atom, class_of};
use crate::code::CodeServer;
use crate::heap::{AllocError, Fragment};
use crate::process::{Class, Ended};
use crate::term::{Term, View, Word};

/// Natives that are functions in Erlang in OTP, and raise there: they leave other stack traces behind when they are called last.
const ERLANG_IN_OTP: &[(&str, &[(&str, u8)])] = &[
    ("atomics", &[("new", 2), ("sub", 3), ("sub_get", 3)]),
    ("binary", &[("bin_to_list", 1), ("bin_to_list", 2), ("bin_to_list", 3)]),
    ("counters", &[("add", 3), ("get", 2), ("info", 1), ("new", 2), ("put", 3), ("sub", 3)]),
    (
        "erlang",
        &[
            ("atom_to_binary", 1),
            ("binary_to_atom", 1),
            ("binary_to_existing_atom", 1),
            ("convert_time_unit", 3),
            ("fun_info", 1),
            ("garbage_collect", 1),
            ("garbage_collect", 2),
            ("group_leader", 2),
            ("process_flag", 3),
            ("suspend_process", 1),
            ("suspend_process", 2),
        ],
    ),
    ("ets", &[("delete_all_objects", 1), ("match_delete", 2), ("select_delete", 2), ("tab2list", 1)]),
    ("unicode", &[("characters_to_binary", 1), ("characters_to_binary", 3), ("characters_to_list", 1)]),
];

fn is_erlang_in_otp(id: crate::code::BifId) -> bool {
    let row = &bif::ROWS[id.0 as usize];
    ERLANG_IN_OTP
        .iter()
        .any(|(module, functions)| *module == row.module && functions.contains(&(row.function, row.arity)))
}

/// How a stack trace begins.
#[derive(Clone, Copy)]
pub(super) enum Begin {
    /// With the instruction that raised.
    Here,
    /// With a frame that is no code position, then the instruction that raised.
    Frame(Word),
    /// With a frame in place of the instruction that raised.
    Instead(Word),
    /// It is this list.
    List(Word),
}

impl Machine<'_> {
    /// Raises with the instruction that called out as origin.
    #[cold]
    #[inline(never)]
    pub fn raise(&mut self, class: Class, reason: Word) -> Next {
        self.raise_from(class, reason, Begin::Here)
    }

    /// Raises error `atom`.
    #[cold]
    #[inline(never)]
    pub fn raise_atom(&mut self, atom: Atom) -> Next {
        self.raise(Class::Error, Word::atom(atom))
    }

    /// Raises error `{tag, value}`.
    #[cold]
    #[inline(never)]
    pub fn raise_tagged(&mut self, tag: Atom, value: Word) -> Next {
        let made = {
            let mut cx = self.cx();
            // SAFETY: I3: an operand is a term of this process.
            let value = unsafe { Term::from_word(value) };
            cx.tuple(&[Term::atom(tag), value]).map(Term::word)
        };
        match made {
            Ok(reason) => self.raise(Class::Error, reason),
            Err(error) => self.no_memory(error),
        }
    }

    /// Raises what a native raised; `last` says that its caller was to return right after it.
    #[cold]
    #[inline(never)]
    pub fn raise_native(
        &mut self,
        class: Class,
        reason: Word,
        info: Info,
        native: Native<'_>,
        last: bool,
    ) -> Next {
        // Where OTP has a function in Erlang, the caller has left its frame to it.
        let as_frame = if last && is_erlang_in_otp(native.id) { Begin::Instead } else { Begin::Frame };
        let begin = match info {
            Info::Hidden => Ok(Begin::Here),
            Info::Plain if !self.is_at_prompt() => Ok(Begin::Here),
            Info::Trace(trace) => Ok(Begin::List(trace)),
            Info::Standard | Info::Plain => self.native_frame(native, None).map(as_frame),
            Info::Cause(cause) => self.native_frame(native, Some(cause)).map(as_frame),
            Info::Arguments(args) => self.own_frame(Some(args), None).map(instead),
            Info::Detailed(args, info) if !(args.is_cons() || args.is_nil()) => {
                self.own_frame(None, Some(info)).map(instead)
            }
            Info::Detailed(args, info) => self.own_frame(Some(args), Some(info)).map(instead),
        };
        match begin {
            Ok(begin) => self.raise_from(class, reason, begin),
            Err(error) => self.no_memory(error),
        }
    }

    /// `function_clause`: the function is shown with its arguments.
    #[cold]
    #[inline(never)]
    pub fn function_clause(&mut self, arity: usize) -> Next {
        let frame = self.argument_list(arity).and_then(|args| self.own_frame(Some(args), None));
        match frame {
            Ok(frame) => {
                self.raise_from(Class::Error, Word::atom(known::FUNCTION_CLAUSE), Begin::Instead(frame))
            }
            Err(error) => self.no_memory(error),
        }
    }

    /// `undef`: there is no such function.
    #[cold]
    #[inline(never)]
    pub fn undefined(&mut self, module: Atom, function: Atom, arity: usize) -> Next {
        let frame = self.argument_list(arity).and_then(|args| {
            let mut cx = self.cx();
            // SAFETY: I3: the list was made just now.
            let args = unsafe { Term::from_word(args) };
            cx.tuple(&[Term::atom(module), Term::atom(function), args, Term::NIL]).map(Term::word)
        });
        match frame {
            Ok(frame) => self.raise_from(Class::Error, Word::atom(known::UNDEF), Begin::Instead(frame)),
            Err(error) => self.no_memory(error),
        }
    }

    /// `apply` of something that is no module, function or list of arguments: `badarg`, shown as a call of `apply/3`.
    #[cold]
    #[inline(never)]
    pub fn bad_apply(&mut self, module: Word, function: Word, args: Word) -> Next {
        const APPLY: crate::code::BifId = bif::id("erlang", "apply", 3);
        let native = Native { id: APPLY, args: &[module, function, args] };
        self.raise_native(Class::Error, Word::atom(known::BADARG), Info::Standard, native, false)
    }

    /// `re_raise`: raises what is in `x0, x1, x2` again.
    pub fn re_raise(&mut self) -> Next {
        match self.x(0).as_atom().and_then(class_of) {
            Some(class) => self.handle(class, self.x(1), self.x(2)),
            None => self.raise_atom(known::BADARG),
        }
    }

    /// Raises with the given beginning of the stack trace.
    pub fn raise_from(&mut self, class: Class, reason: Word, begin: Begin) -> Next {
        match self.capture(begin) {
            Ok(trace) => self.handle(class, reason, trace),
            Err(error) => self.no_memory(error),
        }
    }

    /// Goes to the innermost handler, or ends the process.
    fn handle(&mut self, class: Class, reason: Word, trace: Word) -> Next {
        // A receive that an exception leaves is over: the next one sees all messages.
        self.leave_receive();
        let mut place = self.process.heap.sp;
        let mut frame = place;
        let end = self.process.heap.end();
        while place < end {
            // SAFETY: H6: `sp..end` is stack words.
            let word = unsafe { *place };
            if word.is_continuation() {
                place = place.wrapping_add(1);
                frame = place;
                continue;
            }
            if let Some(payload) = word.as_catch_mark() {
                // SAFETY: as above; the mark is done with.
                unsafe { *place = Word::NIL };
                self.process.heap.sp = frame;
                self.set_x(0, Word::atom(class_atom(class)));
                self.set_x(1, reason);
                self.set_x(2, trace);
                return handler_of(payload);
            }
            place = place.wrapping_add(1);
        }
        self.uncaught(class, reason, trace)
    }

    /// Nothing catches it: the process ends. Who waits for it outside gets the exception, and nobody else is told.
    fn uncaught(&mut self, class: Class, reason: Word, trace: Word) -> Next {
        let reported = class != Class::Exit && self.process.answer.is_none();
        if let Some(answer) = self.process.answer.take() {
            let copied = self.with_trace(reason, trace).and_then(|pair| {
                // SAFETY: I3: made just now.
                unsafe { Fragment::copy_word(pair, self.process.account()) }
            });
            if let Ok(exception) = copied {
                answer.put(Ended::Raised(class, exception));
            }
            self.process.answer = Some(answer);
        }
        let made = match class {
            Class::Exit => Ok(reason),
            Class::Error | Class::Throw => self.crash_reason(class, reason, trace),
        };
        // SAFETY: I3: reason and trace are terms of this process.
        let copied = made.and_then(|reason| unsafe { Fragment::copy_word(reason, self.process.account()) });
        self.exit_with(copied, reported)
    }

    /// `{Reason, Trace}`, of a throw `{{nocatch, Reason}, Trace}`.
    fn crash_reason(&mut self, class: Class, reason: Word, trace: Word) -> Result<Word, AllocError> {
        if class != Class::Throw {
            return self.with_trace(reason, trace);
        }
        let reason = {
            let mut cx = self.cx();
            // SAFETY: I3: a term of this process.
            let reason = unsafe { Term::from_word(reason) };
            cx.tuple(&[Term::atom(known::NOCATCH), reason])?.word()
        };
        self.with_trace(reason, trace)
    }

    /// `{Reason, Trace}`, with the trace as a list.
    fn with_trace(&mut self, reason: Word, trace: Word) -> Result<Word, AllocError> {
        let trace = self.trace_list(trace)?;
        let mut cx = self.cx();
        // SAFETY: I3: both are terms of this process.
        let (reason, trace) = unsafe { (Term::from_word(reason), Term::from_word(trace)) };
        Ok(cx.tuple(&[reason, trace])?.word())
    }

    // ---- the old catch ----

    /// The exception's path through `catch_end`: class, reason and raw trace in `x0, x1, x2` become a value in `x0`.
    #[cold]
    #[inline(never)]
    pub fn caught(&mut self) -> Next {
        let (class, reason, trace) = (self.x(0).as_atom().and_then(class_of), self.x(1), self.x(2));
        let value = match class {
            Some(Class::Throw) | None => Ok(reason),
            Some(Class::Exit) => self.exit_tuple(reason),
            Some(class @ Class::Error) => {
                self.crash_reason(class, reason, trace).and_then(|reason| self.exit_tuple(reason))
            }
        };
        match value {
            Ok(value) => {
                self.set_x(0, value);
                self.after(1)
            }
            Err(error) => self.no_memory(error),
        }
    }

    fn exit_tuple(&mut self, reason: Word) -> Result<Word, AllocError> {
        let mut cx = self.cx();
        // SAFETY: I3: a term of this process.
        let reason = unsafe { Term::from_word(reason) };
        Ok(cx.tuple(&[Term::atom(known::EXIT_SIGNAL), reason])?.word())
    }

    // ---- traces ----

    /// `build_trace`.
    #[cold]
    #[inline(never)]
    pub fn build_trace(&mut self, raw: Word, dst: u16) -> Next {
        match self.trace_list(raw) {
            Ok(list) => {
                self.set(dst, list);
                self.after(1)
            }
            Err(error) => self.no_memory(error),
        }
    }

    /// The raw trace of an exception raised now.
    fn capture(&mut self, begin: Begin) -> Result<Word, AllocError> {
        let (frames, first) = match begin {
            Begin::Here => (None, true),
            Begin::Frame(frame) => (Some(frame), true),
            Begin::Instead(frame) => (Some(frame), false),
            Begin::List(list) => return self.cut_trace(list),
        };
        // One frame there always is: where it happened. The first word is for those that are no code positions.
        let limit = self.rt.settings.trace_depth().max(1) + 1 - usize::from(frames.is_some());
        let mut words = Vec::with_capacity(limit);
        words.push(Word::NIL);
        if first && words.len() < limit {
            words.push(position(self.pc()));
        }
        let mut last = Word::NIL;
        for &word in self.process.heap.stack() {
            // Recursion leaves one return word many times in a row; it is shown once.
            if word == last {
                continue;
            }
            if word.is_continuation() {
                if words.len() >= limit {
                    break;
                }
                last = word;
                let back = std::ptr::with_exposed_provenance::<u64>(word.continuation_address() as usize);
                words.push(position(back.wrapping_sub(1)));
            }
        }
        let mut cx = self.cx();
        if let Some(frame) = frames {
            // SAFETY: I3: made just now.
            words[0] = cx.list(&[unsafe { Term::from_word(frame) }])?.word();
        }
        // SAFETY: small integers, and a list made just now.
        Ok(cx.tuple(unsafe { Term::from_words(&words) })?.word())
    }

    /// What `raise/3` was given, no longer than a trace may be.
    fn cut_trace(&mut self, list: Word) -> Result<Word, AllocError> {
        let depth = self.rt.settings.trace_depth().max(1);
        let mut cx = self.cx();
        // SAFETY: I3: an argument of the native.
        let list = unsafe { Term::from_word(list) };
        if list.list().nth(depth).is_none() {
            return Ok(list.word());
        }
        let frames: Vec<Term<'_>> = list.list().take(depth).collect();
        Ok(cx.list(&frames)?.word())
    }

    /// The list form of a raw trace.
    pub fn trace_list(&mut self, raw: Word) -> Result<Word, AllocError> {
        let code = &self.rt.code;
        let mut cx = self.cx();
        // SAFETY: I3: a raw trace is a term.
        let raw: Term<'_> = unsafe { Term::from_word(raw) };
        let Some([frames, positions @ ..]) = raw.as_tuple() else { return Ok(raw.word()) };
        let mut list: Vec<Term<'_>> = frames.list().collect();
        for position in positions {
            let pc = pc_of(position.word());
            if let Some(frame) = code_frame(&mut cx, code, pc, None, None)? {
                list.push(frame);
            }
        }
        Ok(cx.list(&list)?.word())
    }

    /// The frame of the function that called out, shown with these arguments (or its arity).
    pub fn own_frame(&mut self, args: Option<Word>, info: Option<Word>) -> Result<Word, AllocError> {
        let (pc, code) = (self.pc(), &self.rt.code);
        let mut cx = self.cx();
        // SAFETY: I3: both are terms of this process.
        let (args, info) =
            unsafe { (args.map(|args| Term::from_word(args)), info.map(|info| Term::from_word(info))) };
        let frame = code_frame(&mut cx, code, pc, args, info)?;
        Ok(frame.map_or(Word::NIL, Term::word))
    }

    /// Whether this code was typed at a prompt, where all operators are told of.
    fn is_at_prompt(&self) -> bool {
        let module = self.rt.code.module_at(self.pc());
        module.is_some_and(|module| module.attributes().any(|(name, _)| name == known::ERLET_PROMPT))
    }

    /// `{M, F, Args, [{error_info, #{module => ...}}]}` of a native.
    fn native_frame(&mut self, native: Native<'_>, cause: Option<Word>) -> Result<Word, AllocError> {
        let mfa = self.rt.code.native_name(native.id);
        let informed = error_module(bif::ROWS[native.id.0 as usize].module);
        let mut cx = self.cx();
        // SAFETY: I3: the native's arguments, and what it raised.
        let (args, cause) =
            unsafe { (Term::from_words(native.args), cause.map(|cause| Term::from_word(cause))) };
        let args = cx.list(args)?;
        let location = match informed {
            None => Term::NIL,
            Some(module) => {
                let mut pairs = vec![(Term::atom(known::MODULE), Term::atom(module))];
                pairs.extend(cause.map(|cause| (Term::atom(known::CAUSE), cause)));
                let map = cx.map(&pairs)?;
                let info = cx.tuple(&[Term::atom(known::ERROR_INFO), map])?;
                cx.list(&[info])?
            }
        };
        let frame = cx.tuple(&[Term::atom(mfa.module), Term::atom(mfa.function), args, location])?;
        Ok(frame.word())
    }

    /// The first X registers as a list.
    pub fn argument_list(&mut self, arity: usize) -> Result<Word, AllocError> {
        let args = self.worker.x[..arity].to_vec();
        let mut cx = self.cx();
        // SAFETY: I3: argument registers.
        Ok(cx.list(unsafe { Term::from_words(&args) })?.word())
    }
}

/// A frame in place of the instruction that raised; without one (a stub called out) the trace begins with the caller.
fn instead(frame: Word) -> Begin {
    if frame == Word::NIL { Begin::Here } else { Begin::Instead(frame) }
}

/// The catch mark for a handler.
#[inline(always)]
pub(super) fn mark(handler: *const u64) -> Word {
    Word::catch_mark(handler.expose_provenance() as u64 >> 3)
}

/// The handler of a catch mark's payload.
fn handler_of(payload: u64) -> *const u64 {
    std::ptr::with_exposed_provenance((payload << 3) as usize)
}

/// A code position as a small integer: positions are aligned, so nothing is lost.
fn position(pc: *const u64) -> Word {
    Word::small((pc.addr() >> 3) as i64)
}

/// The code position in such an integer; only to be looked up, never followed.
fn pc_of(position: Word) -> *const u64 {
    std::ptr::without_provenance((position.small_value() as usize) << 3)
}

/// `{M, F, Arity | Args, [{file, ...}, {line, ...}, {error_info, ...}]}` of the function in whose code `pc` lies; `None` for
/// stubs.
fn code_frame<'h>(
    cx: &mut Cx<'h>,
    code: &CodeServer,
    pc: *const u64,
    args: Option<Term<'h>>,
    info: Option<Term<'h>>,
) -> Result<Option<Term<'h>>, AllocError> {
    let Some(module) = code.module_at(pc) else { return Ok(None) };
    let Some(function) = module.function_at(pc) else { return Ok(None) };
    let mut location = Vec::with_capacity(3);
    if let Some(place) = module.place_at(pc) {
        let file = cx.string(place.file)?;
        let line = cx.int(i64::from(place.line))?;
        location.push(cx.tuple(&[Term::atom(known::FILE), file])?);
        location.push(cx.tuple(&[Term::atom(known::LINE), line])?);
    }
    if let Some(info) = info {
        location.push(cx.tuple(&[Term::atom(known::ERROR_INFO), info])?);
    }
    let location = cx.list(&location)?;
    let args = match args {
        Some(args) if matches!(args.view(), View::Cons(_) | View::Nil) => args,
        // (`error/3` may have been told that there are none.)
        _ => cx.int(i64::from(function.arity))?,
    };
    cx.tuple(&[Term::atom(module.shown_name), Term::atom(function.name), args, location]).map(Some)
}

/// The module that explains the errors of a module's natives, as OTP names it.
fn error_module(module: &str) -> Option<Atom> {
    match module {
        "atomics" | "counters" | "erlang" | "persistent_term" => Some(known::ERL_ERTS_ERRORS),
        "binary" | "ets" | "io" | "lists" | "maps" | "math" | "re" | "string" | "unicode" => {
            Some(known::ERL_STDLIB_ERRORS)
        }
        "code" | "os" => Some(known::ERL_KERNEL_ERRORS),
        _ => None,
    }
}
