//! A chat: `cargo run --example chat`, then `nc localhost 6667` in some windows.
//!
//! tokio speaks with the clients, Erlang keeps the rooms. Each client is a mailbox, so a room sees it as a process among others: it sends
//! lines to it, monitors it, and ends it if it does not read. Rooms are servers under a supervisor: one that crashes takes nobody with
//! it but its own talk.

use std::error::Error;
use std::time::Duration;

use erlet::{Atom, Mailbox, Pid, Reference, Value, Vm};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

/// Supervises the lobby and the rooms. Without rooms there is no lobby that knows them.
const CHAT: &str = r#"
-module(chat).
-behaviour(supervisor).
-export([start/0, start_link/1, init/1]).

start() -> {ok, Pid} = start_link(chat), unlink(Pid), ok.

start_link(Name) -> supervisor:start_link({local, Name}, ?MODULE, Name).

init(chat) ->
    {ok, {#{strategy => rest_for_one},
          [#{id => rooms, type => supervisor, start => {?MODULE, start_link, [rooms]}},
           #{id => lobby, start => {lobby, start_link, []}}]}};
init(rooms) ->
    {ok, {#{strategy => simple_one_for_one}, [#{id => room, restart => temporary, start => {room, start_link, []}}]}}.
"#;

/// Knows who has which name, and which rooms there are. Names are freed when their processes end, however they do.
const LOBBY: &str = r#"
-module(lobby).
-behaviour(gen_server).
-export([start_link/0, enter/2, join/3, init/1, handle_call/3, handle_cast/2, handle_info/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).
enter(Client, Nick) -> gen_server:call(?MODULE, {enter, Client, Nick}).
join(Client, Nick, Name) ->
    Room = gen_server:call(?MODULE, {room, Name}),
    ok = gen_server:call(Room, {join, Client, Nick}),
    Room.

init([]) -> {ok, #{}}.

handle_call({enter, _, Nick}, _From, Known) when is_map_key({nick, Nick}, Known) -> {reply, {error, taken}, Known};
handle_call({enter, Client, Nick}, _From, Known) -> {reply, ok, know({nick, Nick}, Client, Known)};
handle_call({room, Name}, _From, Known) when is_map_key({room, Name}, Known) -> {reply, map_get({room, Name}, Known), Known};
handle_call({room, Name}, _From, Known) ->
    {ok, Room} = supervisor:start_child(rooms, []),
    {reply, Room, know({room, Name}, Room, Known)}.

handle_cast(_, Known) -> {noreply, Known}.

handle_info({'DOWN', Ref, process, _, _}, Known) ->
    {Key, Rest} = maps:take(Ref, Known),
    {noreply, maps:remove(Key, Rest)}.

know(Key, Pid, Known) -> Known#{Key => Pid, monitor(process, Pid) => Key}.
"#;

/// A room: its members, `Client => {Nick, Lines that it has not read}`, and the last lines, the newest first.
const ROOM: &str = r#"
-module(room).
-behaviour(gen_server).
-export([start_link/0, init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).
-define(KEPT, 20).
-define(MOST_UNREAD, 100).

start_link() -> gen_server:start_link(?MODULE, [], []).

init([]) ->
    process_flag(trap_exit, true), % so that terminate/2 is called
    {ok, {#{}, []}}.

handle_call({join, Client, Nick}, _From, {Members, Lines}) ->
    monitor(process, Client),
    Member = lists:foldr(fun(Line, Member) -> send(Line, Client, Member) end, {Nick, 0}, Lines),
    {reply, ok, say(<<"* ", Nick/binary, " has joined">>, {Members#{Client => Member}, Lines})}.

handle_cast(_, Room) -> {noreply, Room}.

handle_info({say, Client, Text}, {Members, _} = Room) when is_map_key(Client, Members) ->
    {Nick, _} = map_get(Client, Members),
    {noreply, say(<<Nick/binary, ": ", Text/binary>>, Room)};
handle_info({read, Client}, {Members, Lines}) when is_map_key(Client, Members) ->
    {Nick, Unread} = map_get(Client, Members),
    {noreply, {Members#{Client := {Nick, Unread - 1}}, Lines}};
handle_info({leave, Client}, Room) -> {noreply, leave(Client, Room)};
handle_info({'DOWN', _, process, Client, _}, Room) -> {noreply, leave(Client, Room)};
handle_info(_, Room) -> {noreply, Room}.

terminate(_, Room) -> say(<<"* the room closes">>, Room).

leave(Client, {Members, Lines}) when is_map_key(Client, Members) ->
    {{Nick, _}, Others} = maps:take(Client, Members),
    say(<<"* ", Nick/binary, " has left">>, {Others, Lines});
leave(_, Room) -> Room.

say(Line, {Members, Lines}) ->
    {maps:map(fun(Client, Member) -> send(Line, Client, Member) end, Members), lists:sublist([Line | Lines], ?KEPT)}.

%% Who does not read what is sent to it is ended: it would take all memory.
send(_, Client, {_, Unread} = Member) when Unread >= ?MOST_UNREAD -> exit(Client, kill), Member;
send(Line, Client, {Nick, Unread}) -> Client ! {line, self(), Line}, {Nick, Unread + 1}.
"#;

type Done = Result<(), Box<dyn Error + Send + Sync>>;

/// The machine with everything that Erlang does.
fn chat() -> Result<Vm, erlet::Error> {
    let vm = Vm::builder().build()?;
    for (file, text) in [("chat.erl", CHAT), ("lobby.erl", LOBBY), ("room.erl", ROOM)] {
        vm.load_source(file, text)?;
    }
    vm.call::<()>("chat", "start", ())?;
    Ok(vm)
}

async fn serve(vm: Vm, listener: TcpListener) -> std::io::Result<()> {
    loop {
        let (socket, from) = listener.accept().await?;
        let vm = vm.clone();
        tokio::spawn(async move {
            if let Err(error) = client(&vm, socket).await {
                eprintln!("{from}: {error}");
            }
        });
    }
}

/// One client. Its mailbox goes with this function, which is how everybody learns that it has left.
async fn client(vm: &Vm, socket: TcpStream) -> Done {
    socket.set_nodelay(true)?;
    let (reader, mut writer) = socket.into_split();
    let mailbox = vm.mailbox()?;
    // A room may end it while a write hangs, since the client does not read.
    let ended = vm.monitor(mailbox.pid())?;
    tokio::select! {
        biased; // When the machine stops, what the rooms have said last comes first.
        done = talk(&mailbox, BufReader::new(reader).lines(), &mut writer) => done,
        reason = ended => Err(format!("ended: {}", reason?).into()),
    }
}

async fn talk(me: &Mailbox, mut lines: Lines<BufReader<OwnedReadHalf>>, writer: &mut OwnedWriteHalf) -> Done {
    let [say, read, leave] = ["say", "read", "leave"].map(Atom::new);
    let nick = loop {
        writer.write_all(b"! who are you?\n").await?;
        let Some(nick) = lines.next_line().await? else { return Ok(()) };
        match me.vm().call_async::<Result<(), Atom>>("lobby", "enter", (me.pid(), nick.as_str())).await? {
            Ok(()) => break nick,
            Err(why) => writer.write_all(format!("! {why}\n").as_bytes()).await?,
        }
    };
    let mut room: Option<(Pid, Reference)> = None;
    loop {
        tokio::select! {
            line = lines.next_line() => match (line?, &room) {
                (None, _) => return Ok(()),
                (Some(line), _) if line.starts_with("/join ") => {
                    if let Some((old, watch)) = room.take() {
                        me.demonitor(watch)?;
                        me.send(old, (&leave, me.pid()))?;
                    }
                    let new = me.vm().call_async("lobby", "join", (me.pid(), nick.as_str(), &line[6..])).await?;
                    room = Some((new, me.monitor(new)?));
                }
                (Some(line), Some((room, _))) => me.send(*room, (&say, me.pid(), line))?,
                (Some(_), None) => writer.write_all(b"! /join a room first\n").await?,
            },
            message = me.recv_async::<Value>() => match message?.as_tuple() {
                Some([_line, from, text]) => {
                    let text = format!("{}\n", text.as_str().unwrap_or_default());
                    writer.write_all(text.as_bytes()).await?;
                    if let Some(from) = from.as_pid() {
                        // If the machine is over by now, last words may still be in the mailbox.
                        let _ = me.send(from, (&read, me.pid()));
                    }
                }
                // A 'DOWN' message: the room has ended.
                _ => {
                    room = None;
                    writer.write_all(b"! the room is gone\n").await?;
                }
            },
        }
    }
}

#[tokio::main]
async fn main() -> Done {
    let vm = chat()?;
    let listener = TcpListener::bind("127.0.0.1:6667").await?;
    println!("listening on {}", listener.local_addr()?);
    tokio::spawn(serve(vm.clone(), listener));
    // Until somebody presses Enter.
    tokio::task::spawn_blocking(|| std::io::stdin().read_line(&mut String::new())).await??;
    println!("{:?}", vm.shutdown(Duration::from_secs(5))?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Client {
        lines: Lines<BufReader<OwnedReadHalf>>,
        writer: OwnedWriteHalf,
    }

    impl Client {
        async fn new(address: std::net::SocketAddr, nick: &str) -> Client {
            let (reader, writer) = TcpStream::connect(address).await.expect("connected").into_split();
            let mut client = Client { lines: BufReader::new(reader).lines(), writer };
            client.hears("! who are you?").await;
            client.says(nick).await;
            client
        }

        async fn says(&mut self, line: &str) {
            self.writer.write_all(format!("{line}\n").as_bytes()).await.expect("sent");
        }

        async fn hears(&mut self, line: &str) {
            assert_eq!(self.lines.next_line().await.expect("read").as_deref(), Some(line));
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn people_come_talk_and_go() {
        let vm = chat().expect("it starts");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("bound");
        tokio::spawn(serve(vm.clone(), listener));

        let mut ann = Client::new(address, "ann").await;
        ann.says("hello?").await;
        ann.hears("! /join a room first").await;
        ann.says("/join tea").await;
        ann.hears("* ann has joined").await;
        let mut bob = Client::new(address, "ann").await;
        bob.hears("! taken").await;
        bob.hears("! who are you?").await;
        bob.says("bob").await;
        bob.says("/join tea").await;
        bob.hears("* ann has joined").await;
        bob.hears("* bob has joined").await;
        bob.says("hi").await;
        bob.hears("bob: hi").await;
        for line in ["* bob has joined", "bob: hi"] {
            ann.hears(line).await;
        }
        // His connection breaks: his name is free again, and the room knows.
        drop(bob);
        ann.hears("* bob has left").await;

        // Somebody who does not read is put out; the others hardly notice.
        let mut slow = Client::new(address, "bob").await;
        slow.says("/join tea").await;
        ann.hears("* bob has joined").await;
        let (text, mut said) = ("x".repeat(100_000), 0);
        loop {
            ann.says(&text).await;
            said += 1;
            let line = ann.lines.next_line().await.expect("read").expect("a line");
            if line == "* bob has left" {
                break;
            }
            assert!(said < 10_000 && line.starts_with("ann: x"), "{said} lines");
        }
        ann.hears(&format!("ann: {text}")).await;

        // A room that fails.
        let room: Pid =
            vm.call("gen_server", "call", (Atom::new("lobby"), (Atom::new("room"), "tea"))).expect("there");
        vm.exit(room, Atom::new("kill")).expect("sent");
        ann.hears("! the room is gone").await;
        ann.says("/join milk").await;
        ann.hears("* ann has joined").await;

        let report = vm.shutdown(Duration::from_secs(60)).expect("ended");
        assert!(report.is_clean(), "{report:?}");
        ann.hears("* the room closes").await;
        while let Some(line) = ann.lines.next_line().await.expect("closed") {
            assert_eq!(line, "! the room is gone");
        }
    }
}
