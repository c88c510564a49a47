//! The spawn family.

use crate::atom::{Atom, known};
use crate::bif::{BifResult, Cx, Stop};
use crate::code::Mfa;
use crate::heap::{AllocError, Policy};
use crate::limits::{Capabilities, Limits, Quota};
use crate::process::{Priority, QueueData, Signal, SignalKind};
use crate::runtime::{SpawnError, SpawnOptions, Spawned, Start};
use crate::term::{Term, View};

/// `spawn(Fun) -> pid()`.
///
/// # Errors
/// `badarg` if it is no fun; `system_limit`.
pub fn spawn_fun<'h>(cx: &mut Cx<'h>, [fun]: [Term<'h>; 1]) -> BifResult<'h> {
    start(cx, Entry::Fun(fun), SpawnOptions::default())
}

/// `spawn(Node, Fun) -> pid()`, for the own node.
///
/// # Errors
/// As `spawn/1`; `badarg` for another node.
pub fn spawn_fun_at<'h>(cx: &mut Cx<'h>, [node, fun]: [Term<'h>; 2]) -> BifResult<'h> {
    own_node(node)?;
    start(cx, Entry::Fun(fun), SpawnOptions::default())
}

/// `spawn(Module, Function, Args) -> pid()`.
///
/// # Errors
/// `badarg` if module and function are no atoms or the arguments no list; `system_limit`.
pub fn spawn<'h>(cx: &mut Cx<'h>, [module, function, args]: [Term<'h>; 3]) -> BifResult<'h> {
    start(cx, Entry::Call(module, function, args), SpawnOptions::default())
}

/// `spawn(Node, Module, Function, Args) -> pid()`, for the own node.
///
/// # Errors
/// As `spawn/3`; `badarg` for another node.
pub fn spawn_at<'h>(cx: &mut Cx<'h>, [node, module, function, args]: [Term<'h>; 4]) -> BifResult<'h> {
    own_node(node)?;
    start(cx, Entry::Call(module, function, args), SpawnOptions::default())
}

fn some_fun<'h>(fun: Term<'h>) -> Result<(), Stop<'h>> {
    if matches!(fun.view(), View::Fun(_) | View::ExternalFun(_)) { Ok(()) } else { Err(Stop::badarg()) }
}

/// What these functions ask of a fun at the door; others let the new process fail.
fn no_parameters<'h>(fun: Term<'h>) -> Result<(), Stop<'h>> {
    let arity = match fun.view() {
        View::Fun(fun) => usize::from(fun.entry().arity),
        View::ExternalFun(fun) => usize::from(fun.arity()),
        _ => return Err(Stop::badarg()),
    };
    if arity == 0 { Ok(()) } else { Err(Stop::badarg()) }
}

fn linked() -> SpawnOptions {
    SpawnOptions { link: true, ..SpawnOptions::default() }
}

fn monitored() -> SpawnOptions {
    SpawnOptions { monitor: Some(Default::default()), ..SpawnOptions::default() }
}

/// `spawn_link(Fun) -> pid()`.
///
/// # Errors
/// As `spawn/1`.
pub fn spawn_link_fun<'h>(cx: &mut Cx<'h>, [fun]: [Term<'h>; 1]) -> BifResult<'h> {
    start(cx, Entry::Fun(fun), linked())
}

/// `spawn_link(Node, Fun) -> pid()`, for the own node.
///
/// # Errors
/// As `spawn/1`; `badarg` for another node.
pub fn spawn_link_fun_at<'h>(cx: &mut Cx<'h>, [node, fun]: [Term<'h>; 2]) -> BifResult<'h> {
    own_node(node)?;
    start(cx, Entry::Fun(fun), linked())
}

/// `spawn_link(Module, Function, Args) -> pid()`.
///
/// # Errors
/// As `spawn/3`.
pub fn spawn_link<'h>(cx: &mut Cx<'h>, [module, function, args]: [Term<'h>; 3]) -> BifResult<'h> {
    start(cx, Entry::Call(module, function, args), linked())
}

/// `spawn_link(Node, Module, Function, Args) -> pid()`, for the own node.
///
/// # Errors
/// As `spawn/3`; `badarg` for another node.
pub fn spawn_link_at<'h>(cx: &mut Cx<'h>, [node, module, function, args]: [Term<'h>; 4]) -> BifResult<'h> {
    own_node(node)?;
    start(cx, Entry::Call(module, function, args), linked())
}

/// `spawn_monitor(Fun) -> {pid(), reference()}`.
///
/// # Errors
/// As `spawn/1`.
pub fn spawn_monitor_fun<'h>(cx: &mut Cx<'h>, [fun]: [Term<'h>; 1]) -> BifResult<'h> {
    no_parameters(fun)?;
    start(cx, Entry::Fun(fun), monitored())
}

/// `spawn_monitor(Module, Function, Args) -> {pid(), reference()}`.
///
/// # Errors
/// As `spawn/3`.
pub fn spawn_monitor<'h>(cx: &mut Cx<'h>, [module, function, args]: [Term<'h>; 3]) -> BifResult<'h> {
    start(cx, Entry::Call(module, function, args), monitored())
}

/// `spawn_opt(Fun, Options) -> pid() | {pid(), reference()}`.
///
/// # Errors
/// As `spawn/1`; `badarg` for bad options.
pub fn spawn_opt_fun<'h>(cx: &mut Cx<'h>, [fun, options]: [Term<'h>; 2]) -> BifResult<'h> {
    some_fun(fun)?;
    let options = parse(cx, options).map_err(|stop| stop.because(known::BADOPT))?;
    start(cx, Entry::Fun(fun), options)
}

/// `spawn_opt(Node, Fun, Options) -> pid() | {pid(), reference()}`, for the own node.
///
/// # Errors
/// As `spawn_opt/2`; `badarg` for another node.
pub fn spawn_opt_fun_at<'h>(cx: &mut Cx<'h>, [node, fun, options]: [Term<'h>; 3]) -> BifResult<'h> {
    own_node(node)?;
    spawn_opt_fun(cx, [fun, options])
}

/// `spawn_opt(Module, Function, Args, Options) -> pid() | {pid(), reference()}`.
///
/// # Errors
/// As `spawn/3`; `badarg` for bad options.
pub fn spawn_opt<'h>(cx: &mut Cx<'h>, [module, function, args, options]: [Term<'h>; 4]) -> BifResult<'h> {
    let options = parse(cx, options).map_err(|stop| stop.because(known::BADOPT))?;
    start(cx, Entry::Call(module, function, args), options)
}

/// `spawn_opt(Node, Module, Function, Args, Options) -> pid() | {pid(), reference()}`, for the own node.
///
/// # Errors
/// As `spawn_opt/4`; `badarg` for another node.
pub fn spawn_opt_at<'h>(
    cx: &mut Cx<'h>,
    [node, module, function, args, options]: [Term<'h>; 5],
) -> BifResult<'h> {
    own_node(node)?;
    spawn_opt(cx, [module, function, args, options])
}

fn own_node<'h>(node: Term<'h>) -> Result<(), Stop<'h>> {
    // Other nodes cannot be reached: there is no distribution.
    if node.is_atom(known::NONODE_NOHOST) { Ok(()) } else { Err(Stop::badarg()) }
}

enum Entry<'h> {
    Fun(Term<'h>),
    Call(Term<'h>, Term<'h>, Term<'h>),
}

fn start<'h>(cx: &mut Cx<'h>, entry: Entry<'h>, options: SpawnOptions) -> BifResult<'h> {
    match make(cx, entry, options)? {
        Ok(Spawned { pid, monitor: None }) => Ok(Term::pid(pid)),
        Ok(Spawned { pid, monitor: Some(reference) }) => {
            let me = cx.self_pid();
            let reference = cx.reference(reference, Some(me))?;
            Ok(cx.tuple(&[Term::pid(pid), reference])?)
        }
        Err(SpawnError::TooMany | SpawnError::Arguments) => Err(Stop::system_limit()),
        Err(SpawnError::Memory(error)) => Err(error.into()),
    }
}

/// Checks the arguments and makes the process.
fn make<'h>(
    cx: &mut Cx<'h>,
    entry: Entry<'h>,
    mut options: SpawnOptions,
) -> Result<Result<Spawned, SpawnError>, Stop<'h>> {
    let mut list = Vec::new();
    let start = match entry {
        Entry::Fun(fun) => match fun.view() {
            View::Fun(_) | View::ExternalFun(_) => Start::Fun(fun),
            _ => return Err(Stop::badarg()),
        },
        Entry::Call(module, function, args) => {
            let (Some(module), Some(function)) = (module.as_atom(), function.as_atom()) else {
                return Err(Stop::badarg());
            };
            let count = args.proper_length().ok_or_else(Stop::badarg)?;
            let arity = u8::try_from(count).map_err(|_| Stop::system_limit())?;
            list.extend(args.list());
            Start::Call(Mfa { module, function, arity }, &list)
        }
    };
    match start {
        Start::Fun(fun) => options.measured = Some(cx.copying(&[fun])?),
        Start::Call(_, args) => options.measured = Some(cx.copying(args)?),
    }
    let (rt, worker, process) = cx.parts();
    let spawned = rt.spawn(worker, Some(process), start, options);
    if let Ok(Spawned { monitor: Some(reference), .. }) = spawned {
        cx.process_mut().mailbox.mark(reference);
    }
    Ok(spawned)
}

/// `spawn_request(Fun) -> reference()`.
///
/// # Errors
/// As `spawn/1`.
pub fn request_fun<'h>(cx: &mut Cx<'h>, [fun]: [Term<'h>; 1]) -> BifResult<'h> {
    no_parameters(fun)?;
    request(cx, Entry::Fun(fun), Term::NIL)
}

/// `spawn_request(Fun, Options)`, or `spawn_request(Node, Fun)` for the own node; a `reference()`.
///
/// # Errors
/// As `spawn_opt/2`.
pub fn request_fun_with<'h>(cx: &mut Cx<'h>, [first, second]: [Term<'h>; 2]) -> BifResult<'h> {
    if first.as_atom().is_some() {
        own_node(first)?;
        return request(cx, Entry::Fun(second), Term::NIL);
    }
    no_parameters(first)?;
    request(cx, Entry::Fun(first), second)
}

/// `spawn_request(Module, Function, Args)`, or `spawn_request(Node, Fun, Options)` for the own node; a `reference()`.
///
/// # Errors
/// As `spawn_opt/3`.
pub fn request_call<'h>(cx: &mut Cx<'h>, [first, second, third]: [Term<'h>; 3]) -> BifResult<'h> {
    if matches!(second.view(), View::Fun(_) | View::ExternalFun(_)) {
        own_node(first)?;
        return request(cx, Entry::Fun(second), third);
    }
    request(cx, Entry::Call(first, second, third), Term::NIL)
}

/// `spawn_request(Module, Function, Args, Options)`, or `spawn_request(Node, Module, Function, Args)` for the own node; a
/// `reference()`.
///
/// # Errors
/// As `spawn_opt/4`.
pub fn request_call_with<'h>(cx: &mut Cx<'h>, [a, b, c, d]: [Term<'h>; 4]) -> BifResult<'h> {
    if c.as_atom().is_some() {
        own_node(a)?;
        return request(cx, Entry::Call(b, c, d), Term::NIL);
    }
    request(cx, Entry::Call(a, b, c), d)
}

/// `spawn_request(Node, Module, Function, Args, Options) -> reference()`, for the own node.
///
/// # Errors
/// As `spawn_opt/5`.
pub fn request_at<'h>(
    cx: &mut Cx<'h>,
    [node, module, function, args, options]: [Term<'h>; 5],
) -> BifResult<'h> {
    own_node(node)?;
    request(cx, Entry::Call(module, function, args), options)
}

/// `spawn_request_abandon(RequestId) -> boolean()`: requests are answered at once, so there is never one to abandon.
///
/// # Errors
/// `badarg` if it is no reference.
pub fn request_abandon<'h>(_: &mut Cx<'h>, [reference]: [Term<'h>; 1]) -> BifResult<'h> {
    if reference.as_ref().is_some() { Ok(Term::boolean(false)) } else { Err(Stop::badarg()) }
}

/// Makes the process and answers by a message: `{Tag, RequestId, ok, Pid}` or `{Tag, RequestId, error, Reason}`.
fn request<'h>(cx: &mut Cx<'h>, entry: Entry<'h>, list: Term<'h>) -> BifResult<'h> {
    if list.proper_length().is_none() {
        return Err(Stop::badarg_because(known::BADOPT));
    }
    let (mut tag, mut success, mut failure) = (Term::atom(known::SPAWN_REPLY), true, true);
    let (mut others, mut unknown) = (Vec::new(), false);
    for option in list.list() {
        match option.as_tuple() {
            Some(&[key, value]) if key.is_atom(known::REPLY_TAG) => tag = value,
            Some(&[key, value]) if key.is_atom(known::REPLY) => match value.as_atom() {
                Some(known::YES) => (success, failure) = (true, true),
                Some(known::NO) => (success, failure) = (false, false),
                Some(known::ERROR_ONLY) => (success, failure) = (false, true),
                Some(known::SUCCESS_ONLY) => (success, failure) = (true, false),
                _ => unknown = true,
            },
            _ => others.push(option),
        }
    }
    let options = match parse_items(cx, others.into_iter()) {
        Ok(options) if !unknown => Some(options),
        Ok(_) => None,
        Err(stop) if stop.is_badarg() => None,
        Err(stop) => return Err(stop),
    };
    cx.copying(&[tag])?;
    // What is wrong with an option is told by the answer.
    let made = options.map(|options| make(cx, entry, options)).transpose()?;
    let Some(made) = made else {
        let id = super::new_reference(cx);
        return answer(cx, failure, tag, id, known::ERROR, Term::atom(known::BADOPT));
    };
    let (wanted, outcome, value, id) = match made {
        Ok(Spawned { pid, monitor }) => (success, known::OK, Term::pid(pid), monitor),
        Err(SpawnError::Memory(error @ AllocError::Limit(_))) => return Err(error.into()),
        Err(SpawnError::TooMany | SpawnError::Memory(_) | SpawnError::Arguments) => {
            (failure, known::ERROR, Term::atom(known::SYSTEM_LIMIT), None)
        }
    };
    let id = id.unwrap_or_else(|| super::new_reference(cx));
    answer(cx, wanted, tag, id, outcome, value)
}

/// Sends the caller the answer to a request, if it is wanted; the request's reference.
fn answer<'h>(
    cx: &mut Cx<'h>,
    wanted: bool,
    tag: Term<'h>,
    id: u64,
    outcome: Atom,
    value: Term<'h>,
) -> BifResult<'h> {
    let me = cx.self_pid();
    let reference = cx.reference(id, Some(me))?;
    if wanted {
        // The process is there.
        cx.commit();
        let answer = cx.tuple(&[tag, reference, Term::atom(outcome), value])?;
        let content = cx.copy_out(answer)?;
        let (rt, worker, _) = cx.parts();
        rt.deliver(worker, Signal::new(SignalKind::Message, me, content));
    }
    Ok(reference)
}

fn parse<'h>(cx: &mut Cx<'h>, list: Term<'h>) -> Result<SpawnOptions, Stop<'h>> {
    if list.proper_length().is_none() {
        return Err(Stop::badarg());
    }
    parse_items(cx, list.list())
}

fn parse_items<'h>(cx: &mut Cx<'h>, items: impl Iterator<Item = Term<'h>>) -> Result<SpawnOptions, Stop<'h>> {
    let mut options = SpawnOptions::default();
    let mut policy = cx.rt.policy();
    for option in items {
        match option.view() {
            View::Atom(known::LINK) => options.link = true,
            // What a server of the machine's own does for others is not to be done with its rights and without limits.
            View::Atom(known::MACHINE) if cx.payer().is_own() => {
                options.account = Some(std::sync::Arc::clone(&cx.rt.account));
            }
            View::Atom(known::MONITOR) => options.monitor = Some(Default::default()),
            View::Tuple(&[key, value]) => {
                let key = key.as_atom().ok_or_else(Stop::badarg)?;
                match key {
                    known::MONITOR => options.monitor = Some(super::monitor::options(cx, value)?),
                    known::PRIORITY => options.priority = Some(priority(cx, value)?),
                    known::MESSAGE_QUEUE_DATA => options.queue_data = Some(queue_data(value)?),
                    known::ASYNC_DIST if value.as_boolean().is_some() => {}
                    known::SCHEDULER => _ = scheduler(cx, value)?,
                    known::LIMITS => options.narrowing.get_or_insert_default().limits = limits(cx, value)?,
                    known::CAPABILITIES => {
                        options.narrowing.get_or_insert_default().capabilities =
                            Some(capabilities(cx, value)?);
                    }
                    _ => heap_option(cx, &mut policy, key, value)?,
                }
            }
            _ => return Err(Stop::badarg()),
        }
    }
    options.policy = Some(policy);
    Ok(options)
}

/// The number of a scheduler, or 0 for any: a wish that OTP does not document, checked as there. Where a process runs is decided by
/// who has time.
pub(super) fn scheduler<'h>(cx: &Cx<'h>, value: Term<'h>) -> Result<u32, Stop<'h>> {
    let number = value.as_small().and_then(|number| u32::try_from(number).ok()).ok_or_else(Stop::badarg)?;
    if number as usize <= cx.rt.workers() { Ok(number) } else { Err(Stop::badarg()) }
}

/// Sets one of the options that are also process flags about the heap.
pub(in crate::bif) fn heap_option<'h>(
    cx: &Cx<'h>,
    policy: &mut Policy,
    key: Atom,
    value: Term<'h>,
) -> Result<(), Stop<'h>> {
    let size = || value.as_small().and_then(|size| usize::try_from(size).ok()).ok_or_else(Stop::badarg);
    match key {
        known::FULLSWEEP_AFTER => policy.fullsweep_after = u32::try_from(size()?).unwrap_or(u32::MAX),
        known::MIN_HEAP_SIZE => policy.min_heap_words = size()?.max(cx.rt.config.policy.min_heap_words),
        known::MIN_BIN_VHEAP_SIZE => policy.min_shared_bytes = size()?.saturating_mul(8),
        known::MAX_HEAP_SIZE => max_heap_size(cx, policy, value)?,
        _ => return Err(Stop::badarg()),
    }
    Ok(())
}

fn max_heap_size<'h>(cx: &Cx<'h>, policy: &mut Policy, value: Term<'h>) -> Result<(), Stop<'h>> {
    let words = |term: Term<'h>| {
        let size = term.as_small().and_then(|size| usize::try_from(size).ok()).ok_or_else(Stop::badarg)?;
        // Below the smallest heap a limit could not be kept.
        if size != 0 && size < policy.min_heap_words { Err(Stop::badarg()) } else { Ok(size) }
    };
    let Some(map) = value.as_map() else {
        policy.max_heap_words = words(value)?;
        return Ok(());
    };
    let atoms = &cx.rt.atoms;
    let size = map.get(atoms, Term::atom(known::SIZE)).ok_or_else(Stop::badarg)?;
    let flag = |name| match map.get(atoms, Term::atom(name)) {
        None => Ok(None),
        Some(value) => value.as_boolean().map(Some).ok_or_else(Stop::badarg),
    };
    let (kill, report) = (flag(known::KILL)?, flag(known::ERROR_LOGGER)?);
    let shared = flag(known::INCLUDE_SHARED_BINARIES)?;
    policy.max_heap_words = words(size)?;
    policy.max_heap_kill = kill.unwrap_or(policy.max_heap_kill);
    policy.max_heap_report = report.unwrap_or(policy.max_heap_report);
    policy.max_heap_include_shared = shared.unwrap_or(policy.max_heap_include_shared);
    Ok(())
}

/// `#{Quota => Most}`; of wall time, milliseconds.
fn limits<'h>(cx: &Cx<'h>, value: Term<'h>) -> Result<Limits, Stop<'h>> {
    let mut limits = Limits::new();
    for (key, most) in value.as_map().ok_or_else(Stop::badarg)?.iter() {
        let name = key.as_atom().ok_or_else(Stop::badarg)?;
        let quota = Quota::named(cx.atoms().text(name)).ok_or_else(Stop::badarg)?;
        let most = most.as_small().and_then(|most| u64::try_from(most).ok()).ok_or_else(Stop::badarg)?;
        let unit = if quota == Quota::WallTime { NS_PER_MS } else { 1 };
        limits = limits.with(quota, most.saturating_mul(unit));
    }
    Ok(limits)
}

const NS_PER_MS: u64 = 1_000_000;

/// `[files | {read, Directory} | {write, Directory} | network | {connect, Place, Ports} | {listen, Place, Ports} | environment |
/// subprocess | clock | code | halt]`; `Place` is a string, `Ports` a port or `{First, Last}`.
fn capabilities<'h>(cx: &mut Cx<'h>, value: Term<'h>) -> Result<Capabilities, Stop<'h>> {
    let mut rights = Capabilities::none();
    let mut items = value.list();
    for item in items.by_ref() {
        rights = match item.view() {
            View::Atom(known::FILES) => rights.all_files(),
            View::Atom(known::ENVIRONMENT) => rights.environment(true),
            View::Atom(known::SUBPROCESS) => rights.subprocess(true),
            View::Atom(known::NETWORK) => rights.all_network(),
            View::Atom(known::CLOCK) => rights.clock(true),
            View::Atom(known::CODE) => rights.code(true),
            View::Atom(known::HALT) => rights.halt(true),
            View::Tuple(&[access, directory]) => {
                let directory = crate::bif::file_path(cx, directory)?.ok_or_else(Stop::badarg)?;
                match access.as_atom() {
                    Some(known::READ) => rights.read(directory),
                    Some(known::WRITE) => rights.write(directory),
                    _ => return Err(Stop::badarg()),
                }
            }
            View::Tuple(&[direction, place, ports]) => {
                let (place, ports) = (address_place(cx, place)?, ports_of(ports).ok_or_else(Stop::badarg)?);
                match direction.as_atom() {
                    Some(known::CONNECT) => rights.connect(place, ports),
                    Some(known::LISTEN) => rights.listen(place, ports),
                    _ => return Err(Stop::badarg()),
                }
            }
            _ => return Err(Stop::badarg()),
        };
    }
    if items.rest().is_nil() { Ok(rights) } else { Err(Stop::badarg()) }
}

/// A name, an address or a block of addresses, as a string.
fn address_place<'h>(cx: &mut Cx<'h>, term: Term<'h>) -> Result<String, Stop<'h>> {
    crate::bif::chardata::text(cx, term)?.ok_or_else(Stop::badarg)
}

/// `Port | {First, Last}`.
fn ports_of(term: Term<'_>) -> Option<std::ops::RangeInclusive<u16>> {
    let port = |term: Term<'_>| term.as_small().and_then(|port| u16::try_from(port).ok());
    match term.view() {
        View::Tuple(&[first, last]) => Some(port(first)?..=port(last)?),
        _ => port(term).map(|port| port..=port),
    }
}

/// The priority of that name, as far as the caller may give it: to itself or those it spawns, a process with limits gives no more
/// than normal priority (or what it has from the embedder), or it could keep its neighbours from running for as long as its
/// limits allow. Asking for more is no error, so that libraries that ask work.
pub(super) fn priority<'h>(cx: &Cx<'h>, term: Term<'h>) -> Result<Priority, Stop<'h>> {
    let wanted = match term.as_atom() {
        Some(known::LOW) => Priority::Low,
        Some(known::NORMAL) => Priority::Normal,
        Some(known::HIGH) => Priority::High,
        Some(known::MAX) => Priority::Max,
        _ => return Err(Stop::badarg()),
    };
    let process = cx.process();
    let is_raised = matches!(wanted, Priority::High | Priority::Max);
    if !is_raised || !process.heap.is_limited() {
        return Ok(wanted);
    }
    Ok(match process.priority {
        Priority::Low | Priority::Normal => Priority::Normal,
        granted => granted,
    })
}

/// The place for messages of that name.
pub(super) fn queue_data<'h>(term: Term<'h>) -> Result<QueueData, Stop<'h>> {
    match term.as_atom() {
        Some(known::ON_HEAP) => Ok(QueueData::OnHeap),
        Some(known::OFF_HEAP) => Ok(QueueData::OffHeap),
        _ => Err(Stop::badarg()),
    }
}
