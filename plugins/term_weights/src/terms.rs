//! The terms of a file, and the factor of a text.

/// Letters and digits of ASCII, lower case; bytes of other scripts as they are; 0 for
/// what lies between words.
const FOLD: [u8; 256] = {
    let mut t = [0u8; 256];
    let mut c = 0;
    while c < 256 {
        let b = c as u8;
        t[c] = match b {
            b'A'..=b'Z' => b + 32,
            b'a'..=b'z' | b'0'..=b'9' | b'_' | 128..=255 => b,
            _ => 0,
        };
        c += 1;
    }
    t
};

/// Terms longer than this are not taken.
const LONGEST: usize = 64;

/// FNV-1a: a round for each byte of a word, while it is read.
const HASH_START: u32 = 0x811c_9dc5;
const HASH_STEP: u32 = 0x0100_0193;

struct Term {
    word: Vec<u8>, // folded
    hash: u32,
    factor: f32,
    prefix: bool, // all words that begin so
    seen: u32,    // the text in which it was seen last
}

pub struct Terms {
    all: Vec<Term>,
    prefixes: Vec<usize>, // of all
    table: Vec<u32>,      // place in all + 1, by hash; 0 for none
    text: u32,
}

impl Terms {
    /// Reads a file. An error names its line.
    pub fn parse(file: &[u8]) -> Result<Terms, String> {
        let mut t = Terms { all: Vec::new(), prefixes: Vec::new(), table: Vec::new(), text: 0 };
        let file = std::str::from_utf8(file).map_err(|_| "the terms are not UTF-8".to_string())?;
        for (n, line) in file.trim_start_matches('\u{feff}').lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            t.add(line).map_err(|e| format!("terms, line {}: {}", n + 1, e))?;
        }
        t.index()?;
        Ok(t)
    }

    fn add(&mut self, line: &str) -> Result<(), String> {
        let mut parts = line.split_whitespace();
        let (term, factor) = match (parts.next(), parts.next(), parts.next()) {
            (Some(t), Some(f), None) => (t, f),
            _ => return Err("want a term and a factor, such as deadline 1.5".to_string()),
        };
        let factor = match factor.parse::<f32>() {
            Ok(f) if (0.0..=1000.0).contains(&f) => f, // NaN is in no range
            _ => return Err(format!("{} is no factor from 0 to 1000", factor)),
        };
        let prefix = term.ends_with('*');
        let word: Vec<u8> = term.trim_end_matches('*').bytes().map(|b| FOLD[b as usize]).collect();
        if word.is_empty() || word.len() > LONGEST || word.contains(&0) {
            return Err(format!("{} is not one word of at most {} bytes", term, LONGEST));
        }
        let hash = word.iter().fold(HASH_START, |h, &c| (h ^ u32::from(c)).wrapping_mul(HASH_STEP));
        self.all.push(Term { word, hash, factor, prefix, seen: 0 });
        Ok(())
    }

    /// Fills the table: half of its places stay empty, so that few are looked at.
    fn index(&mut self) -> Result<(), String> {
        self.table = vec![0; (2 * self.all.len()).next_power_of_two().max(2)];
        for i in 0..self.all.len() {
            let t = &self.all[i];
            if t.prefix {
                if self.prefixes.iter().any(|&j| self.all[j].word == t.word) {
                    return Err(format!("{}* is there twice", String::from_utf8_lossy(&t.word)));
                }
                self.prefixes.push(i);
                continue;
            }
            let mut at = t.hash as usize & (self.table.len() - 1);
            while self.table[at] != 0 {
                if self.all[self.table[at] as usize - 1].word == t.word {
                    return Err(format!("{} is there twice", String::from_utf8_lossy(&t.word)));
                }
                at = (at + 1) & (self.table.len() - 1);
            }
            self.table[at] = i as u32 + 1;
        }
        Ok(())
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The product of the factors of the terms that a text has.
    pub fn factor(&mut self, text: &[u8]) -> f32 {
        self.text = self.text.wrapping_add(1);
        let (mut factor, mut hash, mut start) = (1.0, HASH_START, 0);
        for (at, &b) in text.iter().enumerate() {
            let c = FOLD[b as usize];
            if c != 0 {
                hash = (hash ^ u32::from(c)).wrapping_mul(HASH_STEP);
                continue;
            }
            if at > start {
                factor *= self.word(&text[start..at], hash);
            }
            hash = HASH_START;
            start = at + 1;
        }
        if text.len() > start {
            factor *= self.word(&text[start..], hash);
        }
        factor
    }

    /// The factor of a word, less that of terms which the text had before.
    fn word(&mut self, word: &[u8], hash: u32) -> f32 {
        let mut factor = 1.0;
        let mut at = hash as usize & (self.table.len() - 1);
        while self.table[at] != 0 {
            let t = &mut self.all[self.table[at] as usize - 1];
            if t.hash == hash && same(&t.word, word) {
                factor *= t.once(self.text);
                break;
            }
            at = (at + 1) & (self.table.len() - 1);
        }
        for &i in &self.prefixes {
            let t = &mut self.all[i];
            if word.len() >= t.word.len() && same(&t.word, &word[..t.word.len()]) {
                factor *= t.once(self.text);
            }
        }
        factor
    }
}

impl Term {
    fn once(&mut self, text: u32) -> f32 {
        if self.seen == text {
            return 1.0;
        }
        self.seen = text;
        self.factor
    }
}

/// Whether a word of a text is a folded one.
fn same(folded: &[u8], word: &[u8]) -> bool {
    folded.len() == word.len() && folded.iter().zip(word).all(|(&f, &w)| f == FOLD[w as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factor(terms: &str, text: &str) -> f32 {
        Terms::parse(terms.as_bytes()).unwrap().factor(text.as_bytes())
    }

    #[test]
    fn multiplies_the_factors_of_words() {
        let terms = "# mine\ndeadline 2\nnewsletter\t0.5\nreport* 3\ncafé 5\n";
        for (text, want) in [
            ("", 1.0),
            ("nothing of that", 1.0),
            ("The Deadline is near", 2.0),
            ("deadline, DEADLINE and deadline", 2.0),
            ("deadline newsletter", 1.0),
            ("deadlines", 1.0),
            ("a report and two reports", 3.0),
            ("(reporting)", 3.0),
            ("misreport", 1.0),
            ("le café", 5.0),
            ("newsletter", 0.5),
        ] {
            assert_eq!(factor(terms, text), want, "{}", text);
        }
    }

    #[test]
    fn a_term_and_a_prefix_of_it_both_count() {
        assert_eq!(factor("tea 2\nte* 3", "tea"), 6.0);
    }

    #[test]
    fn long_words_match_nothing_but_prefixes() {
        let long = "x".repeat(500);
        assert_eq!(factor("x* 2\nxx 3", &long), 2.0);
    }

    #[test]
    fn many_terms_are_all_found() {
        let file: String = (0..5000).map(|i| format!("term{} 2\n", i)).collect();
        let mut t = Terms::parse(file.as_bytes()).unwrap();
        for i in 0..5000 {
            assert_eq!(t.factor(format!("a TERM{} b", i).as_bytes()), 2.0);
            assert_eq!(t.factor(format!("a term{}x b", i).as_bytes()), 1.0);
        }
    }

    #[test]
    fn refuses_bad_lines_with_their_number() {
        for (file, want) in [
            ("a 1\nb", "line 2"),
            ("a b c", "line 1"),
            ("a nan", "no factor"),
            ("a -1", "no factor"),
            ("a 1e9", "no factor"),
            ("a-b 1", "not one word"),
            ("* 1", "not one word"),
            ("a 1\nA 2", "twice"),
            ("a* 1\nb 1\nA* 2", "a* is there twice"),
        ] {
            let e = Terms::parse(file.as_bytes()).err().unwrap_or_default();
            assert!(e.contains(want), "{:?} gives {:?}", file, e);
        }
        assert!(Terms::parse(b"\xff").is_err());
        assert!(Terms::parse("\u{feff}a 1\r\n".as_bytes()).is_ok());
    }
}
