//! Who is tied to a process: links, monitors in both directions, aliases. Touched by the owner alone.
//!
//! **Links and their ids.** Each end keeps an entry. `unlink` sends its id and keeps the entry, as `Unlinking`, until the
//! other end acknowledges that id; meanwhile the entry counts as no link and ignores the other end's exit. Linking again
//! before the acknowledgement makes the entry active with a new id, `since`. An exit through a link carries the newest id its
//! sender had seen: one below `since` speaks of the old link and is ignored, so an old link's exit never reaches a new link.

use super::ties::Ties;
use crate::atom::Atom;
use crate::heap::Fragment;
use crate::term::{Pid, Word};

/// One end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The id of the `unlink` that waits to be acknowledged; `None`: the link is active.
    pub unlinking: Option<u64>,
    /// Exits that have seen only older ids are ignored.
    pub since: u64,
    /// Newest id the other end has sent.
    pub seen: u64,
}

/// What a process monitors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A process, or a native body, by its pid.
    Pid(Pid),
    /// A process that was asked for by name; the pid is who had the name then (`None`: nobody).
    Name(Atom, Option<Pid>),
    /// A port.
    Port(Word),
}

/// When an alias ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AliasMode {
    /// By `unalias/1` alone.
    Explicit,
    /// Also with its monitor, by `demonitor` or `DOWN`.
    Demonitor,
    /// Also with the first message sent to it, which ends the monitor too.
    ReplyDemonitor,
    /// With the first message sent to it (`alias([reply])`).
    Reply,
}

/// A monitor, on the side of the one who monitors.
#[derive(Debug)]
pub struct Monitor {
    /// What is monitored.
    pub target: Target,
    /// What stands in the place of `'DOWN'`, if it was given.
    pub tag: Option<Fragment>,
}

/// A monitor, on the side of the monitored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watcher {
    /// Who monitors.
    pub pid: Pid,
    /// The name it asked by.
    pub name: Option<Atom>,
}

/// The tables; see the module's essay. Ordered, so that exits go out in an order that does not depend on addresses.
#[derive(Debug, Default)]
pub struct Relations {
    /// By the word of the other end.
    pub links: Ties<Link>,
    /// By reference.
    pub monitors: Ties<Monitor>,
    /// By reference.
    pub watchers: Ties<Watcher>,
    /// By reference.
    pub aliases: Ties<AliasMode>,
}

impl Relations {
    /// Number of entries of all tables.
    pub fn entries(&self) -> usize {
        self.links.len() + self.monitors.len() + self.watchers.len() + self.aliases.len()
    }

    /// Pids and ports that are linked, in order.
    pub fn linked(&self) -> impl Iterator<Item = Word> {
        self.links.iter().filter(|(_, link)| link.unlinking.is_none()).map(|(&peer, _)| Word::from_bits(peer))
    }

    /// Whether there is an active link to `peer`.
    pub fn is_linked(&self, peer: Word) -> bool {
        self.links.get(&peer.bits()).is_some_and(|link| link.unlinking.is_none())
    }

    /// The owner links to `peer`: whether a link request with `id` must be sent.
    #[must_use]
    pub fn link(&mut self, peer: Word, id: u64) -> bool {
        let link = self.links.get_or_insert(peer.bits(), Link { unlinking: Some(0), since: 0, seen: 0 });
        if link.unlinking.is_none() {
            return false;
        }
        link.unlinking = None;
        link.since = id;
        true
    }

    /// The owner unlinks from `peer`: whether an unlink with `id` must be sent.
    #[must_use]
    pub fn unlink(&mut self, peer: Word, id: u64) -> bool {
        match self.links.get_mut(&peer.bits()) {
            Some(link) if link.unlinking.is_none() => {
                link.unlinking = Some(id);
                true
            }
            _ => false,
        }
    }

    /// A link request has come.
    pub fn link_came(&mut self, peer: Word, id: u64) {
        // While an unlink of ours is on its way the other end will take its side down: the request changes nothing.
        let link = self.links.get_or_insert(peer.bits(), Link { unlinking: None, since: 0, seen: 0 });
        link.seen = link.seen.max(id);
    }

    /// An unlink has come; it must be acknowledged whatever is known here.
    pub fn unlink_came(&mut self, peer: Word) {
        if self.links.get(&peer.bits()).is_some_and(|link| link.unlinking.is_none()) {
            self.links.remove(&peer.bits());
        }
    }

    /// An acknowledgement has come.
    pub fn unlink_ack_came(&mut self, peer: Word, id: u64) {
        if self.links.get(&peer.bits()).is_some_and(|link| link.unlinking == Some(id)) {
            self.links.remove(&peer.bits());
        }
    }

    /// The other end's exit has come: whether it acts. The link is gone in any case, unless the exit speaks of an older one.
    #[must_use]
    pub fn link_exit_came(&mut self, peer: Word, seen: u64) -> bool {
        match self.links.get(&peer.bits()) {
            None => false,
            Some(link) if seen < link.since => false,
            Some(link) => {
                let acts = link.unlinking.is_none();
                self.links.remove(&peer.bits());
                acts
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEER: Word = Word::small(5);

    #[test]
    fn an_old_links_exit_does_not_reach_a_new_link() {
        let mut mine = Relations::default();
        assert!(mine.link(PEER, 1) && !mine.link(PEER, 2));
        assert!(mine.unlink(PEER, 3) && !mine.unlink(PEER, 4));
        assert!(!mine.is_linked(PEER));
        assert!(mine.link(PEER, 5), "a new link must be asked for");
        assert!(!mine.link_exit_came(PEER, 1), "the peer died before it saw the new request");
        assert!(mine.is_linked(PEER));
        mine.unlink_ack_came(PEER, 3);
        assert!(mine.is_linked(PEER));
        assert!(mine.link_exit_came(PEER, 5), "noproc, the answer to the new request");
        assert!(!mine.is_linked(PEER));
    }

    #[test]
    fn an_exit_after_unlink_is_ignored() {
        let mut mine = Relations::default();
        mine.link_came(PEER, 7);
        assert!(mine.is_linked(PEER) && mine.unlink(PEER, 8));
        assert!(!mine.link_exit_came(PEER, 0));
        assert!(!mine.link_exit_came(PEER, 0));
    }

    #[test]
    fn crossing_requests_end_in_one_state() {
        // A links and unlinks while B's own request is on its way.
        let (mut a, mut b) = (Relations::default(), Relations::default());
        assert!(a.link(PEER, 1) && a.unlink(PEER, 2) && b.link(PEER, 3));
        a.link_came(PEER, 3);
        b.link_came(PEER, 1);
        b.unlink_came(PEER);
        a.unlink_ack_came(PEER, 2);
        assert!(!a.is_linked(PEER) && !b.is_linked(PEER));
        assert!(a.links.is_empty() && b.links.is_empty());
    }
}
