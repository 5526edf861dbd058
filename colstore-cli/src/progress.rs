//! What is shown of a long call: a bar on standard error, if that is a terminal.

use std::io::{self, IsTerminal as _};
use std::sync::Arc;

use colstore_core::Progress;
use indicatif::{ProgressBar, ProgressStyle};

use crate::interrupt;

/// The progress of one call. The bar goes when it is dropped.
#[derive(Debug)]
pub(crate) struct Watch {
    progress: Arc<Progress>,
    bar: Option<ProgressBar>,
}

impl Watch {
    /// For a call that does `what`, which Ctrl-C cancels.
    pub(crate) fn start(what: &'static str) -> Watch {
        let bar =
            io::stderr().is_terminal().then(|| ProgressBar::new(0).with_style(style()).with_message(what));
        let shown = bar.clone();
        let progress = Arc::new(Progress::with_callback(move |done, total| {
            if let Some(bar) = &shown {
                bar.set_length(total);
                bar.set_position(done);
            }
        }));
        interrupt::cancels(&progress);
        Watch { progress, bar }
    }

    /// For the options of the call.
    pub(crate) fn progress(&self) -> &Progress {
        &self.progress
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn style() -> ProgressStyle {
    let template =
        "{msg} [{bar:40}] {decimal_bytes}/{decimal_total_bytes}, {decimal_bytes_per_sec}, {eta} left";
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ")
}
