"""Grades a class: every hand-in of a folder, in parallel, never the same file twice. A call that was stopped is
continued by the next one.

1. Read: copy the files of each hand-in to a pristine tree, and compute the key of each lab's verdict.
2. Grade: an executor does the tasks whose keys have no result yet.
3. Write: results.json for each hand-in whose labs are done, and at the end the gradebook.

All state is in files that are replaced as a whole: the results of tasks, stored under their keys, and the seed of the
batch in batch.json.
"""

import json
import random
import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Protocol, TypeVar

from grader.classes.executor import Executor
from grader.classes.fingerprint import course_fingerprints, key_of
from grader.classes.intake import Contents, read_hand_in
from grader.classes.late import Graded, grade_labs
from grader.classes.roster import HandIn, find_hand_ins
from grader.classes.task import Done, Task, cache_path, for_tasks, read_done, work_prefix
from grader.handin.discover import Lab, choose_labs, discover_labs
from grader.handin.submission import Staged, Submission, folder_name, write_tree
from grader.judge.build import Builder
from grader.judge.grade import SEED_LIMIT, Options, decide_sandbox, hold_lock, require_gpu, versions_of
from grader.judge.score import untested_lab
from grader.judge.settings import Settings, read_settings
from grader.model.errors import GraderFault, UsageError, describe_os_error
from grader.model.gradebook import Entry, EntryStatus, Gradebook, LabColumn, PartColumn, write_gradebook
from grader.model.layout import Course
from grader.model.results import to_json, write_atomically
from grader.model.types import LabResult, Results, SandboxInfo, Status, SubmissionInfo
from grader.walls.room import with_room

STATE_NAME = "batch.json"
_STATE_VERSION = 1
_T = TypeVar("_T")
_READERS = 4  # number of hand-ins that are read at the same time


class BatchProgress(Protocol):
    """Receives the events of a batch while it runs. The methods are called from one thread."""

    def say(self, text: str) -> None:
        """Reports a step before the first hand-in."""

    def begin(self, total: int, done: int, tasks: int) -> None:
        """Gets the numbers of all hand-ins, of finished hand-ins, and of tasks to do."""

    def task_started(self, key: str, label: str) -> None:
        """A task has begun."""

    def task_progress(self, key: str, text: str) -> None:
        """Reports the progress of a task."""

    def task_ended(self, key: str) -> None:
        """A task has ended."""

    def finished(self, name: str, status: EntryStatus, text: str) -> None:
        """The results of all labs of a hand-in are known."""

    def tick(self) -> None:
        """Called several times a second."""


@dataclass(frozen=True, slots=True)
class BatchResult:
    """The result of a batch."""

    gradebook: Gradebook
    folder: Path
    graded: int  # number of tasks that this call did
    known: int  # number of verdicts that existed before
    sandbox: SandboxInfo


@dataclass(slots=True)
class _Member:
    """A hand-in while its batch runs. It keeps no source and no messages of tests, so that the memory does not grow
    with the batch."""

    hand_in: HandIn
    files: tuple[str, ...]
    info: SubmissionInfo
    digest: str
    message: str
    unusable: bool
    keys: dict[int, str]  # lab number -> key, for labs that have to be graded
    known: dict[int, LabResult]  # lab number -> result, for labs without a file
    waiting: set[str] = field(default_factory=set)  # keys that have no result yet
    graded: Graded | None = None
    faulty: bool = False


class Batch:
    """One call of the grader for one folder of hand-ins."""

    def __init__(self, course: Course, folder: Path, options: Options, again: bool, progress: BatchProgress) -> None:
        """options.submission is not used. again: grade known verdicts again, with the recorded seed. UsageError when
        the folder, the options or course.toml are wrong."""
        self._course, self._options, self._progress = course, options, progress
        every = discover_labs(course)
        self.settings: Settings = read_settings(course, every)
        labs = choose_labs(self.settings.choose(every), options.labs)
        self._labs = tuple(lab.judged_on(options.device) for lab in labs)
        self._sources = [lab.source for lab in every]
        self._hand_ins = find_hand_ins(folder, self._sources)
        self.name = folder_name(options.name or folder.resolve().name)
        self.folder = course.build / "class" / self.name
        self._again = again
        self._from = folder
        self._members: dict[str, _Member] = {}
        self._by_key: dict[str, list[str]] = {}  # key -> names of the hand-ins that wait for it
        self._faults: dict[str, Done] = {}
        self._seed = 0
        self._round = 1
        self._known = self._done = 0
        self._stop = threading.Event()
        if options.device == "cuda":
            require_gpu()

    def run(self, executor: Executor, stop: threading.Event) -> BatchResult:
        """Grades what has no verdict yet. After KeyboardInterrupt, and after a GraderFault that ends the batch, the
        gradebook is still written, and the next call continues."""
        self._stop = stop
        with hold_lock(self.folder / "lock", self.name):
            self._sweep()
            self._read_state()
            self._sandbox = self._decide_sandbox()
            self._progress.say("building the suites")
            with hold_lock(self._course.build / "grade" / ".trusted.lock", None):
                Builder(
                    self._course, self._options.device, self.folder / "log", self._options.jobs, stop
                ).build_trusted()
            self._versions = versions_of(self._course, self._options.device)
            self._prints = course_fingerprints(self._course, self._labs, self._versions)
            self._read_all()
            tasks = list(self._tasks())
            done = sum(not member.waiting for member in self._members.values())
            self._progress.begin(len(self._members), done, len(tasks))
            for name in self._members:
                self._complete(name, quiet=True)
            try:
                executor.run(self._course, tasks, self, stop)
                self._write_state(finished=True)
            finally:
                gradebook = self._gradebook()
                self._with_room(lambda: write_gradebook(self.folder, gradebook))
            return BatchResult(gradebook, self.folder, self._done, self._known, self._sandbox)

    # ---- state ---------------------------------------------------------------------------------------------

    def _sweep(self) -> None:
        """Removes what a killed call left behind."""
        prefix = work_prefix(self.name)
        for folder in (self._course.build / "grade", self._course.build / self._options.device):
            for path in (*folder.glob(f"{prefix}*"), *folder.glob(f"grade-{prefix}*")):
                shutil.rmtree(path, ignore_errors=True)

    def _read_state(self) -> None:
        """Sets the seed and the round of the batch: the recorded ones, unless the command line gives another seed."""
        state = self._recorded()
        if state is None and self._again:
            raise UsageError(
                f"{self.name} was never graded, so no seed is recorded\n    try: make grade SUBMISSIONS=..."
            )
        recorded = state or {"seed": random.SystemRandom().randrange(1, SEED_LIMIT), "round": 1, "finished": True}
        asked = self._options.seed
        fresh = random.SystemRandom().randrange(1, SEED_LIMIT) if asked == "random" else None
        self._seed = fresh or (asked if isinstance(asked, int) else recorded["seed"])
        # A new regrade begins a new round. A regrade that was stopped continues its round.
        self._round = recorded["round"] + (1 if self._again and recorded["finished"] else 0)
        self._write_state(finished=False if self._again else bool(recorded["finished"]))

    def _recorded(self) -> dict[str, Any] | None:
        path = self.folder / STATE_NAME
        try:
            state = json.loads(path.read_text(encoding="utf-8"))
            if state["version"] == _STATE_VERSION and isinstance(state["seed"], int) and state["round"] >= 1:
                return dict(state)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UsageError(
                f"{path} cannot be used ({error})\n    try: remove it; a new seed is drawn then"
            ) from error
        raise UsageError(f"{path} is of another version of the grader\n    try: remove it; a new seed is drawn then")

    def _write_state(self, finished: bool) -> None:
        state = {"version": _STATE_VERSION, "seed": self._seed, "round": self._round, "finished": finished}
        content = (json.dumps(state) + "\n").encode()
        self._with_room(lambda: write_atomically(self.folder / STATE_NAME, content))

    def _decide_sandbox(self) -> SandboxInfo:
        hand_in = Submission("hand-in", self.name, self._from, None)
        return decide_sandbox(hand_in, self._options.sandbox)[1]

    def _with_room(self, write: Callable[[], _T]) -> _T:
        return with_room(write, self._course.build, self._stop, self._progress.say)

    # ---- reading -------------------------------------------------------------------------------------------

    def _read_all(self) -> None:
        self._progress.say(f"reading {len(self._hand_ins)} hand-ins")
        with ThreadPoolExecutor(max_workers=_READERS) as pool:
            try:
                for member in pool.map(lambda one: self._with_room(lambda: self._read(one)), self._hand_ins):
                    self._members[member.hand_in.name] = member
            except BaseException:
                self._stop.set()  # for example after Ctrl-C: the readers must end first
                raise

    def _read(self, hand_in: HandIn) -> _Member:
        contents = read_hand_in(hand_in, [lab.source for lab in self._labs], self._sources, self._stop)
        target = self.folder / "submissions" / hand_in.name / "src"
        write_tree(target, contents.files)
        staged = Staged(target, tuple(sorted(contents.files)), contents.ignored)
        member = _Member(
            hand_in=hand_in,
            files=staged.files,
            info=SubmissionInfo(hand_in.name, hand_in.origin, "hand-in", staged.files, staged.ignored),
            digest=contents.digest,
            message=self._message(hand_in, contents),
            unusable=bool(contents.trouble),
            keys={},
            known={},
        )
        for lab in self._labs:
            if lab.source in contents.files:
                member.keys[lab.number] = self._key(lab, contents.files[lab.source])
            else:
                why = contents.refused.get(lab.source)
                said = f"{lab.source}: {why}" if why else staged.why_missing(lab)
                member.known[lab.number] = untested_lab(lab, Status.MISSING, said)
        return member

    def _message(self, hand_in: HandIn, contents: Contents) -> str:
        notes = [contents.trouble] if contents.trouble else [*contents.notes]
        notes += [f"{name}: {why}" for name, why in sorted(contents.refused.items()) if contents.files]
        if hand_in.twins:
            notes.append(f"another hand-in of the same student: {', '.join(hand_in.twins)}; which one counts?")
        if hand_in.marked_late and hand_in.submitted is None and not hand_in.submitted_labs:
            notes.append("late, says the download, but not how late: nothing was taken off")
        return "\n".join(notes)

    def _key(self, lab: Lab, content: bytes) -> str:
        run: dict[str, object] = {
            "seed": self._seed,
            "round": self._round,
            "device": self._options.device,
            "public": self._options.public_only,
            "timeout": self._options.timeout,
            "sandbox": self._sandbox.used,
        }
        return key_of(self._prints[lab.number], content, run)

    def _tasks(self) -> Iterator[Task]:
        """The tasks without a result, in the order of the hand-ins, so that complete hand-ins are finished early."""
        there: dict[str, bool] = {}
        by_number = {lab.number: lab for lab in self._labs}
        for name, member in self._members.items():
            for number, key in member.keys.items():
                if key not in there:
                    there[key] = cache_path(self._course, key).exists() and read_done(self._course, key) is not None
                    self._known += there[key]
                    if not there[key]:
                        lab = by_number[number]
                        source = self.folder / "submissions" / name / "src" / lab.source
                        label = f"{name}  lab {number}"
                        yield Task(self.name, key, label, lab, source, for_tasks(self._options), self._seed)
                if not there[key]:
                    member.waiting.add(key)
                    self._by_key.setdefault(key, []).append(name)

    # ---- an executor's watcher -----------------------------------------------------------------------------

    def started(self, task: Task) -> None:
        self._progress.task_started(task.key, task.label)

    def progress(self, task: Task, text: str) -> None:
        self._progress.task_progress(task.key, text)

    def ended(self, task: Task, done: Done) -> None:
        self._done += 1
        self._progress.task_ended(task.key)
        if done.faulty:
            self._faults[task.key] = done
        for name in self._by_key.get(task.key, ()):
            self._members[name].waiting.discard(task.key)
            self._complete(name)

    def tick(self) -> None:
        self._progress.tick()

    # ---- writing -------------------------------------------------------------------------------------------

    def _complete(self, name: str, quiet: bool = False) -> None:
        """Writes the results of a hand-in if all its labs are known."""
        member = self._members[name]
        if member.waiting:
            return
        done: dict[int, Done] = {}
        for number, key in member.keys.items():
            found = self._faults.get(key) or read_done(self._course, key)
            if found is None:
                raise GraderFault(f"{cache_path(self._course, key)} is gone while its batch runs; grade again")
            done[number] = found
        results = {number: one.lab for number, one in done.items()} | member.known
        started = max((one.started for one in done.values()), default=_never())
        whole = Results(
            submission=member.info,
            device=self._options.device,
            seed=self._seed,
            sandbox=self._sandbox,
            versions=self._versions,
            started=started,
            duration=round(sum(one.seconds for one in done.values()), 3),
            labs=tuple(results[lab.number] for lab in self._labs),
        )
        text = to_json(whole).encode()
        path = self.folder / "submissions" / name / "results.json"
        if _content(path) != text:
            self._with_room(lambda: write_atomically(path, text))
        member.faulty = whole.score is None
        member.graded = self._grades(member, results)
        if not quiet:
            self._progress.finished(name, self._status(member), _points(member.graded))

    def _grades(self, member: _Member, results: dict[int, LabResult]) -> Graded:
        hand_in = member.hand_in
        times = hand_in.submitted_labs
        return grade_labs(self.settings, self._labs, results, hand_in.students, hand_in.submitted, submitted_labs=times)

    def _status(self, member: _Member) -> EntryStatus:
        if member.unusable:
            return EntryStatus.UNUSABLE
        if member.graded is None:
            return EntryStatus.WAITING
        return EntryStatus.GRADER_FAULT if member.faulty else EntryStatus.GRADED

    def _gradebook(self) -> Gradebook:
        return Gradebook(
            batch=self.name,
            course=self.settings.title,
            device=self._options.device,
            seed=self._seed,
            labs=tuple(self._column(lab) for lab in self._labs),
            entries=tuple(self._entry(self._members[name]) for name in sorted(self._members)),
        )

    def _column(self, lab: Lab) -> LabColumn:
        due = self.settings.due.get(lab.number)
        parts = tuple(PartColumn(part.name, sum(part.points.values())) for part in lab.parts)
        return LabColumn(lab.number, lab.title, lab.source, lab.max_score, due.isoformat() if due else None, parts)

    def _entry(self, member: _Member) -> Entry:
        hand_in = member.hand_in
        graded = member.graded or self._grades(member, member.known)
        place = f"submissions/{hand_in.name}"
        return Entry(
            name=hand_in.name,
            status=self._status(member),
            message=member.message,
            students=hand_in.students,
            form=hand_in.form,
            origin=hand_in.origin,
            submission_id=hand_in.submission_id,
            submitted=hand_in.submitted.isoformat() if hand_in.submitted else None,
            marked_late=hand_in.marked_late,
            files=member.files,
            ignored=member.info.ignored,
            content=member.digest,
            results=f"{place}/results.json" if member.graded else None,
            source=f"{place}/src" if member.files else None,
            score=graded.score if member.graded else None,
            max_score=graded.max_score,
            labs=graded.labs,
        )


def _points(graded: Graded) -> str:
    return f"{'?' if graded.score is None else f'{graded.score:g}'}/{graded.max_score}"


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise GraderFault(f"cannot read {path}: {describe_os_error(error)}") from error


def _never() -> str:
    """The time for a hand-in without any graded lab. It must be the same in each call."""
    return datetime.fromtimestamp(0, timezone.utc).isoformat(timespec="seconds")
