"""One process of the benchmark in main.go: usage: client.py PATH, with queries on stdin.

It measures the first search from the import on, the others, and 1,000 turns observed.
"""

import json
import sys
import time

path = sys.argv[1]
job = json.load(sys.stdin)


def ms(since: float) -> float:
    return 1000 * (time.perf_counter() - since)


used = time.process_time()
begun = time.perf_counter()
from orma import Memory  # noqa: E402: what is measured

memory = Memory(path=path)
memory.search(job["queries"][0])
first = ms(begun)
first_cpu = 1000 * (time.process_time() - used)

for query in job["queries"][: job["warm"]]:
    memory.search(query)
used = time.process_time()
later = []
for query in job["queries"]:
    at = time.perf_counter()
    memory.search(query)
    later.append(ms(at))
later_cpu = 1000 * (time.process_time() - used) / max(1, len(later))

used = time.process_time()
begun = time.perf_counter()
for i in range(job["observe"]):
    memory.observe("user", f"Turn {i} of a talk about the tide at the north pier.")
observe = ms(begun)
observe_cpu = 1000 * (time.process_time() - used)
memory.close()
print(json.dumps({"first": first, "first_cpu": first_cpu, "later": later, "later_cpu": later_cpu, "observe": observe, "observe_cpu": observe_cpu}))
