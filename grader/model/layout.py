"""Where everything lives in a course tree. Nothing here touches the disk."""

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
        """All that one submission's grading leaves behind, but for what make builds."""
        return self.build / "grade" / name

    def built(self, device: str, who: str) -> Path:
        """The folder of a submission's .so files."""
        return self.build / device / who

    def runner(self, device: str) -> Path:
        return self.build / device / "runner"

    def suite(self, stem: str, kind: SuiteKind) -> Path:
        """The suite's program; stem is the source's name without .cu."""
        return self.build / "bin" / f"check_{stem}{'_hidden' if kind is SuiteKind.HIDDEN else ''}"

    @property
    def bench(self) -> Path:
        """The program that times functions on a GPU."""
        return self.build / "bin" / "bench"

    def hidden_source(self, stem: str) -> Path:
        return self.reference / f"check_{stem}_hidden.c"

    def relative(self, path: Path) -> str:
        """path as a person in the root types it; absolute when it lies elsewhere."""
        return str(path.relative_to(self.root)) if path.is_relative_to(self.root) else str(path)
