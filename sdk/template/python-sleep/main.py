"""An Orma plugin: finds "my FIELD is VALUE" and "NAME's FIELD is VALUE"."""

import orma_plugin


class MyRanker:
    manifest = {
        "name": "my_ranker",
        "version": "0.1.0",
        "contract": "sleep",
        "summary": "Find fields of the user and of others, such as a blood type",
        "doc": 'The line "Asha\'s blood type is A+" becomes the state Asha, blood_type, A+.',
        "params": [
            {"name": "fields", "kind": "string", "doc": "what to look for, with commas between", "default": "blood type, shoe size"},
        ],
    }

    def configure(self, params):
        self.fields = [f.strip().lower() for f in params["fields"].split(",")]

    def sleep(self, request):
        # One that asks a service raises orma_plugin.Unavailable when that is away: the
        # lines are then read again later.
        known = {name.lower(): name for name in request.names}
        for line in request.lines:
            field, _, value = line.text.strip().partition(" is ")
            owner, _, field = field.partition(" ")
            field, value = field.lower(), value.strip(" .")
            if not line.citable or not value or field not in self.fields:
                continue
            if owner.endswith("'s") and owner != "'s":
                subject = known.get(owner[:-2].lower(), owner[:-2])  # as the space writes it
            elif line.own and owner.lower() == "my":
                subject = "user"
            else:
                continue
            yield orma_plugin.Item(subject=subject, attribute=field.replace(" ", "_"), value=value, cites=[line.n])


if __name__ == "__main__":
    orma_plugin.serve(MyRanker())
