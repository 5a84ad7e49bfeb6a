"""Checks that all words of an element are moved alike. An element that has some words of one element and some of
another would be right on intervals, and on nothing else."""

import re

from statements import NAME, Broken, Function, Statement, is_name
from unions import Unions
from words import SHUFFLE, Words


class _Loop:
    """The body of a loop and its test."""

    def __init__(self, function: Function, number: int) -> None:
        blocks = list(function.blocks)
        after = {
            n: b.targets | ({blocks[i + 1]} if b.falls_through and i + 1 < len(blocks) else set())
            for i, (n, b) in enumerate(function.blocks.items())
        }
        before = {n: [m for m in blocks if n in after[m]] for n in blocks}
        body = [number]
        while len(before[body[0]]) == 1 and len(after[before[body[0]][0]]) == 1:  # a call ends a block
            body.insert(0, before[body[0]][0])
        while len(after[body[-1]]) == 1 and len(before[next(iter(after[body[-1]]))]) == 1:
            body.append(next(iter(after[body[-1]])))
        self.is_closed = before[body[0]] == list(after[body[-1]])  # from its test, and back to it
        self.body = [s for n in body for s in function.blocks[n].statements]
        self.test = [s for n in after[body[-1]] for s in function.blocks[n].statements]


class Loops(Unions, Words):
    """A part of rule 2 of parametric.py, for the functions of one dump."""

    def whole(self, function: Function, words: set[str]) -> None:
        """Raises Broken, with the place, where words are stored and not in a loop over all of them that does nothing
        else. The comparison of the types shows that the loop has as many turns as there are words."""
        sources: dict[str, str] = {}
        for number, block in function.blocks.items():
            for statement in block.statements:
                to, _, of = statement.text.removeprefix("# ").rstrip(";").partition(" = ")
                if not of or is_name(to) or not self.is_word(function, to, words):
                    continue
                source = self._source(function, _Loop(function, number), to, words)
                name = NAME.findall(to)[0]
                if not source or sources.setdefault(name, source) != source:
                    raise Broken(
                        f"{statement.file}:{statement.line}: words of an element are stored, and not in a loop that "
                        "moves all words of one element and does nothing else"
                    )

    def _source(self, function: Function, loop: _Loop, to: str, words: set[str]) -> str:
        """What a loop takes the words from that it stores; "" if it is not such a loop."""
        body, test = ([s.text.rstrip(";") for s in statements] for statements in (loop.body, loop.test))
        copies = dict(t.split(" = ") for t in body if re.fullmatch(r"\S+ = [\w.$]+", t))
        index = re.search(r"\[([^\]]+)\]$", to)
        counter = index[1] if index else copies.get(NAME.findall(to)[0], NAME.findall(to)[0])
        own = re.escape(counter)
        turns = [t for t in test if t.startswith("# ")]
        found = re.fullmatch(rf"# {own} = PHI <(\S+)\(\d+\), (\S+)\(\d+\)>", turns[0] if turns else "")
        if not loop.is_closed or len(turns) != 1 or not found:
            return ""
        first, step = found.groups()
        if f"{step} = {counter} + {1 if index else 4}" not in body or not self._is_all(function, test, counter, first):
            return ""
        loads = set()
        for text in body:
            left, _, right = text.partition(" = ")
            if left == step:
                continue
            plain = re.sub(rf"\[{own}\]|\*{own}(?!\w)", "", text)
            is_move = SHUFFLE.match(right) or not re.search(r" (?:[(+*/%^|-]|& |<<|>>)", right)
            uses = re.search(rf"(?<![\w.]){own}(?!\w)", plain) and right != counter
            # An SSA name has one value in a turn; a variable in memory would keep it for the next one.
            if not right or not is_move or uses or not (left == to or (is_name(left) and re.search(r"_\d+$", left))):
                return ""
            is_load = is_name(left) and not is_name(right) and not SHUFFLE.match(right)
            if is_load and self.is_word(function, right, words):
                loads.add(right)
        of = next(iter(loads), "")
        is_alike = of.endswith(index[0]) if index else of == to
        return NAME.findall(of)[0] if len(loads) == 1 and is_alike else ""

    def _is_all(self, function: Function, test: list[str], counter: str, first: str) -> bool:
        """Does a loop begin with the first word and end after a number of bytes, or of words, that g++ knows?"""

        def value(name: str) -> tuple[Statement | None, str]:
            found = next((s for s in function.statements if s.text.startswith(f"{name} = ")), None)
            of = found.text.partition(" = ")[2].rstrip(";") if found else ""
            return value(of) if re.fullmatch(r"[A-Za-z_$][\w$]*_\d+", of) else (found, of)

        branch = next((text for text in test if text.startswith("if (")), "")
        ends = re.fullmatch(rf"if \({re.escape(counter)} (?:<=?|[!=]=) (\S+)\)", branch)
        begins = value(first)[1]
        if not ends or ends[1].isdigit():
            return bool(ends) and begins == "0"
        end, bound = value(ends[1])
        last = re.fullmatch(r"(\S+) \+ \d+", bound)
        if not end or not last or value(last[1])[1] != begins or not re.fullmatch(r"&[^\[+]*", begins):
            return False
        self.multiples[id(end)] = 0
        return True
