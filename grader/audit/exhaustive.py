"""The smallest call that fails, found by making every call: the measure of the suites' own search, which makes few."""

import itertools
import math
import subprocess
from collections.abc import Iterator
from dataclasses import replace

from grader.export.category import USUAL_TILE
from grader.judge.suites import SuitePlan
from grader.model.types import Call

TILES = (64, USUAL_TILE, 1024)  # of the builds, as in labs/module.mk
MOST = 4 * TILES[0] + 1  # elements
CALL_SECONDS = 300
_PROVING = ("interval", "fingerprint")  # their inputs have no other kinds
_WRONG = "\nwrong: "


def least_failing(plan: SuitePlan, call: Call) -> int:
    """The elements of the smallest call whose result is wrong, with the monoid and the seed of `call`, on every tile,
    in several orders and on several inputs. Only calls with fewer elements than `call` are made, and with at most MOST;
    when these are right, it is the number of `call`."""
    found = elements_of(call)
    for elements in range(1, min(found, MOST + 1)):
        for size in _sizes(elements, bool(call.shape)):
            if any(_is_wrong(plan, call, size, way) for way in _ways(plan, call)):
                return elements
    return found


def elements_of(call: Call) -> int:
    return math.prod(map(int, call.shape.split("x"))) if call.shape else call.n or 0


def _sizes(elements: int, images: bool) -> Iterator[list[str]]:
    if not images:
        yield ["--n", str(elements)]
        return
    for rows in range(1, elements + 1):
        if elements % rows == 0:
            yield ["--shape", f"{rows}x{elements // rows}"]


def _ways(plan: SuitePlan, call: Call) -> Iterator[tuple[int, str, str]]:
    """Tiles, orders and kinds of inputs."""
    folder = plan.course.root / plan.course.built(plan.device, plan.submission.who)
    tiles = [tile for tile in TILES if (folder / _library(plan.lab.stem, call.monoid, tile)).exists()]
    orders = dict.fromkeys((call.order, "forward", "random"))
    inputs = [call.input] if call.monoid in _PROVING else dict.fromkeys((call.input, "random"))
    return itertools.product(tiles, orders, inputs)


def _library(stem: str, monoid: str, tile: int) -> str:
    return f"{stem}.{monoid}.so" if tile == USUAL_TILE else f"{stem}.{monoid}.{tile}.so"


def _is_wrong(plan: SuitePlan, call: Call, size: list[str], way: tuple[int, str, str]) -> bool:
    tile, order, kind = way
    shown = ["--show", "--part", plan.part, "--monoid", call.monoid, *size, "--tile", str(tile), "--order", order]
    shown += ["--input", kind, "--in-place", str(call.in_place), "--shift", str(call.shift)]
    shown += ["--resident", str(call.resident)]
    command = replace(plan, part="", seed=call.seed).command_line(shown=shown)
    try:
        done = subprocess.run(
            command, cwd=plan.course.root, capture_output=True, text=True, timeout=CALL_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return _WRONG in done.stdout  # a size that the contract does not allow is not called
