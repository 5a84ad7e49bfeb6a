"""Tests of datasets.py and npy.py. Run: python3 -m unittest discover -s datasets"""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import tempfile
import unittest
from pathlib import Path

import depth
import npy

import datasets


def checked(folder: Path) -> tuple[int, str]:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        status = datasets.check(folder)
    return status, printed.getvalue()


class Check(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        for path in [*datasets.HERE.glob("*.npy"), datasets.HERE / "manifest.toml"]:
            shutil.copy(path, self.folder)

    def test_files_of_the_tree_pass(self) -> None:
        status, printed = checked(self.folder)
        self.assertEqual(status, 0, printed)
        self.assertRegex(printed, r"datasets: \d+ passed, 0 failed\n$")

    def test_one_changed_byte_is_reported(self) -> None:
        path = self.folder / "rain.npy"
        raw = bytearray(path.read_bytes())
        raw[-1] ^= 1
        path.write_bytes(raw)
        status, printed = checked(self.folder)
        self.assertEqual(status, 1)
        self.assertIn("FAIL rain.npy: sha256 is", printed)

    def test_missing_file_is_reported(self) -> None:
        (self.folder / "camera.npy").unlink()
        self.assertIn("FAIL camera.npy: the file is missing", checked(self.folder)[1])

    def test_file_without_a_licence_is_reported(self) -> None:
        npy.save(self.folder / "stray.npy", npy.make("int32", (1,), [1]))
        self.assertIn("FAIL stray.npy: not in manifest.toml", checked(self.folder)[1])

    def test_wrong_shape_is_reported(self) -> None:
        manifest = self.folder / "manifest.toml"
        manifest.write_text(manifest.read_text().replace("shape = [3120]", "shape = [3121]"))
        self.assertIn("FAIL sunspots.npy: it holds int32 (3120,), not int32 (3121,)", checked(self.folder)[1])

    def test_entry_without_a_licence_is_refused(self) -> None:
        manifest = self.folder / "manifest.toml"
        manifest.write_text(re.sub(r'licence = "CC0 1.0"', 'licence = ""', manifest.read_text()))
        with self.assertRaisesRegex(ValueError, r"A photographer.*\['licence'\]"):
            datasets.check(self.folder)


class Generate(unittest.TestCase):
    def made(self, seed: int) -> dict[str, bytes]:
        with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(io.StringIO()):
            datasets.generate(Path(name), seed)
            return {path.name: path.read_bytes() for path in Path(name).iterdir()}

    def test_same_seed_gives_the_same_bytes_and_another_seed_others(self) -> None:
        first, again, other = self.made(1), self.made(1), self.made(2)
        self.assertEqual(first, again)
        self.assertNotEqual(first["keys_uniform.npy"], other["keys_uniform.npy"])
        self.assertEqual(first["depth_map.npy"], other["depth_map.npy"])

    def test_contents_are_what_their_names_say(self) -> None:
        made = {name: npy.decode(raw).values() for name, raw in self.made(3).items()}
        self.assertEqual(made["keys_ascending.npy"], sorted(made["keys_ascending.npy"]))
        self.assertEqual(made["keys_descending.npy"], sorted(made["keys_descending.npy"], reverse=True))
        self.assertNotEqual(made["keys_almost_sorted.npy"], sorted(made["keys_almost_sorted.npy"]))
        self.assertLessEqual(len(set(made["keys_few.npy"])), 16)
        kept = sum(value != 0 for value in made["records_sparse.npy"]) / datasets.KEYS
        self.assertAlmostEqual(kept, 0.1, delta=0.01)
        self.assertLess(min(made["keys_signed_floats.npy"]), 0)
        self.assertGreater(min(made["depth_map.npy"]), 0)


class Depths(unittest.TestCase):
    def test_the_file_is_what_depth_py_draws(self) -> None:
        photograph = npy.load(datasets.HERE / "camera.npy")
        stored = npy.load(datasets.HERE / "camera_depth.npy")
        self.assertEqual(stored.shape, photograph.shape)
        grays, columns = photograph.values(), photograph.shape[1]
        for row in range(0, photograph.shape[0], 17):
            drawn = [depth.depth_at(row, x, grays[row * columns + x]) for x in range(columns)]
            self.assertEqual(list(stored.data[row * columns : (row + 1) * columns]), drawn, f"row {row}")


class Format(unittest.TestCase):
    def test_what_is_encoded_is_decoded(self) -> None:
        ends: dict[str, list[float]] = {
            "uint8": [0, 255],
            "int32": [-5, 7],
            "uint32": [0, 2**32 - 1],
            "uint64": [0, 2**64 - 1],
            "float32": [0.5, -2.0],
        }
        for dtype, values in ends.items():
            content = npy.make(dtype, (1, 2), values)
            again = npy.decode(npy.encode(content))
            self.assertEqual(again, content)
            self.assertEqual(again.values(), values)

    def test_data_begins_at_a_multiple_of_64(self) -> None:
        for shape in ((1,), (2, 3), (1, 1, 1, 1, 1, 1, 1, 1)):
            content = npy.make("uint8", shape, bytes(6 if shape == (2, 3) else 1))
            self.assertEqual((len(npy.encode(content)) - len(content.data)) % 64, 0)

    def test_other_files_are_refused(self) -> None:
        for raw in [b"", b"\x93NUMPY\x02\x00" + b"x" * 80, npy.encode(npy.make("int32", (2,), [1, 2]))[:-1]]:
            with self.assertRaises(ValueError):
                npy.decode(raw)


if __name__ == "__main__":
    unittest.main()
