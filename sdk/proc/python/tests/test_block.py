"""Tests of blocks. They need the standard library only."""

import importlib.util
import pathlib
import struct
import sys
import unittest

_file = pathlib.Path(__file__).parent.parent / "orma_plugin" / "_block.py"
_spec = importlib.util.spec_from_file_location("_block", _file)
block = importlib.util.module_from_spec(_spec)
sys.modules["_block"] = block  # dataclasses look their module up
_spec.loader.exec_module(block)


def table():
    """Three rows: scores, and texts."""
    scores = struct.pack("<3f", 1, 2, 3)
    return bytearray(block._lay_out(3, [scores, block._texts(["tea", "", "\u00e9"])]))


COLUMNS = [("score", "f32"), ("text", "text")]


class Frames(unittest.TestCase):
    def test_reads_and_writes(self):
        data = table()
        frame = block.Frame(data, COLUMNS)
        self.assertEqual((frame.rows, frame.texts("text"), frame.order), (3, ["tea", "", "\u00e9"], [0, 1, 2]))
        frame.f32("score")[1] = 0.5
        frame.keep(lambda row: row != 0)
        again = block.Frame(data, COLUMNS)
        self.assertEqual((list(again.f32("score")), again.order), ([1, 0.5, 3], [1, 2]))
        with self.assertRaises(block.BlockError):
            again.order = [0, 1, 2]
        with self.assertRaises(KeyError):
            again.i64("score")

    def test_refuses(self):
        for data in (b"", b"x" * 40, bytes(table())[:-8], bytes(table()) + bytes(8)):
            with self.assertRaises(block.BlockError):
                block.Frame(bytearray(data), COLUMNS)
        with self.assertRaises(block.BlockError):
            block.Frame(table(), COLUMNS[:1])

    def test_every_byte_counts(self):
        """No damaged block makes anything worse than an exception."""
        good = table()
        for i in range(len(good)):
            data = bytearray(good)
            data[i] ^= 0xFF
            try:
                frame = block.Frame(data, COLUMNS)
                list(frame.f32("score")), frame.texts("text"), frame.order
            except (ValueError, TypeError, IndexError, struct.error):
                pass


class Lines(unittest.TestCase):
    def test_request(self):
        def numbers(*values):
            return struct.pack(f"<{len(values)}q", *values)

        rows = [0, 1, -1, -2, -3]
        data = block._lay_out(5, [
            numbers(*rows), block._texts(["before", "I live in Pune", "Asha", "city", "user"]), block._texts(["a", "user", "", "", ""]),
            numbers(1, 0, 0, 0, 0), numbers(0, 0, 0, 0, 0), block._texts(["2026-04-20"] * 2 + [""] * 3), numbers(0, 1, 0, 0, 0),
        ])
        request = block.read_request(bytearray(data))
        self.assertEqual([(line.n, line.citable, line.own) for line in request.lines], [(0, False, False), (1, True, True)])
        self.assertEqual((request.names, request.attributes, request.states), (["Asha"], ["city"], ["user"]))

    def test_items(self):
        self.assertEqual(block.write_items([]), b"")
        data = block.write_items([
            block.Item("user", "Pune", [1], attribute="city"), block.Item("Asha", "sang", [2, 3], event=True, lift=True),
        ])
        frame = block.Frame(bytearray(data), block.ITEMS)
        self.assertEqual(list(frame.i64("flags")), [0, 9])
        self.assertEqual((frame.texts("subject"), frame.texts("value")), (["user", "Asha"], ["Pune", "sang"]))
        self.assertEqual([list(c) for c in frame.lists("cites")], [[1], [2, 3]])


class Params(unittest.TestCase):
    def test_params(self):
        declared = [{"name": "n", "kind": "number"}, {"name": "s", "kind": "string"}, {"name": "f", "kind": "file"}]
        data = struct.pack("<II6I", 0x31504D4F, 3, 32, 8, 40, 2, 48, 1) + struct.pack("<d", 1.5) + b"hi" + bytes(6) + b"\x00"
        self.assertEqual(block.read_params(data, declared), {"n": 1.5, "s": "hi", "f": b"\x00"})
        with self.assertRaises(block.BlockError):
            block.read_params(data, declared[:2])
        with self.assertRaises(block.BlockError):
            block.read_params(b"", declared)


if __name__ == "__main__":
    unittest.main()
