"""The places of all files in a course tree. Nothing here reads or writes the disk."""

from dataclasses import dataclass
from pathlib import Path

from grader.model.types import SuiteKind

DEVICES = ("cpu", "cuda")


@dataclass(frozen=True, slots=True)
class Course:
    """A checkout of the course, or a release of it."""

    root: Path  # absolute

    @property
    def labs(self) -> Path:
        return self.root / "labs"

    @property
    def student(self) -> Path:
        return self.root / "student"

    @property
    def reference(self) -> Path:
        return self.root / "reference"

    @property
    def build(self) -> Path:
        return self.root / "build"

    def workplace(self, name: str) -> Path:
        """The folder for everything that grading one submission leaves, except the outputs of make."""
        return self.build / "grade" / name

    def built(self, device: str, who: str) -> Path:
        """The folder of a submission's .so files."""
        return self.build / device / who

    def runner(self, device: str) -> Path:
        return self.build / device / "runner"

    def suite(self, stem: str, kind: SuiteKind) -> Path:
        """The program of a suite; `stem` is the name of the lab's source file without .cu."""
        return self.build / "bin" / f"check_{stem}{'_hidden' if kind is SuiteKind.HIDDEN else ''}"

    def race(self, device: str) -> Path:
        """The program that times functions, each in a process of its own."""
        return self.build / device / "race"

    def empty(self, device: str) -> Path:
        """The library whose calls race times as empty ones."""
        return self.build / device / "parts" / "empty.so"

    def hidden_source(self, stem: str) -> Path:
        return self.reference / f"check_{stem}_hidden.c"

    def relative(self, path: Path) -> str:
        """The path relative to the course's root, or absolute when it is outside it."""
        return str(path.relative_to(self.root)) if path.is_relative_to(self.root) else str(path)
