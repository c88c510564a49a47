//! A terminal in which a shell runs: keys go in, screens come out.
//!
//! Nothing here sleeps in order to be late enough: whoever types something waits for what it must lead to.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How long a screen may take to show what is expected; the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(30);

/// A terminal with a shell in it.
pub struct Terminal {
    socket: String,
    pub folder: PathBuf,
}

impl Terminal {
    /// A shell in a window of that size; `None` without tmux.
    pub fn open(columns: u32, rows: u32, environment: &str, arguments: &str) -> Option<Terminal> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let socket = format!("erlet-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(&socket);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let terminal = Terminal { socket, folder };
        if Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("skipped: there is no tmux here");
            return None;
        }
        let size = [columns.to_string(), rows.to_string()];
        let history = terminal.folder.join("history");
        let command = format!(
            "cd {} && exec env LANG=C.UTF-8 ERLET_INIT= ERLET_HISTORY={} {environment} {} {arguments}",
            terminal.folder.display(),
            history.display(),
            env!("CARGO_BIN_EXE_erlet"),
        );
        let shell = format!("sh -c '{}'; echo ended; sleep 100", command.replace('\'', "'\\''"));
        terminal.tmux(&["-u", "new-session", "-d", "-s", "s", "-x", &size[0], "-y", &size[1], &shell]);
        terminal.tmux(&["set-option", "-t", "s", "status", "off"]);
        terminal.tmux(&["set-option", "-s", "escape-time", "0"]);
        Some(terminal)
    }

    pub fn tmux(&self, args: &[&str]) -> Output {
        let mut command = Command::new("tmux");
        command.args(["-L", &self.socket, "-f", "/dev/null"]).args(args).output().expect("tmux runs")
    }

    /// Keys by tmux's names.
    pub fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys", "-t", "s"], keys].concat());
    }

    pub fn type_text(&self, text: &str) {
        // A semicolon at the end would be tmux's own.
        let text = text.strip_suffix(';').map_or(text.to_owned(), |text| format!("{text}\\;"));
        self.tmux(&["send-keys", "-t", "s", "-l", "--", &text]);
    }

    pub fn enter(&self, text: &str) {
        self.type_text(text);
        self.keys(&["Enter"]);
    }

    pub fn screen(&self) -> String {
        let shown = self.tmux(&["capture-pane", "-t", "s", "-p"]);
        String::from_utf8_lossy(&shown.stdout).trim_end().to_owned()
    }

    /// The same with its colours, as escape sequences.
    pub fn coloured_screen(&self) -> String {
        let shown = self.tmux(&["capture-pane", "-t", "s", "-p", "-e"]);
        String::from_utf8_lossy(&shown.stdout).into_owned()
    }

    #[track_caller]
    pub fn wait_until(&self, what: &str, fits: impl Fn(&str) -> bool) {
        let end = Instant::now() + PATIENCE;
        loop {
            let screen = self.screen();
            if fits(&screen) {
                return;
            }
            assert!(Instant::now() < end, "waited for {what} in vain:\n{screen}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    #[track_caller]
    pub fn wait_for(&self, text: &str) {
        self.wait_until(text, |screen| screen.contains(text));
    }

    /// Waits for the prompt of that number, with nothing behind it.
    #[track_caller]
    pub fn prompt(&self, number: u32) {
        let prompt = format!("{number}>");
        self.wait_until(&prompt, |screen| {
            screen.lines().last().is_some_and(|line| line.trim_end() == prompt)
        });
    }

    /// Types a statement that first says that it has begun, and waits until it says so.
    #[track_caller]
    pub fn begin(&self, number: u32, text: &str) {
        self.prompt(number);
        let count = |screen: &str| screen.lines().filter(|line| *line == "begun").count();
        let before = count(&self.screen());
        self.enter(&format!("io:put_chars(\"begun\\n\"), {text}"));
        self.wait_until("begun", |screen| count(screen) > before);
    }

    /// Opens the menu of jobs and waits for its prompt.
    #[track_caller]
    pub fn menu(&self) {
        self.keys(&["C-g"]);
        self.wait_until("the menu", |screen| {
            screen.lines().last().is_some_and(|line| line.trim_end() == " -->")
        });
    }

    /// Types a command into the menu, which asks for another afterwards.
    #[track_caller]
    pub fn menu_command(&self, command: &str) {
        let asked = format!(" --> {command}");
        let count = |screen: &str| screen.lines().filter(|line| line.trim_end() == asked).count();
        let before = count(&self.screen());
        self.enter(command);
        self.wait_until(command, |screen| {
            count(screen) == before + 1 && screen.lines().last().is_some_and(|line| line.trim_end() == " -->")
        });
    }

    /// The column of the cursor.
    pub fn column(&self) -> u32 {
        let shown = self.tmux(&["display-message", "-t", "s", "-p", "#{cursor_x}"]);
        String::from_utf8_lossy(&shown.stdout).trim().parse().unwrap_or(u32::MAX)
    }

    /// Gives the window another size and waits until the shell's terminal has it, which tmux may put off.
    #[track_caller]
    pub fn resize(&self, columns: u32, rows: u32) {
        let size = [columns.to_string(), rows.to_string()];
        self.tmux(&["resize-window", "-t", "s", "-x", &size[0], "-y", &size[1]]);
        let device = self.device();
        let wanted = format!("{rows} {columns}");
        self.wait_until(&wanted, |_| {
            let size = Command::new("stty").args(["-F", &device, "size"]).output().expect("stty runs");
            String::from_utf8_lossy(&size.stdout).trim() == wanted
        });
    }

    /// Puts text into the terminal as a paste.
    pub fn paste(&self, text: &str) {
        let file = self.folder.join("paste");
        std::fs::write(&file, text).expect("a file can be written");
        self.tmux(&["load-buffer", &file.to_string_lossy()]);
        self.tmux(&["paste-buffer", "-p", "-t", "s"]);
    }

    /// Types text as fast as the shell takes it, as terminals do that know of no pastes.
    pub fn type_lines(&self, text: &str) {
        let file = self.folder.join("typed");
        std::fs::write(&file, text).expect("a file can be written");
        self.tmux(&["load-buffer", &file.to_string_lossy()]);
        self.tmux(&["paste-buffer", "-t", "s"]);
    }

    /// The device that the shell has as its terminal.
    pub fn device(&self) -> String {
        let shown = self.tmux(&["display-message", "-t", "s", "-p", "#{pane_tty}"]);
        String::from_utf8_lossy(&shown.stdout).trim().to_owned()
    }

    /// The process of the shell.
    pub fn process(&self) -> String {
        let shown = self.tmux(&["display-message", "-t", "s", "-p", "#{pane_pid}"]);
        let shell = String::from_utf8_lossy(&shown.stdout).trim().to_owned();
        let children = Command::new("ps").args(["-o", "pid=", "--ppid", &shell]).output().expect("ps runs");
        String::from_utf8_lossy(&children.stdout).trim().to_owned()
    }

    /// Writes a file into the folder that the shell is in.
    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        let file = self.folder.join(name);
        std::fs::write(&file, text).expect("a file can be written");
        file
    }

    /// Types a statement and waits for the prompt behind it.
    #[track_caller]
    pub fn evaluate(&self, number: u32, text: &str) {
        self.prompt(number);
        self.enter(text);
        self.prompt(number + 1);
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
        // A folder that stays is no fault of the shell.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A shell of the usual size, or the end of the test.
#[macro_export]
macro_rules! terminal {
    () => {
        $crate::terminal!(80, 24)
    };
    ($columns:expr, $rows:expr) => {
        $crate::terminal!($columns, $rows, "NO_COLOR=1", "")
    };
    ($columns:expr, $rows:expr, $environment:expr, $arguments:expr) => {
        match $crate::window::Terminal::open($columns, $rows, $environment, $arguments) {
            Some(terminal) => terminal,
            None => return,
        }
    };
}
