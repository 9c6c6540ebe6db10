"""Definitions and example sentences of WordNet."""

import os
import random
import re

EXAMPLE = re.compile(r'"([^"]+)"')


def read(folder, count, seed=1):
    """count texts of at least 3 words, each once, in an order that the seed decides."""
    texts = {}
    for part in ("noun", "verb", "adj", "adv"):
        with open(os.path.join(folder, "data." + part), encoding="utf-8", errors="replace") as f:
            for line in f:
                if line.startswith("  "):  # the licence at the top
                    continue
                gloss = line.partition(" | ")[2].strip()
                definition = EXAMPLE.sub("", gloss).strip(" ;,")
                for text in [definition, *EXAMPLE.findall(gloss)]:
                    if len(text.split()) >= 3:
                        texts[text.strip()] = None
    texts = list(texts)
    random.Random(seed).shuffle(texts)
    return texts[:count]
