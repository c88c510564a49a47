use std::task::Waker;

use super::queue::{Look, Queue, Reader};

fn look(reader: &mut Reader, queue: &Queue<i32, ()>, wanted: i32) -> Option<i32> {
    match reader.look(queue, |message| (*message == wanted).then_some(*message), Some(Waker::noop())) {
        Look::Taken(number) => Some(number),
        Look::Nothing | Look::Closed => None,
    }
}

/// A reader that has passed messages which are then removed must still see what comes after them.
#[test]
fn what_is_removed_hides_nothing_from_those_who_have_passed_it() {
    let queue = Queue::<i32, ()>::new();
    let mut reader = Reader::default();
    queue.hand_over([1, 2, 3].into_iter()).into_iter().for_each(Waker::wake);
    assert_eq!(look(&mut reader, &queue, 9), None);
    queue.remove(|message| *message < 3);
    queue.hand_over([9].into_iter()).into_iter().for_each(Waker::wake);
    assert!(reader.has_news(&queue));
    assert_eq!(look(&mut reader, &queue, 9), Some(9));
    assert_eq!(queue.len(), 1);
    reader.leave(&queue);
}

#[test]
fn a_reader_looks_at_each_message_once_or_twice() {
    let queue = Queue::<i32, ()>::new();
    let mut looks = 0;
    let mut reader = Reader::default();
    for number in 0..1000 {
        queue.hand_over([number].into_iter()).into_iter().for_each(Waker::wake);
        let seen = reader.look(
            &queue,
            |_| {
                looks += 1;
                None::<()>
            },
            Some(Waker::noop()),
        );
        assert!(matches!(seen, Look::Nothing));
    }
    assert_eq!(looks, 1000);
    reader.leave(&queue);
}
