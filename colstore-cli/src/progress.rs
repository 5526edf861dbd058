//! A bar on the terminal for what takes long.

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use colstore_core::Progress;

/// The bar is drawn anew no sooner than this.
const EVERY: Duration = Duration::from_millis(100);

/// A progress that draws a bar called `what` on standard error, if that is a terminal. The bar goes when the work is
/// done.
pub(crate) fn bar(what: &'static str) -> Progress {
    let mut stderr = std::io::stderr();
    if !stderr.is_terminal() {
        return Progress::new();
    }
    let mut last: Option<Instant> = None;
    Progress::with_callback(move |done, total| {
        let is_over = done >= total;
        if !is_over && last.is_some_and(|last| last.elapsed() < EVERY) {
            return;
        }
        // A short call shows none at all.
        if is_over && last.is_none() {
            return;
        }
        last = Some(Instant::now());
        // What cannot be drawn is not missed.
        let _ = match is_over {
            true => write!(stderr, "\r\x1b[K"),
            false => write!(stderr, "\r\x1b[K{}", line(what, done, total)),
        };
        let _ = stderr.flush();
    })
}

fn line(what: &str, done: u64, total: u64) -> String {
    const WIDTH: usize = 30;
    let share = done as f64 / total.max(1) as f64;
    let filled = (share * WIDTH as f64) as usize;
    format!(
        "{what} [{}{}] {:3.0} %",
        "#".repeat(filled),
        " ".repeat(WIDTH.saturating_sub(filled)),
        100.0 * share
    )
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn the_bar_fills_up() {
        assert_eq!(line("verify", 0, 0), format!("verify [{}]   0 %", " ".repeat(30)));
        assert_eq!(line("verify", 5, 10), format!("verify [{}{}]  50 %", "#".repeat(15), " ".repeat(15)));
        assert_eq!(line("verify", 10, 10), format!("verify [{}] 100 %", "#".repeat(30)));
    }
}
