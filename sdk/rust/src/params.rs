/// The values of a plugin's configuration table, by their place in the manifest. A
/// method panics if there is no such parameter.
pub struct Params<'a> {
    b: &'a [u8],
}

const MAGIC: u32 = 0x3150_4d4f;

fn u32_at(b: &[u8], i: usize) -> u32 {
    u32::from_le_bytes([b[i], b[i + 1], b[i + 2], b[i + 3]])
}

impl<'a> Params<'a> {
    /// Opens a block of parameters.
    pub fn open(b: &'a [u8]) -> Result<Params<'a>, String> {
        if b.len() < 8 || u32_at(b, 0) != MAGIC || b.len() < 8 + 8 * u32_at(b, 4) as usize {
            return Err("the block has no parameters".to_string());
        }
        Ok(Params { b })
    }

    /// The bytes of a string or file; empty if the configuration names no file.
    pub fn bytes(&self, i: usize) -> &'a [u8] {
        assert!(i < u32_at(self.b, 4) as usize, "no parameter {}", i);
        let at = u32_at(self.b, 8 + 8 * i) as usize;
        &self.b[at..at + u32_at(self.b, 12 + 8 * i) as usize]
    }

    /// A number.
    pub fn number(&self, i: usize) -> f64 {
        let mut v = [0; 8];
        v.copy_from_slice(self.bytes(i));
        f64::from_le_bytes(v)
    }

    /// A string, or the text of a file. Bytes that are not UTF-8 become U+FFFD.
    pub fn string(&self, i: usize) -> String {
        String::from_utf8_lossy(self.bytes(i)).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_host_writes() {
        let mut b = Vec::new();
        for n in [MAGIC, 2, 24, 8, 32, 2] {
            b.extend_from_slice(&n.to_le_bytes());
        }
        b.extend_from_slice(&0.25f64.to_le_bytes());
        b.extend_from_slice(b"ab");
        let p = Params::open(&b).unwrap();
        assert_eq!((p.number(0), p.string(1).as_str()), (0.25, "ab"));
    }

    #[test]
    fn refuses_other_blocks() {
        assert!(Params::open(b"").is_err());
        assert!(Params::open(&[0; 64]).is_err());
        let mut b = MAGIC.to_le_bytes().to_vec();
        b.extend_from_slice(&9u32.to_le_bytes());
        assert!(Params::open(&b).is_err());
    }
}
