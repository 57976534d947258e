//! Output that accepts items even after its last reader has ended.

use qsdr::{Receiver, Sender};

use crate::hosted::{Item, Items, Span, quantum};

/// Quanta for one of several outputs: those that its readers return or, after the last reader has ended, one that stays
/// here and is overwritten.
#[derive(Debug)]
pub struct Outlet<T: Item> {
    items: usize,
    own: Option<Items<T>>,
    is_read: bool,
}

impl<T: Item> Outlet<T> {
    pub fn new(items: usize) -> Self {
        Self {
            items,
            own: None,
            is_read: true,
        }
    }

    pub fn is_read(&self) -> bool {
        self.is_read
    }

    pub async fn next(&mut self, source: &mut impl Receiver<Items<T>>) -> Items<T> {
        if self.is_read {
            if let Some(quantum) = source.recv().await {
                return quantum;
            }
            self.is_read = false;
        }
        self.own.take().unwrap_or_else(|| quantum(self.items))
    }

    /// Sends the written part of a quantum that `next` returned.
    pub fn pass(&mut self, mut quantum: Items<T>, written: &Span, output: &mut impl Sender<Items<T>>) {
        if !self.is_read {
            self.own = Some(quantum);
        } else if written.is_written() {
            written.cut(&mut quantum);
            output.send(quantum);
        }
    }

    /// Sends a copy of `from` to one branch of a fork.
    pub async fn copy(&mut self, from: &Items<T>, source: &mut impl Receiver<Items<T>>, output: &mut impl Sender<Items<T>>) {
        let mut quantum = self.next(source).await;
        if self.is_read {
            quantum.set_margins(0, self.items - from.len());
            quantum.as_mut_slice().copy_from_slice(from.as_slice());
            output.send(quantum);
        } else {
            self.own = Some(quantum);
        }
    }
}
