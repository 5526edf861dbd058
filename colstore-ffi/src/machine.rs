//! What the machine has to read with.

use std::mem;

use crate::error::{Error, ErrorOut};
use crate::guard::guard;
use crate::status::Status;
use crate::versioned::{OutStruct, Versioned};

/// The processors and memory that this process may use. Every number is at least 1.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MachineInfo {
    /// `sizeof(colstore_machine_info)`, set by the caller.
    pub size: usize,
    /// Cores, threads of one core counted once.
    pub physical_cores: i32,
    /// Threads that the processors run at once.
    pub logical_cores: i32,
    /// Processor packages.
    pub sockets: i32,
    /// Nodes that memory is on.
    pub numa_nodes: i32,
    /// The most threads that work on one call, unless it or the setting `max_threads` says otherwise.
    pub default_threads: i32,
    /// 0.
    pub reserved: i32,
}

// SAFETY: repr(C), the size first, integers only.
unsafe impl Versioned for MachineInfo {
    const NAME: &'static str = "colstore_machine_info";
    const FIRST_SIZE: usize = mem::offset_of!(MachineInfo, reserved) + size_of::<i32>();
}

/// Says what the machine has, as far as this process may use it (its affinity mask and quotas).
///
/// # Safety
///
/// `out` is NULL or a `colstore_machine_info` with its size set; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_machine(out: *mut MachineInfo, err: *mut *mut Error) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_machine", err, || {
        // SAFETY: NULL, or writable during the call, by the promise of the caller.
        let out = unsafe { OutStruct::new(out, "out") }?;
        let machine = colstore_core::machine();
        let number = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
        out.set(MachineInfo {
            size: size_of::<MachineInfo>(),
            physical_cores: number(machine.physical_cores),
            logical_cores: number(machine.logical_cores),
            sockets: number(machine.sockets),
            numa_nodes: number(machine.numa_nodes),
            default_threads: number(machine.default_threads),
            reserved: 0,
        });
        Ok(())
    })
}
