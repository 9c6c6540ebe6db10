"""The kit for Orma plugins in Python.

A plugin is an object with a ``manifest`` and one method that does the work::

    import orma_plugin

    class Young:
        manifest = {
            "name": "young", "version": "0.1.0", "contract": "rank",
            "summary": "Halve the score with age", "doc": "In words.",
            "columns": [
                {"name": "score", "kind": "f32", "read": True, "write": True},
                {"name": "age_days", "kind": "f32", "read": True},
            ],
            "params": [{"name": "half_life_days", "kind": "number", "doc": "age at which half is left", "default": 30.0}],
        }

        def configure(self, params):
            self.half_life = params["half_life_days"]

        def rank(self, frame):
            score, age = frame.f32("score"), frame.f32("age_days")
            for row in range(frame.rows):
                score[row] *= 0.5 ** (max(age[row], 0) / self.half_life)

    if __name__ == "__main__":
        orma_plugin.serve(Young())

The methods are ``rank(frame)``, ``embed(texts, query)``, ``extract(lines)`` and
``sleep(request)``, for the contract of that name. Calls come one at a time unless the
object has ``concurrent = True``.
"""

from ._block import Frame, Item, Line, Request
from ._serve import Unavailable, serve

__all__ = ["Frame", "Item", "Line", "Request", "Unavailable", "serve"]
