//! Natives of `re`: compiling and matching. Replacing and splitting are Erlang, on top of these.

use std::sync::Arc;

use super::chardata::{Chars, Encoding, Fault, code_point_list};
use super::erlang::bytes::{BinaryBytes, binary_bytes, iolist_bytes};
use super::re_options::{As, Capture, Given, What, given};
use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop};
use crate::heap::{AllocError, Charge, Scratch};
use crate::regex::{self, CompileError, Found, MatchError, MatchOptions, Meter, Newline, Options, Program};
use crate::term::Term;

/// What a compiled pattern's binary begins with.
const MAGIC: &[u8] = b"re1:";

/// Bytes looked at for one unit of work.
const BYTES_PER_UNIT: usize = 32;

/// Units of work for one reduction.
const UNITS_PER_REDUCTION: usize = 64;

/// The process that asked, as the one who pays.
struct Payer<'a, 'h> {
    cx: &'a mut Cx<'h>,
    charge: Charge<'h>,
    stopped: Option<AllocError>,
}

impl<'a, 'h> Payer<'a, 'h> {
    fn new(cx: &'a mut Cx<'h>) -> Payer<'a, 'h> {
        let charge = cx.charge_for_scratch();
        Payer { cx, charge, stopped: None }
    }

    fn stop(&self) -> Stop<'h> {
        self.stopped.map_or_else(Stop::system_limit, Stop::from)
    }
}

impl Meter for Payer<'_, '_> {
    fn work(&mut self, units: usize) -> bool {
        self.cx.charge(units / UNITS_PER_REDUCTION);
        self.stopped = self.cx.work(units).err();
        self.stopped.is_none()
    }

    fn hold(&mut self, bytes: usize) -> bool {
        self.stopped = self.charge.cover(bytes).err();
        self.stopped.is_none()
    }
}

/// Bytes of a subject, or of a pattern.
enum Text<'h> {
    /// The argument's own.
    Binary(Term<'h>, BinaryBytes<'h>),
    Gathered(Scratch<'h, u8>),
}

impl Text<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            Text::Binary(_, bytes) => bytes,
            Text::Gathered(bytes) => bytes,
        }
    }
}

/// Bytes of text: of a binary its own; of a list its bytes, or its characters in UTF-8.
fn text_of<'h>(cx: &mut Cx<'h>, data: Term<'h>, unicode: bool) -> Result<Text<'h>, Stop<'h>> {
    if data.as_bits().is_some() {
        return Ok(Text::Binary(data, binary_bytes(cx, data, BYTES_PER_UNIT)?));
    }
    if !data.is_list() {
        return Err(Stop::badarg());
    }
    if !unicode {
        return Ok(Text::Gathered(iolist_bytes(cx, data)?));
    }
    let mut chars = Chars::new(data, Encoding::Utf8);
    let mut bytes = cx.scratch();
    loop {
        match chars.next(cx) {
            Ok(Some(code_point)) => {
                if !Encoding::Utf8.encode(code_point, &mut bytes)? {
                    return Err(Stop::badarg());
                }
            }
            Ok(None) => return Ok(Text::Gathered(bytes)),
            Err(Fault::Stopped(error)) => return Err(error.into()),
            Err(_) => return Err(Stop::badarg()),
        }
    }
}

/// The source of a compiled pattern: how it is to be understood, and its text.
fn source_of(options: Options, pattern: &[u8]) -> Vec<u8> {
    let flags = super::re_options::to_bits(options);
    let newline = match options.newline {
        Newline::Cr => 0,
        Newline::Lf => 1,
        Newline::CrLf => 2,
        Newline::AnyCrLf => 3,
        Newline::Any => 4,
    };
    let mut source = Vec::with_capacity(MAGIC.len() + 5 + pattern.len());
    source.extend_from_slice(MAGIC);
    source.extend_from_slice(&flags.to_le_bytes());
    source.push(newline);
    source.extend_from_slice(pattern);
    source
}

/// What a source says.
fn read_source(source: &[u8]) -> Option<(Options, &[u8])> {
    let rest = source.strip_prefix(MAGIC)?;
    let (flags, rest) = rest.split_first_chunk::<4>()?;
    let (newline, pattern) = rest.split_first()?;
    let newline = match newline {
        0 => Newline::Cr,
        1 => Newline::Lf,
        2 => Newline::CrLf,
        3 => Newline::AnyCrLf,
        4 => Newline::Any,
        _ => return None,
    };
    Some((super::re_options::from_bits(u32::from_le_bytes(*flags), newline)?, pattern))
}

/// The program of a source, and what is wrong with the pattern if there is none.
fn program_of<'h>(cx: &mut Cx<'h>, source: &[u8]) -> Result<Result<Arc<Program>, regex::Fault>, Stop<'h>> {
    cx.work(1 + source.len() / BYTES_PER_UNIT)?;
    if let Some(program) = cx.rt.regexes.get(source) {
        return Ok(Ok(program));
    }
    let (options, pattern) = read_source(source).ok_or_else(Stop::badarg)?;
    let mut payer = Payer::new(cx);
    match regex::compile(pattern, options, &mut payer) {
        Ok(program) => {
            let program = Arc::new(program);
            cx.rt.regexes.put(source, &program);
            Ok(Ok(program))
        }
        Err(CompileError::Fault(fault)) => Ok(Err(fault)),
        Err(CompileError::Stopped) => Err(payer.stop()),
    }
}

/// `{Text, Position}` of a fault.
fn fault_term<'h>(cx: &mut Cx<'h>, fault: regex::Fault) -> BifResult<'h> {
    let text = cx.string(fault.text)?;
    let position = cx.int(fault.position as i64)?;
    Ok(cx.tuple(&[text, position])?)
}

fn ends_in_two(newline: Newline) -> bool {
    matches!(newline, Newline::CrLf | Newline::AnyCrLf | Newline::Any)
}

/// `compile(Pattern, Options) -> {ok, CompiledPattern} | {error, {Text, Position}}`.
///
/// # Errors
/// `badarg` for what is no text, and for options that are none or not for compiling.
pub fn compile<'h>(cx: &mut Cx<'h>, [pattern, options]: [Term<'h>; 2]) -> BifResult<'h> {
    let given = given(cx, options)?;
    if given.for_running {
        return Err(super::re_options::badopt());
    }
    let text = text_of(cx, pattern, given.compile.unicode)?;
    let source = source_of(given.compile, text.bytes());
    match program_of(cx, &source)? {
        Err(fault) => {
            let fault = fault_term(cx, fault)?;
            Ok(cx.tuple(&[Term::atom(known::ERROR), fault])?)
        }
        Ok(program) => {
            let groups = cx.int(i64::from(program.groups))?;
            let unicode = cx.int(i64::from(given.compile.unicode))?;
            let crlf = cx.int(i64::from(ends_in_two(program.options.newline)))?;
            let binary = cx.binary(&source)?;
            let compiled = cx.tuple(&[Term::atom(known::RE_PATTERN), groups, unicode, crlf, binary])?;
            Ok(cx.tuple(&[Term::atom(known::OK), compiled])?)
        }
    }
}

/// The source of a compiled pattern, if it is one.
fn compiled<'h>(cx: &mut Cx<'h>, re: Term<'h>) -> Result<Option<BinaryBytes<'h>>, Stop<'h>> {
    match re.as_tuple() {
        Some(&[tag, _, _, _, source]) if tag.is_atom(known::RE_PATTERN) => {
            Ok(Some(binary_bytes(cx, source, BYTES_PER_UNIT)?))
        }
        _ => Ok(None),
    }
}

/// `compile(Pattern) -> {ok, Compiled} | {error, {Message, Position}}`.
///
/// # Errors
/// As `compile/2`.
pub fn compile_plainly<'h>(cx: &mut Cx<'h>, [pattern]: [Term<'h>; 1]) -> BifResult<'h> {
    compile(cx, [pattern, Term::NIL])
}

/// `run(Subject, RE) -> {match, Captured} | nomatch`.
///
/// # Errors
/// As `run/3`.
pub fn run_plainly<'h>(cx: &mut Cx<'h>, [subject, re]: [Term<'h>; 2]) -> BifResult<'h> {
    run(cx, [subject, re, Term::NIL])
}

/// `internal_run(Subject, RE, Options, FirstCall) -> {match, Captured} | nomatch`: `run/3` as OTP's own `re` calls it for the matches
/// after the first.
///
/// # Errors
/// As `run/3`.
pub fn run_again<'h>(cx: &mut Cx<'h>, [subject, re, options, _]: [Term<'h>; 4]) -> BifResult<'h> {
    run(cx, [subject, re, options])
}

/// `version() -> binary()`: the syntax and the rules are those of this version of PCRE.
pub fn version<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    Ok(cx.binary(b"8.44 2020-02-12")?)
}

/// `run(Subject, RE, Options) -> {match, Captured} | match | nomatch | {error, Reason}`.
///
/// # Errors
/// `badarg` for what is no text or no pattern, for a wrong pattern unless errors are to be reported, for options that are none, and
/// for an offset beyond the subject.
pub fn run<'h>(cx: &mut Cx<'h>, [subject, re, options]: [Term<'h>; 3]) -> BifResult<'h> {
    let given = given(cx, options)?;
    let (found, unicode) = match compiled(cx, re)? {
        Some(source) => {
            if given.for_compiling {
                return Err(Stop::badarg());
            }
            let unicode = read_source(&source).ok_or_else(Stop::badarg)?.0.unicode;
            (program_of(cx, &source)?, unicode)
        }
        None => {
            let text = text_of(cx, re, given.compile.unicode)?;
            let source = source_of(given.compile, text.bytes());
            (program_of(cx, &source)?, given.compile.unicode)
        }
    };
    let program = match found {
        Ok(program) => program,
        Err(fault) if given.report_errors => {
            let fault = fault_term(cx, fault)?;
            let reason = cx.tuple(&[Term::atom(known::COMPILE), fault])?;
            return Ok(cx.tuple(&[Term::atom(known::ERROR), reason])?);
        }
        Err(_) => return Err(Stop::badarg()),
    };
    let text = text_of(cx, subject, unicode)?;
    check_offset(cx, &program, &text, given.run.offset)?;
    let subject = Subject { text, unicode };
    if given.global {
        all_matches(cx, &program, &subject, &given)
    } else {
        one_match(cx, &program, &subject, &given)
    }
}

/// The offset is one of the subject, which is what the program takes it for.
fn check_offset<'h>(
    cx: &mut Cx<'h>,
    program: &Program,
    text: &Text<'h>,
    offset: usize,
) -> Result<(), Stop<'h>> {
    let bytes = text.bytes();
    if offset > bytes.len() {
        return Err(Stop::badarg());
    }
    if program.options.unicode {
        cx.work(bytes.len() / BYTES_PER_UNIT)?;
        match std::str::from_utf8(bytes) {
            Ok(valid) if valid.is_char_boundary(offset) => {}
            _ => return Err(Stop::badarg()),
        }
    }
    Ok(())
}

/// What is searched.
struct Subject<'h> {
    text: Text<'h>,
    unicode: bool,
}

fn one_match<'h>(
    cx: &mut Cx<'h>,
    program: &Program,
    subject: &Subject<'h>,
    given: &Given<'h>,
) -> BifResult<'h> {
    match search(cx, program, subject, given.run, given.report_errors)? {
        Err(error) => Ok(error),
        Ok(None) => Ok(Term::atom(known::NOMATCH)),
        Ok(Some(found)) => match captured(cx, program, subject, &found, &given.capture)? {
            None => Ok(Term::atom(known::MATCH)),
            Some(values) => Ok(cx.tuple(&[Term::atom(known::MATCH), values])?),
        },
    }
}

/// One search: a match, none, or the answer for a limit that was reached.
fn search<'h>(
    cx: &mut Cx<'h>,
    program: &Program,
    subject: &Subject<'h>,
    options: MatchOptions,
    report_errors: bool,
) -> Result<Result<Option<Found>, Term<'h>>, Stop<'h>> {
    let mut payer = Payer::new(cx);
    let found = regex::run(program, subject.text.bytes(), options, &mut payer);
    let reason = match found {
        Ok(found) => return Ok(Ok(found)),
        Err(MatchError::Stopped) => return Err(payer.stop()),
        Err(MatchError::Steps) => known::MATCH_LIMIT,
        Err(MatchError::Depth) => known::MATCH_LIMIT_RECURSION,
        Err(MatchError::Loop) => return Ok(Ok(None)),
    };
    if !report_errors {
        return Ok(Ok(None));
    }
    Ok(Err(cx.tuple(&[Term::atom(known::ERROR), Term::atom(reason)])?))
}

/// All matches, one after another. After a match of nothing, one of something is looked for at the same place; if there is none,
/// the search goes on a character further.
fn all_matches<'h>(
    cx: &mut Cx<'h>,
    program: &Program,
    subject: &Subject<'h>,
    given: &Given<'h>,
) -> BifResult<'h> {
    let bytes = subject.text.bytes();
    let mut matches = cx.scratch();
    let mut any = false;
    let mut options = given.run;
    let mut again = false;
    loop {
        options.anchored = given.run.anchored || again;
        options.notempty_atstart = given.run.notempty_atstart || again;
        let found = match search(cx, program, subject, options, given.report_errors)? {
            Err(error) => return Ok(error),
            Ok(found) => found,
        };
        let Some(found) = found else {
            if !again || options.offset >= bytes.len() {
                break;
            }
            options.offset = next_character(program, options, bytes);
            again = false;
            continue;
        };
        any = true;
        if let Some(values) = captured(cx, program, subject, &found, &given.capture)? {
            matches.push(values)?;
        }
        let (start, end) = found.spans[0].unwrap_or((options.offset, options.offset));
        let stands = end <= options.offset;
        again = end <= start || stands;
        if again && options.notempty_atstart && stands && options.anchored && !given.run.anchored {
            // Not even that has moved it.
            if options.offset >= bytes.len() {
                break;
            }
            options.offset = next_character(program, options, bytes);
            again = false;
        } else {
            options.offset = end.max(options.offset);
        }
    }
    if !any {
        return Ok(Term::atom(known::NOMATCH));
    }
    if given.capture.what.is_nothing()
        || matches!(given.capture.what, What::Names) && program.names.is_empty()
    {
        return Ok(Term::atom(known::MATCH));
    }
    let list = cx.list(&matches)?;
    Ok(cx.tuple(&[Term::atom(known::MATCH), list])?)
}

/// Where the character after the offset begins; the two characters that end a line together are one.
fn next_character(program: &Program, options: MatchOptions, bytes: &[u8]) -> usize {
    let at = options.offset;
    let newline = options.newline.unwrap_or(program.options.newline);
    if ends_in_two(newline) && bytes[at..].starts_with(b"\r\n") {
        return at + 2;
    }
    let mut next = at + 1;
    if program.options.unicode {
        while bytes.get(next).is_some_and(|byte| byte & 0xC0 == 0x80) {
            next += 1;
        }
    }
    next
}

/// What was asked for of a match; `None` if nothing was.
fn captured<'h>(
    cx: &mut Cx<'h>,
    program: &Program,
    subject: &Subject<'h>,
    found: &Found,
    capture: &Capture<'h>,
) -> Result<Option<Term<'h>>, Stop<'h>> {
    let spans = &found.spans;
    let used = spans.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    let mut values = cx.scratch();
    match capture.what {
        What::Nothing => return Ok(None),
        What::First => values.push(value(cx, subject, spans[0], capture.form)?)?,
        What::All | What::AllButFirst => {
            let first = usize::from(matches!(capture.what, What::AllButFirst));
            for span in spans.iter().take(used).skip(first) {
                values.push(value(cx, subject, *span, capture.form)?)?;
            }
        }
        What::Names => {
            let mut names: Vec<&[u8]> = program.names.iter().map(|name| name.text.as_slice()).collect();
            if names.is_empty() {
                return Ok(None);
            }
            names.sort_unstable();
            names.dedup();
            for name in names {
                values.push(value(cx, subject, named(program, found, name), capture.form)?)?;
            }
        }
        What::Listed(list) => {
            for element in list.list() {
                let span = match element.as_small() {
                    Some(number) => {
                        usize::try_from(number).ok().and_then(|number| spans.get(number).copied()).flatten()
                    }
                    None => {
                        let name = name_of(cx, element)?;
                        named(program, found, &name)
                    }
                };
                values.push(value(cx, subject, span, capture.form)?)?;
            }
        }
    }
    Ok(Some(cx.list(&values)?))
}

/// The first group of that name that is set.
fn named(program: &Program, found: &Found, name: &[u8]) -> Option<(usize, usize)> {
    program.numbers(name).find_map(|number| found.spans[number as usize])
}

/// The bytes of a name: an atom, a string, or a binary.
fn name_of<'h>(cx: &mut Cx<'h>, term: Term<'h>) -> Result<Vec<u8>, Stop<'h>> {
    if let Some(atom) = term.as_atom() {
        return Ok(cx.atoms().text(atom).as_bytes().to_vec());
    }
    Ok(text_of(cx, term, false)?.bytes().to_vec())
}

/// What a group matched, in the form asked for.
fn value<'h>(
    cx: &mut Cx<'h>,
    subject: &Subject<'h>,
    span: Option<(usize, usize)>,
    form: As,
) -> BifResult<'h> {
    if form == As::Index {
        let (start, length) = span.map_or((-1, 0), |(start, end)| (start as i64, end as i64 - start as i64));
        let (start, length) = (cx.int(start)?, cx.int(length)?);
        return Ok(cx.tuple(&[start, length])?);
    }
    let (start, end) = span.unwrap_or((0, 0));
    let end = end.max(start);
    let bytes = &subject.text.bytes()[start..end];
    cx.work(bytes.len() / 4)?;
    match (form, &subject.text) {
        (As::Binary, Text::Binary(whole, _)) => Ok(cx.sub_bits(*whole, 8 * start, 8 * bytes.len())?),
        (As::Binary, Text::Gathered(_)) => Ok(cx.binary(bytes)?),
        _ if !subject.unicode => Ok(cx.byte_list(bytes, Term::NIL)?),
        _ => {
            let text = std::str::from_utf8(bytes).map_err(|_| Stop::badarg())?;
            let mut characters = cx.scratch();
            for character in text.chars() {
                characters.push(u32::from(character))?;
            }
            Ok(code_point_list(cx, &characters)?)
        }
    }
}

/// `inspect(CompiledPattern, namelist) -> {namelist, [binary()]}`.
///
/// # Errors
/// `badarg` for what is no compiled pattern, and for anything else to be asked.
pub fn inspect<'h>(cx: &mut Cx<'h>, [re, item]: [Term<'h>; 2]) -> BifResult<'h> {
    let asks_names = item.as_atom().is_some_and(|atom| cx.atoms().text(atom) == "namelist");
    let Some(source) = compiled(cx, re)? else { return Err(Stop::badarg()) };
    if !asks_names {
        return Err(Stop::badarg());
    }
    let program = program_of(cx, &source)?.map_err(|_| Stop::badarg())?;
    let mut names: Vec<&[u8]> = program.names.iter().map(|name| name.text.as_slice()).collect();
    names.sort_unstable();
    names.dedup();
    let mut list = cx.scratch();
    for name in names {
        list.push(cx.binary(name)?)?;
    }
    let list = cx.list(&list)?;
    Ok(cx.tuple(&[item, list])?)
}
