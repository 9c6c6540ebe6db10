//! Multiplies the score by a bonus that halves with age.

use orma::{Frame, Params, Ranker};

struct MyRanker {
    weight: f64,
    half_life: f64,
}

impl Ranker for MyRanker {
    // Columns and parameters are known by their place in these lists.
    const MANIFEST: &'static str = r#"{
        "name": "my_ranker", "version": "0.1.0", "contract": "rank",
        "summary": "Multiply the score by a bonus that halves with age",
        "doc": "A memory of age a days gets score * (1 + weight * 2^(-a / half_life_days)).",
        "columns": [
            {"name": "score", "kind": "f32", "read": true, "write": true},
            {"name": "age_days", "kind": "f32", "read": true}
        ],
        "params": [
            {"name": "weight", "kind": "number", "doc": "bonus of a brand new memory", "default": 0.3, "min": 0, "max": 10, "neutral": 0},
            {"name": "half_life_days", "kind": "number", "doc": "age at which the bonus has halved", "default": 30, "min": 0.01, "max": 100000}
        ]
    }"#;

    fn new(p: &Params) -> Result<Self, String> {
        Ok(MyRanker { weight: p.number(0), half_life: p.number(1) })
    }

    fn rank(&mut self, f: &mut Frame) -> Result<(), String> {
        let (score, age) = (f.f32_mut(0), f.f32(1));
        for (s, a) in score.iter_mut().zip(age) {
            let days = f64::from(a.max(0.0)); // below 0 is the future
            let v = f64::from(*s) * (1.0 + self.weight * (-days / self.half_life).exp2());
            *s = v.min(f64::from(f32::MAX)) as f32;
        }
        Ok(())
    }
}

orma::ranker!(MyRanker);
