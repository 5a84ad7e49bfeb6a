"""Finds loops that wait for other threads and may give up. Where schedules are explored, a loop that reads a word until
it changes is one read (simt/core/explore.h). So it must not count its rounds: in a run in which another thread takes
longer than in any that was tried, it would end without the word."""

import re
from dataclasses import dataclass

from statements import NAME, Broken, Function, Functions, Statement, arguments_of, call_in, is_name, variable

_ATOMIC = re.compile(r"atomic", re.IGNORECASE)
_WRITES = re.compile(r"(?:atomic(?:Add|Sub|Inc|Dec|Exch|Min|Max|And|Or|Xor)|.*(?:fetch_\w+|store|exchange)$)")
# Functions that may get the number of a round: it changes how long a loop waits, and not what it does.
_DELAYS = re.compile(r"(?:__nanosleep|u?min|u?max|std::(?:min|max))(?:<.*>)?$")
_ARITHMETIC = re.compile(r"[\w.$()]+ [^\w\s.$()]+ [\w.$()]+|[-~][\w.$()]+")
_ARGUMENT = re.compile(r"([^\s<]+?)\((\d+)\)(?:, |>)")


def _in_memory(text: str) -> bool:
    """Is this a place in memory, and no value in a register?"""
    return re.search(r"[*\[]|->|D\.\d+$", text) is not None


@dataclass
class _Loop:
    """A loop."""

    header: int  # the number of its first block
    blocks: set[int]


class _Flow:
    """The blocks of one function and the statements in them."""

    def __init__(self, function: Function) -> None:
        self.function = function
        numbers = list(function.blocks)
        self.after = function.after
        self.before: dict[int, set[int]] = {n: set() for n in numbers}
        kept = set(map(id, function.statements))
        self.statements = {n: [s for s in function.blocks[n].statements if id(s) in kept] for n in numbers}
        self.set_in: dict[str, tuple[int, Statement]] = {}
        for n in numbers:
            for target in self.after[n]:
                self.before[target].add(n)
            for s in self.statements[n]:
                to, _, of = s.text.removeprefix("# ").partition(" = ")
                if of and is_name(to):
                    self.set_in.setdefault(to, (n, s))

    def loops(self) -> list[_Loop]:
        found: dict[int, set[int]] = {}
        on_path: list[int] = []
        seen: set[int] = set()
        todo = [(next(iter(self.after)), False)]
        while todo:
            number, is_done = todo.pop()
            if is_done:
                on_path.remove(number)
                continue
            if number in seen:
                continue
            seen.add(number)
            on_path.append(number)
            todo.append((number, True))
            for target in self.after[number]:
                if target in on_path:
                    found.setdefault(target, {target}).update(self._body(target, number))
                elif target not in seen:
                    todo.append((target, False))
        return [_Loop(header, blocks) for header, blocks in found.items()]

    def _body(self, header: int, last: int) -> set[int]:
        body, todo = {header}, [last]
        while todo:
            number = todo.pop()
            if number not in body:
                body.add(number)
                todo += self.before[number]
        return body


def gives_up(functions: Functions, own: list[Function]) -> str:
    """Where a loop may give up, with the reason; "" when there is none. `own` are the functions that a part reaches."""
    try:
        _Waits(functions, own).check()
    except Broken as broken:
        return str(broken)
    return ""


class _Waits:
    """The functions that a part reaches."""

    def __init__(self, functions: Functions, own: list[Function]) -> None:
        self._functions = functions
        self._own = {f.uid: f for f in own}
        self._reading: dict[str, bool] = {}

    def check(self) -> None:
        """Raises Broken with the place."""
        for function in self._own.values():
            flow = _Flow(function)
            if self._reads(function, ()) and self._calls(function, function, ()):
                raise Broken(
                    f"{function.where}: a function that waits for other threads calls itself, so it may give up"
                )
            for loop in flow.loops():
                self._loop(flow, loop)

    # ---- what statements do ---------------------------------------------------------------------------------------

    def _called(self, text: str) -> tuple[str, Function | None, list[str]]:
        call = call_in(text)
        if not call:
            return "", None, []
        name = text[: call.start()].rpartition(" = ")[2]
        of = next(iter(self._functions.called(call[1], name)), None)
        return name.strip(), of if of and of.uid in self._own else None, arguments_of(text, call)

    def _is_read(self, statement: Statement, busy: tuple[str, ...]) -> bool:
        """Does it read what other threads write?"""
        name, of, _ = self._called(statement.text)
        if of:
            return self._reads(of, busy)
        to, _, read = statement.text.rstrip(";").partition(" = ")
        is_own = is_name(read) and not re.search(r"\*|->", read)
        return bool(_ATOMIC.search(name)) if name else statement.is_volatile and not _in_memory(to) and not is_own

    def _reads(self, function: Function, busy: tuple[str, ...]) -> bool:
        if function.uid in busy:
            return False
        if function.uid not in self._reading:
            inner = (*busy, function.uid)
            self._reading[function.uid] = any(self._is_read(s, inner) for s in function.statements)
        return self._reading[function.uid]

    def _calls(self, function: Function, other: Function, busy: tuple[str, ...]) -> bool:
        called = [of for s in function.statements if (of := self._called(s.text)[1])]
        return any(of is other or (of.uid not in busy and self._calls(of, other, (*busy, of.uid))) for of in called)

    def _goes_on(self, statement: Statement) -> bool:
        """Does it write what other threads read? Then each round of a loop is explored."""
        name, of, given = self._called(statement.text)
        short = re.sub(r"<.*>", "", name).rpartition("::")[2]
        if name and not of and _ATOMIC.search(name):
            return bool(_WRITES.match(short)) and given[1:2] != ["0"]
        to = statement.text.partition(" = ")[0]
        return not name and statement.is_volatile and _in_memory(to) and not is_name(to)

    # ---- one loop ---------------------------------------------------------------------------------------------------

    def _loop(self, flow: _Flow, loop: _Loop) -> None:
        inside = [(n, s) for n in loop.blocks for s in flow.statements[n]]
        reads = [(n, s) for n, s in inside if self._is_read(s, ()) and not self._goes_on(s)]
        stops = {n for n, s in inside if self._goes_on(s)}
        for number, read in reads:
            if not self._comes_again(flow, loop, number, stops):
                continue
            _, _, given = self._called(read.text)
            moves = self._sources(flow, loop, given or [read.text.partition(" = ")[2]], {read.text})
            if any(self._always_moves(flow, loop, name) for name in moves):
                continue
            for _, s in inside:
                if counted := self._counts(flow, loop, s, moves):
                    words = "counts the rounds of a loop that waits for other threads, so it may give up"
                    raise Broken(f"{s.file}:{s.line}: {counted} {words}")

    def _comes_again(self, flow: _Flow, loop: _Loop, number: int, stops: set[int]) -> bool:
        """Is there a round of the loop through a block in which nothing is written?"""
        todo, seen = [n for n in flow.after[number] if n in loop.blocks], set()
        while todo:
            at = todo.pop()
            if at == number and at not in stops:
                return True
            if at in seen or at in stops:
                continue
            seen.add(at)
            todo += [n for n in flow.after[at] if n in loop.blocks]
        return False

    def _sources(self, flow: _Flow, loop: _Loop, texts: list[str], seen: set[str]) -> set[str]:
        """The values and variables from which the loop makes these."""
        found: set[str] = set()
        places = set(texts)
        todo = [name.removesuffix("(D)") for text in texts for name in NAME.findall(text)]
        while todo:
            name = todo.pop()
            if name in found:
                continue
            found.add(name)
            number, statement = flow.set_in.get(name, (-1, None))
            if statement and number in loop.blocks and statement.text not in seen:
                of = statement.text.partition(" = ")[2].rstrip(";")
                places.add(of)
                todo += [n.removesuffix("(D)") for n in NAME.findall(of)]
            if "D." in name:  # an object, such as an atomic_ref, that a call or a statement of the loop makes
                own = re.escape(name)
                made = re.compile(rf".*\(&{own}[,)]" + (rf"|{own}[.\[].* = " if f"&{name}" in texts else ""))
                makes = [s.text for n in loop.blocks for s in flow.statements[n] if made.match(s.text)]
                todo += [n.removesuffix("(D)") for text in makes if text not in seen for n in NAME.findall(text)]
        return found | places

    def _counts(self, flow: _Flow, loop: _Loop, statement: Statement, moves: set[str]) -> str:
        """The name of the number that a statement changes in each round, if it decides something else than where the
        loop reads and how long it sleeps."""
        text = statement.text.removeprefix("# ").rstrip(";")
        to, _, of = text.partition(" = ")
        if statement.text.startswith("# "):
            if to in moves or flow.set_in[to][0] != loop.header:
                return ""
            is_counted = self._is_computed(flow, loop, to) or self._is_replaced(flow, loop, to)
            return variable(to) if is_counted and self._decides(flow, loop, to) else ""
        name, called, _ = self._called(statement.text)
        if called and self._counts_for_its_caller(called):
            return called.short() + "()"
        if name or not of or not _in_memory(to):
            return ""
        root = next(iter(NAME.findall(to)), "")
        is_moved = to in moves or (root in moves and "." not in to.removeprefix(root))
        return variable(root) if not is_moved and self._is_own_sum(flow, to, of) else ""

    def _next(self, flow: _Flow, loop: _Loop, first: str) -> set[str]:
        """What a number of the loop may be in the next round: names, the number itself among them, or constants."""
        found: set[str] = set()
        todo, seen = [name for name, n in _ARGUMENT.findall(flow.set_in[first][1].text) if int(n) in loop.blocks], set()
        while todo:
            at = todo.pop().removesuffix("(D)")
            number, statement = flow.set_in.get(at, (-1, None))
            of = statement.text.removeprefix("# ").partition(" = ")[2].rstrip(";") if statement else ""
            is_copy = of.startswith("PHI <") or re.fullmatch(r"(?:\([^()]*\) )?[\w.$]+(?:\(D\))?", of) is not None
            if at in seen:
                continue
            seen.add(at)
            if at == first or not is_copy or number not in loop.blocks or number == loop.header:
                found.add(at)
            elif of.startswith("PHI <"):
                todo += [name for name, _ in _ARGUMENT.findall(of)]
            else:
                todo.append(re.sub(r"^\([^()]*\) ", "", of))
        return found

    def _is_computed(self, flow: _Flow, loop: _Loop, first: str) -> bool:
        """Is the value of the next round made from that of this one by an operator?"""
        following = self._next(flow, loop, first) - {first}
        return any(first in self._sources(flow, loop, [name], set()) for name in following)

    def _is_replaced(self, flow: _Flow, loop: _Loop, first: str) -> bool:
        """Is the value of each next round a constant, or one from before the loop or from the last round?"""
        found = self._next(flow, loop, first)
        inside = {name for name in found if flow.set_in.get(name, (-1,))[0] in loop.blocks - {loop.header}}
        return first not in found and not inside

    def _always_moves(self, flow: _Flow, loop: _Loop, name: str) -> bool:
        """Is it a number that is another one in each round?"""
        number, statement = flow.set_in.get(name, (-1, None))
        is_first = statement is not None and number == loop.header and statement.text.startswith("# ")
        return is_first and name not in self._next(flow, loop, name) and self._is_computed(flow, loop, name)

    def _is_own_sum(self, flow: _Flow, to: str, of: str) -> bool:
        """Is a number in memory made from itself?"""
        todo, seen, is_changed = NAME.findall(of), set(), False
        while todo:
            name = todo.pop()
            statement = flow.set_in.get(name, (-1, None))[1]
            if name in seen or not statement or call_in(statement.text):
                continue
            seen.add(name)
            value = statement.text.partition(" = ")[2].rstrip(";")
            if _in_memory(value) and not _ARITHMETIC.fullmatch(value):
                if is_changed and self._place(flow, value) == self._place(flow, to):
                    return True
                continue
            is_changed |= _ARITHMETIC.fullmatch(value) is not None
            todo += NAME.findall(value)
        return False

    def _place(self, flow: _Flow, text: str) -> str:
        """A place in memory, with the pointers from which it is computed."""
        for _ in range(8):
            plain = re.sub(r"MEM(?: <[^>]*>)? ?\[\([^)]*\)([^\]]*)\]", r"*\1", text)
            names = [n for n in NAME.findall(plain) if re.match(r"(?:[\w$]*\.\d+)?_\d+$", n) and n in flow.set_in]
            if not names:
                return plain
            text = plain
            for name in names:
                value = flow.set_in[name][1].text.partition(" = ")[2].rstrip(";")
                text = re.sub(rf"(?<![\w.$]){re.escape(name)}(?!\w)", lambda _: value, text)  # noqa: B023
        return text

    def _counts_for_its_caller(self, function: Function) -> bool:
        """Does it change a number to which a parameter points, so that it is another one each time?"""
        flow = _Flow(function)
        given = {variable(name) for _, name in function.parameters}
        for statement in function.statements:
            to, _, of = statement.text.rstrip(";").partition(" = ")
            is_behind = re.match(r"\*|MEM", to) and {variable(n) for n in NAME.findall(to)} & given
            if of and is_behind and self._is_own_sum(flow, to, of):
                return True
        return False

    def _decides(self, flow: _Flow, loop: _Loop, name: str) -> bool:
        """Does a number of the loop decide anything but itself and delays?"""
        counted, size = {name}, 0
        while len(counted) > size:
            size = len(counted)
            for number, statements in flow.statements.items():
                for statement in statements:
                    text = statement.text.removeprefix("# ").rstrip(";")
                    to, _, of = text.partition(" = ")
                    if not {n.removesuffix("(D)") for n in NAME.findall(of or text)} & counted:
                        continue
                    called = self._called(statement.text)[0]
                    if number not in loop.blocks or (called and not _DELAYS.match(called)):
                        return True
                    if text.startswith(("if (", "switch (")):
                        if not self._only_changes(flow, loop, number, counted):
                            return True
                    elif of and is_name(to):
                        counted.add(to)
                    elif not called:
                        return True
        return False

    @staticmethod
    def _only_changes(flow: _Flow, loop: _Loop, number: int, counted: set[str]) -> bool:
        """Does a branch do nothing but choose the number's next value, and meet again?"""
        ends, names = set(), {variable(name) for name in counted}
        for target in flow.after[number]:
            texts = [s.text for s in flow.statements[target]]
            sets = {t.partition(" = ")[0] for t in texts}
            is_arm = len(flow.before[target]) == 1 and bool(texts) and {variable(s) for s in sets} <= names
            ends.add(flow.after[target][0] if is_arm and len(flow.after[target]) == 1 else target)
        return len(ends) == 1 and ends <= loop.blocks
