//! What [`ranker!`](crate::ranker) exports.

use crate::{Frame, Params, Ranker};

/// The version of the contract.
pub const ABI: u32 = 1;

static mut ARENA: Vec<u64> = Vec::new();
static mut FAILURE: String = String::new();

/// pointer << 32 | length.
pub fn at(b: &[u8]) -> u64 {
    (b.as_ptr() as usize as u64) << 32 | b.len() as u64
}

/// Returns room for n bytes, which lives until the next call.
pub fn alloc(n: u32) -> u32 {
    // One thread runs the module, and the host holds no pointer across this call.
    unsafe {
        ARENA = vec![0u64; n as usize / 8 + 1];
        (*core::ptr::addr_of_mut!(ARENA)).as_mut_ptr() as usize as u32
    }
}

/// n bytes of the arena.
fn block(p: u32, n: u32) -> &'static mut [u8] {
    unsafe {
        let arena = &mut *core::ptr::addr_of_mut!(ARENA);
        assert!(p as usize == arena.as_ptr() as usize && n as usize <= 8 * arena.len());
        core::slice::from_raw_parts_mut(arena.as_mut_ptr() as *mut u8, n as usize)
    }
}

/// Keeps an error's text.
pub fn fail(text: String) -> u32 {
    unsafe { FAILURE = text };
    1
}

/// The text of the last error.
pub fn failure() -> u64 {
    at(unsafe { (*core::ptr::addr_of!(FAILURE)).as_bytes() })
}

/// Makes a ranker from a block of parameters.
pub fn configure<R: Ranker>(p: u32, n: u32) -> Result<R, String> {
    R::new(&Params::open(block(p, n))?)
}

/// Runs a ranker over a block.
pub fn run<R: Ranker>(ranker: Option<&mut R>, p: u32, n: u32) -> u32 {
    let result = match ranker {
        Some(r) => Frame::open(block(p, n)).and_then(|mut f| r.rank(&mut f)),
        None => Err("orma_run before orma_configure".to_string()),
    };
    match result {
        Ok(()) => 0,
        Err(e) => fail(e),
    }
}
