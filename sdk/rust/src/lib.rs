//! Orma's kit for plugins in Rust. A plugin implements [`Ranker`] and hands itself to
//! [`ranker!`]; built for `wasm32-unknown-unknown` as a `cdylib`, it is a module that
//! Orma runs. The guide is docs/plugins/rust.md, the contract docs/plugins/abi.md.
//!
//! The crate has no dependencies and keeps to Rust 1.63.

mod frame;
mod params;

#[doc(hidden)]
pub mod exports;

pub use frame::{Frame, Lists, Texts};
pub use params::Params;

/// A ranking stage.
pub trait Ranker: Sized {
    /// The manifest, as JSON. Columns and parameters are known by their place in it.
    const MANIFEST: &'static str;

    /// Makes the ranker from its parameters, once, before any run. An error's text is
    /// shown to whoever wrote the configuration.
    fn new(params: &Params) -> Result<Self, String>;

    /// Changes the columns that the manifest writes, and the order. It keeps nothing of
    /// the frame.
    fn rank(&mut self, frame: &mut Frame) -> Result<(), String>;
}

/// Makes a type that implements [`Ranker`] the plugin of this module.
#[macro_export]
macro_rules! ranker {
    ($ranker:ty) => {
        static mut ORMA_RANKER: Option<$ranker> = None;

        #[no_mangle]
        pub extern "C" fn orma_abi() -> u32 {
            $crate::exports::ABI
        }
        #[no_mangle]
        pub extern "C" fn orma_manifest() -> u64 {
            $crate::exports::at(<$ranker as $crate::Ranker>::MANIFEST.as_bytes())
        }
        #[no_mangle]
        pub extern "C" fn orma_alloc(n: u32) -> u32 {
            $crate::exports::alloc(n)
        }
        #[no_mangle]
        pub extern "C" fn orma_error(_code: u32) -> u64 {
            $crate::exports::failure()
        }
        #[no_mangle]
        pub extern "C" fn orma_configure(at: u32, n: u32) -> u32 {
            // One thread runs the module, and one call at a time.
            match $crate::exports::configure::<$ranker>(at, n) {
                Ok(r) => unsafe {
                    ORMA_RANKER = Some(r);
                    0
                },
                Err(e) => $crate::exports::fail(e),
            }
        }
        #[no_mangle]
        pub extern "C" fn orma_run(at: u32, n: u32) -> u32 {
            // A pointer, since later compilers warn of references to a static mut.
            let ranker = unsafe { (*core::ptr::addr_of_mut!(ORMA_RANKER)).as_mut() };
            $crate::exports::run(ranker, at, n)
        }
    };
}
