//! Which addresses of a network may be reached.
//!
//! A grant is a *place* and some ports, for one direction. A place is a block of addresses, or a name that programs may use for
//! whatever addresses it has at the time: whoever answers for the name is trusted with that. The two do not mix: an address
//! is not looked up to see whether it has a name that is granted, and a name that is not granted is not even resolved, since
//! the question alone tells a server something. Addresses of IPv4 written as those of IPv6 (`::ffff:10.0.0.1`) are what they mean.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::ops::{Bound, RangeBounds, RangeInclusive};

/// Who begins.
///
/// ```
/// use erlet::limits::Direction;
/// assert_ne!(Direction::Connect, Direction::Listen);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The program connects to the address, or sends to it.
    Connect,
    /// The program has the address itself, and others connect or send to it.
    Listen,
}

/// All grants. None is no network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Network(Vec<Grant>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Grant {
    direction: Direction,
    place: Place,
    ports: RangeInclusive<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Anywhere,
    /// In lower case, without a final dot.
    Host(String),
    /// Addresses whose first bits are these.
    Block(IpAddr, u8),
}

impl Network {
    /// Everything.
    pub fn all() -> Network {
        let anywhere = |direction| Grant { direction, place: Place::Anywhere, ports: 0..=u16::MAX };
        Network(vec![anywhere(Direction::Connect), anywhere(Direction::Listen)])
    }

    /// Nothing.
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a grant; what is no place, or no port, adds nothing.
    pub fn grant(&mut self, direction: Direction, place: &str, ports: impl RangeBounds<u16>) {
        if let (Some(place), Some(ports)) = (Place::read(place), inclusive(&ports)) {
            self.0.push(Grant { direction, place, ports });
        }
    }

    /// What both grant.
    pub fn narrowed(&self, other: &Network) -> Network {
        let mut both = Vec::new();
        for ours in &self.0 {
            for theirs in &other.0 {
                if let Some(grant) = ours.narrowed(theirs)
                    && !both.contains(&grant)
                {
                    both.push(grant);
                }
            }
        }
        Network(both)
    }

    /// Whether an address may be used.
    pub fn has_address(&self, address: SocketAddr, direction: Direction) -> bool {
        let ip = address.ip().to_canonical();
        self.grants(address.port(), direction).any(|place| match place {
            Place::Anywhere => true,
            Place::Host(_) => false,
            Place::Block(block, bits) => first_bits(ip, *bits) == Some(*block),
        })
    }

    /// The addresses to use for a host, given as a name or as an address.
    ///
    /// # Errors
    /// `PermissionDenied`; what the system says of a name that is granted.
    pub fn addresses(&self, host: &str, port: u16, direction: Direction) -> io::Result<Vec<SocketAddr>> {
        let denied = || io::Error::from(io::ErrorKind::PermissionDenied);
        if let Some(ip) = address(host) {
            let address = SocketAddr::new(ip, port);
            return if self.has_address(address, direction) { Ok(vec![address]) } else { Err(denied()) };
        }
        let name = name(host).ok_or_else(denied)?;
        let is_granted = self.grants(port, direction).any(|place| match place {
            Place::Anywhere => true,
            Place::Host(granted) => *granted == name,
            Place::Block(..) => false,
        });
        if !is_granted {
            return Err(denied());
        }
        Ok((name.as_str(), port).to_socket_addrs()?.collect())
    }

    fn grants(&self, port: u16, direction: Direction) -> impl Iterator<Item = &Place> {
        let fits = move |grant: &&Grant| grant.direction == direction && grant.ports.contains(&port);
        self.0.iter().filter(fits).map(|grant| &grant.place)
    }
}

impl Grant {
    fn narrowed(&self, other: &Grant) -> Option<Grant> {
        let ports = *self.ports.start().max(other.ports.start())..=*self.ports.end().min(other.ports.end());
        if self.direction != other.direction || ports.is_empty() {
            return None;
        }
        Some(Grant { direction: self.direction, place: self.place.narrowed(&other.place)?, ports })
    }
}

impl Place {
    /// A name, an address, `Address/Bits`, or `*` for everything.
    fn read(text: &str) -> Option<Place> {
        if text == "*" {
            return Some(Place::Anywhere);
        }
        if let Some((ip, bits)) = text.split_once('/') {
            let (ip, bits) = (ip.parse::<IpAddr>().ok()?, bits.parse::<u8>().ok()?);
            return match (ip, ip.to_canonical()) {
                (IpAddr::V6(_), IpAddr::V4(ip)) => Place::block(IpAddr::V4(ip), bits.checked_sub(96)?),
                (ip, _) => Place::block(ip, bits),
            };
        }
        match address(text) {
            Some(ip) => Place::block(ip.to_canonical(), if ip.to_canonical().is_ipv4() { 32 } else { 128 }),
            None => Some(Place::Host(name(text)?)),
        }
    }

    fn block(ip: IpAddr, bits: u8) -> Option<Place> {
        Some(Place::Block(first_bits(ip, bits)?, bits))
    }

    fn narrowed(&self, other: &Place) -> Option<Place> {
        match (self, other) {
            (Place::Anywhere, place) | (place, Place::Anywhere) => Some(place.clone()),
            (Place::Block(a, wide), Place::Block(b, narrow)) if wide <= narrow => {
                (first_bits(*b, *wide) == Some(*a)).then(|| other.clone())
            }
            (Place::Block(..), Place::Block(..)) => other.narrowed(self),
            (ours, theirs) => (ours == theirs).then(|| ours.clone()),
        }
    }
}

/// The address with all but its first bits cleared; `None` if it has fewer.
fn first_bits(ip: IpAddr, bits: u8) -> Option<IpAddr> {
    Some(match ip {
        IpAddr::V4(ip) => {
            let mask = u32::MAX.checked_shl(32_u32.checked_sub(u32::from(bits))?).unwrap_or(0);
            IpAddr::V4(Ipv4Addr::from_bits(ip.to_bits() & mask))
        }
        IpAddr::V6(ip) => {
            let mask = u128::MAX.checked_shl(128_u32.checked_sub(u32::from(bits))?).unwrap_or(0);
            IpAddr::V6(Ipv6Addr::from_bits(ip.to_bits() & mask))
        }
    })
}

/// An address, in brackets or not.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    bare.parse().ok()
}

/// A name as names are compared; `None` if it is none.
fn name(text: &str) -> Option<String> {
    let text = text.strip_suffix('.').unwrap_or(text);
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    (!text.is_empty() && text.bytes().all(is_name)).then(|| text.to_ascii_lowercase())
}

fn inclusive(ports: &impl RangeBounds<u16>) -> Option<RangeInclusive<u16>> {
    let first = match ports.start_bound() {
        Bound::Included(first) => *first,
        Bound::Excluded(before) => before.checked_add(1)?,
        Bound::Unbounded => 0,
    };
    let last = match ports.end_bound() {
        Bound::Included(last) => *last,
        Bound::Excluded(after) => after.checked_sub(1)?,
        Bound::Unbounded => u16::MAX,
    };
    (first <= last).then_some(first..=last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(grants: &[(&str, RangeInclusive<u16>)]) -> Network {
        let mut network = Network::default();
        for (place, ports) in grants {
            network.grant(Direction::Connect, place, ports.clone());
        }
        network
    }

    fn reaches(network: &Network, address: &str) -> bool {
        network.has_address(address.parse().unwrap(), Direction::Connect)
    }

    #[test]
    fn blocks_of_addresses_and_ports() {
        let granted =
            network(&[("10.1.2.3/8", 80..=443), ("2001:db8::/32", 443..=443), ("::1", 0..=u16::MAX)]);
        for address in
            ["10.0.0.1:80", "10.255.255.255:443", "[::ffff:10.0.0.1]:80", "[2001:db8::7]:443", "[::1]:9"]
        {
            assert!(reaches(&granted, address), "{address}");
        }
        for address in
            ["11.0.0.1:80", "10.0.0.1:79", "10.0.0.1:444", "[2001:db9::7]:443", "0.0.0.0:80", "[::]:80"]
        {
            assert!(!reaches(&granted, address), "{address}");
        }
        assert!(!granted.has_address("10.0.0.1:80".parse().unwrap(), Direction::Listen));
        assert!(reaches(&network(&[("0.0.0.0/0", 1..=1)]), "1.2.3.4:1"));
        assert!(!reaches(&network(&[("::/0", 1..=1)]), "[::ffff:1.2.3.4]:1"), "an address of IPv4");
        assert!(reaches(&network(&[("::ffff:10.0.0.0/104", 1..=1)]), "10.9.9.9:1"));
    }

    #[test]
    fn what_is_no_place_grants_nothing() {
        for place in [
            "",
            "10.0.0.0/33",
            "10.0.0/8",
            "::/129",
            "a b",
            "http://a",
            "::ffff:10.0.0.0/90",
            "a/8",
            "10.0.0.0/x",
        ] {
            assert!(network(&[(place, 0..=u16::MAX)]).is_none(), "{place}");
        }
        let mut network = Network::default();
        network.grant(Direction::Connect, "*", 5..5);
        assert!(network.is_none());
    }

    #[test]
    fn names_are_used_as_they_are_granted() {
        let granted = network(&[("LocalHost.", 1000..=1001), ("127.0.0.0/8", 80..=80)]);
        let addresses = |host: &str, port| granted.addresses(host, port, Direction::Connect);
        let denied = |host: &str, port| {
            addresses(host, port).is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
        };
        assert!(addresses("localhost", 1000).unwrap().iter().all(|address| address.port() == 1000));
        assert!(denied("localhost", 80), "an address is granted, not the name");
        assert!(denied("127.0.0.1", 1000), "the name is granted, not the address");
        assert_eq!(addresses("127.0.0.1", 80).unwrap(), ["127.0.0.1:80".parse().unwrap()]);
        // What the system would take for an address is a name here.
        assert!(denied("2130706433", 80) && denied("127.1", 80) && denied("0x7f000001", 80));
        assert!(denied("other.example", 1000) && denied("", 80) && denied("a b", 80));
    }

    #[test]
    fn rights_only_narrow() {
        let wide = network(&[("10.0.0.0/8", 1..=100), ("a.example", 5..=5)]);
        let narrow = network(&[("10.5.0.0/16", 50..=200), ("192.168.0.0/16", 1..=100), ("A.example", 1..=9)]);
        let both = network(&[("10.5.0.0/16", 50..=100), ("a.example", 5..=5)]);
        assert_eq!(wide.narrowed(&narrow), both);
        assert_eq!(narrow.narrowed(&wide), both);
        assert_eq!(Network::all().narrowed(&wide), wide);
        assert_eq!(wide.narrowed(&Network::default()), Network::default());
        let mut listening = Network::default();
        listening.grant(Direction::Listen, "*", ..);
        assert!(wide.narrowed(&listening).is_none());
    }
}
