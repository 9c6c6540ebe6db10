use core::cell::Cell;
use core::marker::PhantomData;
use core::slice;

const MAGIC: u32 = 0x3142_4d4f;
const HEADER: usize = 40;

/// The table of candidates: one row a candidate, one column an attribute. Columns are
/// named by their place in the manifest. Slices are the block itself, so writing to them
/// is the result.
///
/// A column that is being written cannot be taken a second time: the methods panic, as
/// they do for a column that is not there.
pub struct Frame<'a> {
    at: *mut u8,
    len: usize,
    written: Cell<u64>, // columns that were taken to write
    read: Cell<u64>,
    life: PhantomData<&'a mut [u8]>,
}

impl<'a> Frame<'a> {
    /// Opens a block, which starts on a multiple of 8.
    pub fn open(b: &'a mut [u8]) -> Result<Frame<'a>, String> {
        let (at, len) = (b.as_mut_ptr(), b.len());
        let f = Frame { at, len, written: Cell::new(0), read: Cell::new(0), life: PhantomData };
        if at as usize % 8 != 0 || len < HEADER || f.u32_at(0) != MAGIC || f.u32_at(12) > 64 || f.u32_at(16) as usize != len {
            return Err("the block is no frame".to_string());
        }
        Ok(f)
    }

    fn u32_at(&self, i: usize) -> u32 {
        assert!(i + 4 <= self.len);
        unsafe { (self.at.add(i) as *const u32).read_unaligned() }
    }

    /// The number of rows, live or not.
    pub fn rows(&self) -> usize {
        self.u32_at(4) as usize
    }

    /// Offset and bytes of a column, once it was noted who has it.
    fn section(&self, col: usize, write: bool) -> (usize, usize) {
        assert!(col < self.u32_at(12) as usize, "no column {}", col);
        let bit = 1u64 << col;
        assert!(self.written.get() & bit == 0 && (!write || self.read.get() & bit == 0), "column {} is taken", col);
        let taken = if write { &self.written } else { &self.read };
        taken.set(taken.get() | bit);
        let (at, n) = (self.u32_at(HEADER + 8 * col) as usize, self.u32_at(HEADER + 8 * col + 4) as usize);
        assert!(at % 8 == 0 && at + n <= self.len);
        (at, n)
    }

    fn read<T>(&self, col: usize) -> &'a [T] {
        let (at, n) = self.section(col, false);
        unsafe { slice::from_raw_parts(self.at.add(at) as *const T, n / core::mem::size_of::<T>()) }
    }

    fn write<T>(&self, col: usize) -> &'a mut [T] {
        let (at, n) = self.section(col, true);
        unsafe { slice::from_raw_parts_mut(self.at.add(at) as *mut T, n / core::mem::size_of::<T>()) }
    }

    /// A float column, one value a row.
    pub fn f32(&self, col: usize) -> &'a [f32] {
        self.read(col)
    }

    /// A float column to change.
    pub fn f32_mut(&mut self, col: usize) -> &'a mut [f32] {
        self.write(col)
    }

    /// An integer column, one value a row.
    pub fn i64(&self, col: usize) -> &'a [i64] {
        self.read(col)
    }

    /// An integer column to change.
    pub fn i64_mut(&mut self, col: usize) -> &'a mut [i64] {
        self.write(col)
    }

    /// A text column.
    pub fn texts(&self, col: usize) -> Texts<'a> {
        let b: &[u8] = self.read(col);
        let (ends, body) = b.split_at(4 * (self.rows() + 1));
        let ends = unsafe { slice::from_raw_parts(ends.as_ptr() as *const u32, self.rows() + 1) };
        Texts { ends, body }
    }

    /// A list column.
    pub fn lists(&self, col: usize) -> Lists<'a> {
        let words: &[u32] = self.read(col);
        let (ends, body) = words.split_at(self.rows() + 1);
        let values = unsafe { slice::from_raw_parts(body.as_ptr() as *const f32, body.len()) };
        Lists { ends, values }
    }

    /// The live rows, best first. Changing the slice reorders them, which the manifest
    /// must declare.
    pub fn order(&mut self) -> &mut [u32] {
        let (at, n) = (HEADER + 8 * self.u32_at(12) as usize, self.u32_at(8) as usize);
        assert!(at + 4 * n <= self.len);
        unsafe { slice::from_raw_parts_mut(self.at.add(at) as *mut u32, n) }
    }

    /// Drops the live rows for which ok is false. The manifest must declare it.
    pub fn keep(&mut self, mut ok: impl FnMut(usize) -> bool) {
        let order = self.order();
        let mut kept = 0;
        for i in 0..order.len() {
            if ok(order[i] as usize) {
                order[kept] = order[i];
                kept += 1;
            }
        }
        unsafe { (self.at.add(8) as *mut u32).write_unaligned(kept as u32) }
    }

    /// The question, usually UTF-8; empty unless the manifest asks for it.
    pub fn query(&self) -> &[u8] {
        let (at, n) = (self.u32_at(20) as usize, self.u32_at(24) as usize);
        assert!(at + n <= self.len);
        unsafe { slice::from_raw_parts(self.at.add(at), n) }
    }

    /// When it was asked: milliseconds since 1970 in UTC, and the minutes that the
    /// question's zone is ahead of it. 0 unless the manifest asks for the question.
    pub fn now(&self) -> (i64, i32) {
        let ms = u64::from(self.u32_at(32)) | u64::from(self.u32_at(36)) << 32;
        (ms as i64, self.u32_at(28) as i32)
    }
}

/// A text column.
pub struct Texts<'a> {
    ends: &'a [u32],
    body: &'a [u8],
}

impl<'a> Texts<'a> {
    /// The text of a row, usually UTF-8.
    pub fn at(&self, row: usize) -> &'a [u8] {
        &self.body[self.ends[row] as usize..self.ends[row + 1] as usize]
    }
}

/// A list column: any number of values a row. A vector is a list.
pub struct Lists<'a> {
    ends: &'a [u32],
    values: &'a [f32],
}

impl<'a> Lists<'a> {
    /// The list of a row.
    pub fn at(&self, row: usize) -> &'a [f32] {
        &self.values[self.ends[row] as usize..self.ends[row + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two rows: an f32 column, a text column and a list column; the question "why".
    fn sample() -> Vec<u64> {
        let mut b = Vec::new();
        let mut put = |words: &[u32]| {
            for w in words {
                b.extend_from_slice(&w.to_le_bytes());
            }
        };
        put(&[MAGIC, 2, 2, 3, 136, 128, 3, 60, 1000, 0]); // header
        put(&[72, 8, 80, 15, 96, 24]); // directory
        put(&[1, 0]); // order
        put(&[1.5f32.to_bits(), 2.5f32.to_bits()]);
        put(&[0, 2, 3, u32::from_le_bytes(*b"abc\0")]);
        put(&[0, 1, 3, 7f32.to_bits(), 8f32.to_bits(), 9f32.to_bits(), 0, 0]);
        put(&[u32::from_le_bytes(*b"why\0"), 0]);
        b.chunks(8).map(|c| u64::from_le_bytes([c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]])).collect()
    }

    fn bytes(v: &mut [u64]) -> &mut [u8] {
        unsafe { slice::from_raw_parts_mut(v.as_mut_ptr() as *mut u8, 8 * v.len()) }
    }

    #[test]
    fn reads_and_writes_columns() {
        let mut v = sample();
        let mut f = Frame::open(bytes(&mut v)).unwrap();
        assert_eq!((f.rows(), f.query(), f.now()), (2, &b"why"[..], (1000, 60)));
        assert_eq!((f.texts(1).at(0), f.texts(1).at(1)), (&b"ab"[..], &b"c"[..]));
        assert_eq!((f.lists(2).at(0), f.lists(2).at(1)), (&[7.0][..], &[8.0, 9.0][..]));
        f.f32_mut(0)[1] = 4.0;
        f.order().swap(0, 1);
        f.keep(|row| row == 1);
        assert_eq!(f.order(), &[1]);
        drop(f);
        let f = Frame::open(bytes(&mut v)).unwrap();
        assert_eq!(f.f32(0), &[1.5, 4.0]);
    }

    #[test]
    #[should_panic(expected = "taken")]
    fn lends_a_column_once() {
        let mut v = sample();
        let mut f = Frame::open(bytes(&mut v)).unwrap();
        let _a = f.f32_mut(0);
        let _b = f.f32(0);
    }

    #[test]
    fn refuses_other_blocks() {
        let mut v = sample();
        v[0] = 1;
        assert!(Frame::open(bytes(&mut v)).is_err());
        assert!(Frame::open(&mut []).is_err());
    }
}
