"""An Orma plugin: finds what the user says in the form "my FIELD is VALUE"."""

import orma_plugin


class MyRanker:
    manifest = {
        "name": "my_ranker",
        "version": "0.1.0",
        "contract": "extract",
        "summary": "Find fields of the user, such as a blood type",
        "doc": 'The line "My blood type is A+" becomes the state user, blood_type, A+.',
        "params": [
            {"name": "fields", "kind": "string", "doc": "what to look for, with commas between", "default": "blood type, shoe size"},
        ],
    }

    def configure(self, params):
        self.fields = [f.strip().lower() for f in params["fields"].split(",")]

    def extract(self, lines):
        # Each item cites the line that says it.
        for line in lines:
            field, _, value = line.text.strip().partition(" is ")
            my, _, field = field.lower().partition(" ")
            value = value.strip(" .")
            if line.citable and line.own and my == "my" and value and field in self.fields:
                yield orma_plugin.Item(subject="user", attribute=field.replace(" ", "_"), value=value, cites=[line.n])


if __name__ == "__main__":
    orma_plugin.serve(MyRanker())
