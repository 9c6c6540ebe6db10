//! Re-ranks by the user's own term weights: a row that says "deadline" counts more, one
//! that says "newsletter" less.

mod terms;

use orma::{Frame, Params, Ranker};
use terms::Terms;

struct TermWeights {
    terms: Terms,
    least: f32,
    most: f32,
}

impl Ranker for TermWeights {
    const MANIFEST: &'static str = r#"{
        "name": "term_weights", "version": "1.0.0", "contract": "rank",
        "summary": "Multiply the score by weights of the words that a row says",
        "doc": "The file has a term and a factor a line, such as `deadline 1.5` or `newsletter 0.4`; `#` begins a comment. A term is one word, compared without case; `report*` means all words that begin so. The score is multiplied by the factor of every listed word that the row says, each word once, and by no less than `least` and no more than `most` in all. Without a file nothing changes.",
        "columns": [
            {"name": "score", "kind": "f32", "read": true, "write": true},
            {"name": "text", "kind": "text", "read": true}
        ],
        "params": [
            {"name": "terms", "kind": "file", "doc": "file of terms and factors", "max_bytes": 1048576},
            {"name": "least", "kind": "number", "doc": "smallest factor of a row", "default": 0.25, "min": 0, "max": 1, "neutral": 1},
            {"name": "most", "kind": "number", "doc": "largest factor of a row", "default": 4, "min": 1, "max": 100, "neutral": 1}
        ]
    }"#;

    fn new(p: &Params) -> Result<Self, String> {
        Ok(TermWeights { terms: Terms::parse(p.bytes(0))?, least: p.number(1) as f32, most: p.number(2) as f32 })
    }

    fn rank(&mut self, f: &mut Frame) -> Result<(), String> {
        if self.terms.is_empty() {
            return Ok(());
        }
        let (score, text) = (f.f32_mut(0), f.texts(1));
        for (row, s) in score.iter_mut().enumerate() {
            let factor = self.terms.factor(text.at(row)).max(self.least).min(self.most);
            *s = (*s * factor).min(f32::MAX);
        }
        Ok(())
    }
}

orma::ranker!(TermWeights);
