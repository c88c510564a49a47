//! Options of `re`: how lists of them are read.

use crate::atom::known;
use crate::bif::{Cx, Stop};
use crate::regex::{Limits, MatchOptions, Newline, Options};
use crate::term::Term;

/// In which form captures are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum As {
    Index,
    List,
    Binary,
}

/// Which captures are given.
#[derive(Clone, Copy)]
pub enum What<'h> {
    All,
    AllButFirst,
    First,
    Names,
    Nothing,
    /// Those of a list, by number or name.
    Listed(Term<'h>),
}

impl What<'_> {
    /// No captures.
    pub fn is_nothing(&self) -> bool {
        matches!(self, What::Nothing)
    }
}

/// What a match is to give.
pub struct Capture<'h> {
    pub what: What<'h>,
    pub form: As,
}

/// What a list of options says.
pub struct Given<'h> {
    pub compile: Options,
    pub run: MatchOptions,
    pub global: bool,
    pub report_errors: bool,
    pub capture: Capture<'h>,
    /// There is an option that only running takes.
    pub for_running: bool,
    /// There is an option that only compiling takes.
    pub for_compiling: bool,
}

/// An option is none.
pub fn badopt<'h>() -> Stop<'h> {
    Stop::badarg_because(known::BADOPT)
}

/// Reads a list of options.
///
/// # Errors
/// `badarg` if one is none.
pub fn given<'h>(cx: &mut Cx<'h>, options: Term<'h>) -> Result<Given<'h>, Stop<'h>> {
    let mut given = Given {
        compile: Options::default(),
        run: MatchOptions { limits: Limits::default(), ..MatchOptions::default() },
        global: false,
        report_errors: false,
        capture: Capture { what: What::All, form: As::Index },
        for_running: false,
        for_compiling: false,
    };
    let mut elements = options.list();
    for (passed, option) in elements.by_ref().enumerate() {
        if passed % 128 == 0 {
            cx.work(128)?;
        }
        let read = match (option.as_atom(), option.as_tuple()) {
            (Some(atom), _) => given.flag(cx.atoms().text(atom)),
            (None, Some(&[key, what])) if key.is_atom(known::CAPTURE) => {
                Some(given.captures(cx, what, None).ok_or_else(Stop::badarg)?)
            }
            (None, Some(&[key, what, form])) if key.is_atom(known::CAPTURE) => {
                Some(given.captures(cx, what, Some(form)).ok_or_else(Stop::badarg)?)
            }
            (None, Some(&[key, value])) => given.pair(cx, key, value),
            _ => None,
        };
        read.ok_or_else(badopt)?;
    }
    if elements.rest().is_nil() { Ok(given) } else { Err(badopt()) }
}

impl<'h> Given<'h> {
    fn flag(&mut self, name: &str) -> Option<()> {
        let run = &mut self.run;
        let run_flag = match name {
            "notbol" => &mut run.notbol,
            "noteol" => &mut run.noteol,
            "notempty" => &mut run.notempty,
            "notempty_atstart" => &mut run.notempty_atstart,
            "global" => &mut self.global,
            "report_errors" => &mut self.report_errors,
            _ => return self.compile_flag(name),
        };
        *run_flag = true;
        self.for_running = true;
        Some(())
    }

    fn compile_flag(&mut self, name: &str) -> Option<()> {
        match name {
            "anchored" => {
                self.compile.anchored = true;
                self.run.anchored = true;
                return Some(());
            }
            "bsr_anycrlf" | "bsr_unicode" => {
                self.compile.bsr_anycrlf = name == "bsr_anycrlf";
                self.run.bsr_anycrlf = Some(self.compile.bsr_anycrlf);
                return Some(());
            }
            _ => {}
        }
        let compile = &mut self.compile;
        let flag = match name {
            "caseless" => &mut compile.caseless,
            "dollar_endonly" => &mut compile.dollar_endonly,
            "dotall" => &mut compile.dotall,
            "dupnames" => &mut compile.dupnames,
            "extended" => &mut compile.extended,
            "firstline" => &mut compile.firstline,
            "multiline" => &mut compile.multiline,
            "never_utf" => &mut compile.never_utf,
            "no_auto_capture" => &mut compile.no_auto_capture,
            "no_start_optimize" => &mut compile.no_start_optimize,
            "ucp" => &mut compile.ucp,
            "ungreedy" => &mut compile.ungreedy,
            "unicode" => &mut compile.unicode,
            _ => return None,
        };
        *flag = true;
        self.for_compiling = true;
        Some(())
    }

    fn pair(&mut self, cx: &mut Cx<'h>, key: Term<'h>, value: Term<'h>) -> Option<()> {
        let atoms = cx.atoms();
        let number = || value.as_small().and_then(|value| u64::try_from(value).ok());
        match atoms.text(key.as_atom()?) {
            "newline" => {
                let newline = match atoms.text(value.as_atom()?) {
                    "cr" => Newline::Cr,
                    "lf" => Newline::Lf,
                    "crlf" => Newline::CrLf,
                    "anycrlf" => Newline::AnyCrLf,
                    "any" => Newline::Any,
                    _ => return None,
                };
                self.compile.newline = newline;
                self.run.newline = Some(newline);
                return Some(());
            }
            "offset" => self.run.offset = usize::try_from(number()?).ok()?,
            "match_limit" => self.run.limits.steps = number()?,
            "match_limit_recursion" => self.run.limits.depth = number()?,
            _ => return None,
        }
        self.for_running = true;
        Some(())
    }

    fn captures(&mut self, cx: &mut Cx<'h>, what: Term<'h>, form: Option<Term<'h>>) -> Option<()> {
        let atoms = cx.atoms();
        self.for_running = true;
        self.capture.form = match form.map(|form| form.as_atom().map(|atom| atoms.text(atom))) {
            None | Some(Some("index")) => As::Index,
            Some(Some("list")) => As::List,
            Some(Some("binary")) => As::Binary,
            Some(_) => return None,
        };
        self.capture.what = match what.as_atom().map(|atom| atoms.text(atom)) {
            Some("all") => What::All,
            Some("all_but_first") => What::AllButFirst,
            Some("all_names") => What::Names,
            Some("first") => What::First,
            Some("none") => What::Nothing,
            _ if what.is_nil() => What::Nothing,
            _ if what.is_list() => What::Listed(what),
            _ => return None,
        };
        let mut elements = what.list();
        let known = |element: Term<'h>| {
            element.as_small().is_some_and(|number| number >= 0)
                || element.as_atom().is_some()
                || element.as_bits().is_some()
                || element.is_list()
        };
        let all = elements.by_ref().all(known);
        (what.as_atom().is_some() || all && elements.rest().is_nil()).then_some(())
    }
}

macro_rules! bits {
    ($($bit:literal $field:ident,)*) => {
        /// Options as bits, without the newline.
        pub fn to_bits(options: Options) -> u32 {
            0 $(| u32::from(options.$field) << $bit)*
        }

        /// Options from bits; `None` if a bit means nothing.
        pub fn from_bits(bits: u32, newline: Newline) -> Option<Options> {
            let known = 0 $(| 1u32 << $bit)*;
            (bits & !known == 0).then_some(Options { newline, $($field: bits & 1 << $bit != 0,)* })
        }
    };
}

bits! {
    0 anchored,
    1 caseless,
    2 dollar_endonly,
    3 dotall,
    4 dupnames,
    5 extended,
    6 firstline,
    7 multiline,
    8 never_utf,
    9 no_auto_capture,
    10 no_start_optimize,
    11 ucp,
    12 ungreedy,
    13 unicode,
    14 bsr_anycrlf,
}
