"""An Orma plugin: multiplies the score by a bonus that halves with age."""

import orma_plugin

MAX = 3.4028235e38  # the largest float32


class MyRanker:
    manifest = {
        "name": "my_ranker",
        "version": "0.1.0",
        "contract": "rank",
        "summary": "Multiply the score by a bonus that halves with age",
        "doc": "A memory of age a days gets score * (1 + weight * 2^(-a / half_life_days)).",
        "columns": [
            {"name": "score", "kind": "f32", "read": True, "write": True},
            {"name": "age_days", "kind": "f32", "read": True},
        ],
        "params": [
            {"name": "weight", "kind": "number", "doc": "bonus of a brand new memory", "default": 0.3, "min": 0, "max": 10, "neutral": 0},
            {"name": "half_life_days", "kind": "number", "doc": "age at which the bonus has halved", "default": 30, "min": 0.01, "max": 100000},
        ],
    }

    def configure(self, params):
        self.weight, self.half_life = params["weight"], params["half_life_days"]

    def rank(self, frame):
        score, age = frame.f32("score"), frame.f32("age_days")
        for row in range(frame.rows):
            days = max(age[row], 0)  # below 0 is the future
            score[row] = min(score[row] * (1 + self.weight * 2 ** (-days / self.half_life)), MAX)


if __name__ == "__main__":
    orma_plugin.serve(MyRanker())
