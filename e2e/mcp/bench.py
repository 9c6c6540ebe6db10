"""Measures orma mcp as a client sees it, over 10,000 notes.

usage: bench.py ORMA

Prints the time from the start of a process to its first recall, and the times of
recalls, each with the processor time it took: on a busy machine that is what compares.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time

NOTES, STARTS, RECALLS = 10_000, 11, 300
WHO = ["Ines", "Ravi", "Mina", "Otto", "Greta", "Salma", "Nadia", "Perle", "Mirko", "Zoltan"]
WHAT = ["moved the crane", "signed the papers", "checked the tide table", "painted the hull", "ordered rope",
        "called the pilot", "closed the quay", "filed the report", "fixed the lamp", "counted crates"]
WHERE = ["in Basel", "in Bergen", "at the north pier", "in Oslo", "at the fuel dock", "in Brest", "at the yard"]


class Server:
    def __init__(self, orma):
        self.process = subprocess.Popen([orma, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.count = 0
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.count += 1
        self.send({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params})
        return json.loads(self.process.stdout.readline())

    def recall(self, query):
        begun = time.perf_counter()
        answer = self.ask("tools/call", {"name": "orma_recall", "arguments": {"query": query}})
        assert not answer["result"].get("isError"), answer
        return 1000 * (time.perf_counter() - begun)

    def end(self):
        """Ends the server and returns its processor time in ms."""
        self.process.stdin.close()
        _, status, used = os.wait4(self.process.pid, 0)
        self.process.returncode = status
        return 1000 * (used.ru_utime + used.ru_stime)


def at(times, part):
    return sorted(times)[min(len(times) - 1, int(part * len(times)))]


def main(orma):
    chance = random.Random(5)
    with tempfile.TemporaryDirectory() as home:
        os.environ["ORMA_HOME"] = home
        path = os.path.join(home, "notes.jsonl")
        with open(path, "w") as out:
            for i in range(NOTES):
                text = f"{chance.choice(WHO)} {chance.choice(WHAT)} {chance.choice(WHERE)}, note {i} of batch {i % 97}."
                out.write(json.dumps({"id": f"n{i}", "at": f"2026-0{1 + i % 9}-{1 + i % 28:02d}T10:00:00Z", "text": text}) + "\n")
        subprocess.run([orma, "import", path], check=True, capture_output=True)
        subprocess.run([orma, "recall", "crates"], check=True, capture_output=True)  # keeps the index

        first, cpu = [], []
        for _ in range(STARTS):
            begun = time.perf_counter()
            server = Server(orma)
            server.recall("Who painted the hull in Bergen?")
            first.append(1000 * (time.perf_counter() - begun))
            cpu.append(server.end())
        print(f"start to first recall: min {min(first):.0f} ms, p50 {at(first, .5):.0f} ms; processor p50 {at(cpu, .5):.0f} ms, with the end")

        server = Server(orma)
        server.recall("crates")
        times = [server.recall(f"When was it that {chance.choice(WHO)} {chance.choice(WHAT)} in batch {chance.randrange(97)}?") for _ in range(RECALLS)]
        used = server.end()
        print(f"recall: p50 {at(times, .5):.1f} ms, p95 {at(times, .95):.1f} ms, p99 {at(times, .99):.1f} ms; processor {used / RECALLS:.1f} ms each, with the start")


main(sys.argv[1])
