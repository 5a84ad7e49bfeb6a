"""Finds where values came from: the reads and combines that made a value that a thread wrote.

The device records what each thread read, combined and wrote, in order and with the values. A written value is one
that the thread has read or combined before, and is found by comparing values. If several reads returned the same
value, the one is preferred whose range of inputs fits that of the other operand, then one that has not been used
yet, then the latest.

A range gives the inputs from which a value is made: [(0, 5)] is the first six, combined in order, and () is the
identity. Inputs that are not adjacent or not in order stay separate: [(4, 5), (0, 3)]."""

from dataclasses import dataclass, field

Range = tuple[tuple[int, int], ...]
MOST_PIECES = 8  # of a range; one with more counts as unknown
_LOOK_BACK = 256  # number of a thread's entries that are searched


def join(left: Range | None, right: Range | None) -> Range | None:
    """The range of combine(left, right)."""
    if left is None or right is None:
        return None
    if left and right and left[-1][1] + 1 == right[0][0]:
        both = (*left[:-1], (left[-1][0], right[0][1]), *right[1:])
    else:
        both = (*left, *right)
    return both if len(both) <= MOST_PIECES else None


@dataclass(slots=True)
class Known:
    """A value that a thread has in a register."""

    event: int  # the read, combine or atomic operation that returned it
    data: bytes
    range: Range | None
    made: bool  # by a combine
    line: int
    epoch: int
    used: bool = False


@dataclass(slots=True)
class ThreadFlow:
    """The values that one thread has."""

    known: list[Known] = field(default_factory=list)
    reads_at: list[Known] = field(default_factory=list)  # since its last write, for computed values

    def _candidates(self, data: bytes) -> list[Known]:
        return [entry for entry in self.known[-_LOOK_BACK:] if entry.data == data]

    def learn(self, entry: Known) -> None:
        self.known.append(entry)
        if not entry.made:
            self.reads_at.append(entry)
        if len(self.known) > 4 * _LOOK_BACK:
            del self.known[: -2 * _LOOK_BACK]
            del self.reads_at[:-_LOOK_BACK]


def _cost(entry: Known | None, epoch: int, is_identity: bool = False) -> float:
    """The cost of one operand; a lower cost is likelier. A constant that is not the identity is hardly ever an
    operand."""
    if entry is None:
        return 2.0 if is_identity else 6.0
    if not entry.used:
        return 0.0
    return 1.0 if entry.epoch == epoch else 1.5


def _pair_cost(left: Known | None, right: Known | None, identity: bytes | None, values: tuple[bytes, bytes]) -> float:
    """The cost of two operands together, depending on whether their ranges are adjacent."""
    ranges = []
    for entry, data in zip((left, right), values, strict=True):
        if entry is not None:
            ranges.append(entry.range)
        elif data == identity:
            ranges.append(())
        else:
            return 0.0
    if ranges[0] is None or ranges[1] is None:
        return 0.0
    both = join(ranges[0], ranges[1])
    pieces = max(len(ranges[0]), len(ranges[1]), 1)
    return 0.0 if both is not None and len(both) <= pieces else 3.0


def operands(
    flows: list[ThreadFlow], values: tuple[bytes, bytes], epoch: int, identity: bytes | None
) -> tuple[Known | None, Known | None]:
    """The left and the right operand of a combine; None for one that no thread of `flows` has read or made. The first
    of `flows` is the thread itself; the others are the lanes from which a shuffle may have given it a value."""
    sides: list[list[Known | None]] = []
    for data in values:
        found: list[Known | None] = []
        for flow in flows:
            found = [*reversed(flow._candidates(data)[-16:])]
            if found:
                break
        sides.append([*found, None])
    best: tuple[float, Known | None, Known | None] | None = None
    for i, left in enumerate(sides[0]):
        for k, right in enumerate(sides[1]):
            if left is not None and left is right:
                continue
            cost = _cost(left, epoch, values[0] == identity) + _cost(right, epoch, values[1] == identity)
            cost += _pair_cost(left, right, identity, values)
            cost += 0.01 * (i + k)
            if best is None or cost < best[0]:
                best = (cost, left, right)
    if best is None:
        return None, None
    for entry in best[1:]:
        if entry is not None:
            entry.used = True
    return best[1], best[2]


def written(flows: list[ThreadFlow], data: bytes, line: int, epoch: int) -> Known | None:
    """The known value that a write of `data` stores; None when it is a constant or was computed in another way."""
    best: tuple[float, Known] | None = None
    for number, flow in enumerate(flows):
        for age, entry in enumerate(reversed(flow._candidates(data))):
            if entry.used and entry.epoch != epoch and not entry.made:
                continue  # an old value is less likely than a constant that looks like it
            cost = _cost(entry, epoch) + (0 if entry.line == line else 0.5) + 0.01 * age + (1.0 if number else 0.0)
            if best is None or cost < best[0]:
                best = (cost, entry)
        if best is not None:
            break
    if best is None:
        return None
    best[1].used = True
    return best[1]
