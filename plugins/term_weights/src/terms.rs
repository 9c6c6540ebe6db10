//! The terms of a file, and the factor of a text.

use std::collections::HashMap;

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

/// Words longer than this are not listed and not compared.
const LONGEST: usize = 64;

pub struct Terms {
    exact: HashMap<Vec<u8>, usize>,
    prefixes: Vec<(Vec<u8>, usize)>,
    factors: Vec<f32>,
    lengths: u128, // bit n: there is an exact term of n bytes
    first: [bool; 256], // bytes that a term begins with
    seen: Vec<u32>, // the text in which each term was seen last
    text: u32,
}

impl Terms {
    /// Reads a file. An error names its line.
    pub fn parse(file: &[u8]) -> Result<Terms, String> {
        let mut t = Terms {
            exact: HashMap::new(),
            prefixes: Vec::new(),
            factors: Vec::new(),
            lengths: 0,
            first: [false; 256],
            seen: Vec::new(),
            text: 0,
        };
        let file = std::str::from_utf8(file).map_err(|_| "the terms are not UTF-8".to_string())?;
        for (n, line) in file.trim_start_matches('\u{feff}').lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            t.add(line).map_err(|e| format!("terms, line {}: {}", n + 1, e))?;
        }
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
        let known = if prefix { self.prefixes.iter().any(|(w, _)| *w == word) } else { self.exact.contains_key(&word) };
        if known {
            return Err(format!("{} is there twice", term));
        }
        self.first[word[0] as usize] = true;
        let i = self.factors.len();
        self.factors.push(factor);
        self.seen.push(0);
        if prefix {
            self.prefixes.push((word, i));
        } else {
            self.lengths |= 1 << word.len();
            self.exact.insert(word, i);
        }
        Ok(())
    }

    pub fn is_empty(&self) -> bool {
        self.factors.is_empty()
    }

    /// The product of the factors of the terms that a text has.
    pub fn factor(&mut self, text: &[u8]) -> f32 {
        self.text = self.text.wrapping_add(1);
        let mut factor = 1.0;
        let mut word = [0u8; LONGEST];
        let mut at = 0;
        while at < text.len() {
            // Skip to the next word, and read it if a term begins like it.
            let first = FOLD[text[at] as usize];
            if first == 0 {
                at += 1;
                continue;
            }
            let start = at;
            if self.first[first as usize] {
                while at < text.len() && FOLD[text[at] as usize] != 0 {
                    if at - start < LONGEST {
                        word[at - start] = FOLD[text[at] as usize];
                    }
                    at += 1;
                }
                factor *= self.word(&word[..(at - start).min(LONGEST)], at - start);
            } else {
                while at < text.len() && FOLD[text[at] as usize] != 0 {
                    at += 1;
                }
            }
        }
        factor
    }

    /// The factor of a word, 1 if the text had its term before.
    fn word(&mut self, word: &[u8], len: usize) -> f32 {
        let mut factor = 1.0;
        if len <= LONGEST && self.lengths >> len & 1 == 1 {
            if let Some(&i) = self.exact.get(word) {
                factor *= Self::once(&mut self.seen, self.text, i, &self.factors);
            }
        }
        for (prefix, i) in &self.prefixes {
            if word.starts_with(prefix) {
                factor *= Self::once(&mut self.seen, self.text, *i, &self.factors);
            }
        }
        factor
    }

    fn once(seen: &mut [u32], text: u32, i: usize, factors: &[f32]) -> f32 {
        if seen[i] == text {
            return 1.0;
        }
        seen[i] = text;
        factors[i]
    }
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
        ] {
            let e = Terms::parse(file.as_bytes()).err().unwrap_or_default();
            assert!(e.contains(want), "{:?} gives {:?}", file, e);
        }
        assert!(Terms::parse(b"\xff").is_err());
        assert!(Terms::parse("\u{feff}a 1\r\n".as_bytes()).is_ok());
    }
}
