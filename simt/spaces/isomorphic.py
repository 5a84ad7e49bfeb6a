"""Compares a function for a class of elements with the same function for a number of the same size. g++ keeps numbers
in registers and classes in memory, so it writes other statements. They are the same when every value that has no name
in the source is replaced by its expression, and then the same statements follow one another."""

import re
from collections import Counter

from statements import NAME, Block, Broken, Function, Statement, is_name

# What g++ has named: _12, D.32086, D.32086_7, retval.5_12, iftmp.30_46.
_UNNAMED = re.compile(r"_\d+|D\.\d+(?:_\d+)?|[\w$]+(?<!D)\.\d+(?:_\d+|D\.\d+)?")
_JOINS = re.compile(r"# (\S+) = PHI <(.*)>$")
# The types of elements, in the arguments of templates and in names of types.
ELEMENT = re.compile(
    r"\b(?:(?:opaque|affine|interval|fingerprint)_t|(?<!unsigned )(?<!signed )(?<!long )(?<!short )int|float)\b"
)
_READ = re.compile(r"MEM(?: <[^>]*>)? ?\[\((?:[^()]|\([^()]*\))*[*&]\)([^\[\]]+)\]")
_LABELS = re.compile(r"(default|case [^:]*): (<L\d+>|\S+D\.\d+)")
_OPPOSITES = {"!=": "==", ">=": "<", "<=": ">"}
_GUARD = re.compile(r"\b_ZGVZ\w*E(\d+[A-Za-z_]\w*)")
_WHOLE = re.compile(r"(?:\*|MEM[^\]]*\))?(?P<name>\S+?)\]?")
_COMPUTED = re.compile(r"\((?!\*)|\S+ [^\s(]+ \S+$")  # a cast, or an operator
_DEEPEST = 40  # values in one another; what is deeper is named by its letters only
_END = 1 << 30


class _Steps:
    """The statements of a function that do more than make a value without a name, and which of them may follow each."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._blocks = self._reached()
        self._labels = {
            s.text.rstrip(":"): n for n, b in function.blocks.items() for s in b.statements if s.text.endswith(":")
        }
        kept = set(map(id, function.statements))
        within = {n: [s for s in self._blocks[n].statements if id(s) in kept] for n in self._blocks}
        made = [s.text.rstrip(";").partition(" = ") for ss in within.values() for s in ss]
        self._arms: dict[str, str] = {}  # of values that meet: the one where they do
        for to, _, of in made:
            join = _JOINS.match(f"{to} = {of}")
            if join and _UNNAMED.fullmatch(join[1]):
                self._arms.update((name, join[1]) for name in re.findall(r"(\S+?)\(\d+\)(?:, |$)", join[2]))
        made = [m for m in made if not m[0].startswith("# ")]
        times = Counter(to for to, _, of in made if of)
        self._arms.update((to, to) for to in times if times[to] > 1 and _UNNAMED.fullmatch(to))
        self._uses: dict[str, list[tuple[str, str]]] = {}
        for to, _, of in made:
            for name in NAME.findall(of or to) + (NAME.findall(to) if of and not is_name(to) else []):
                self._uses.setdefault(name.removesuffix("(D)"), []).append((to, of))
        self._values = {
            to: of
            for to, _, of in made
            if of and times[to] == 1 and _UNNAMED.fullmatch(to) and to in self._uses and to not in self._arms
        }
        self._first: dict[int, int] = {}  # by block: its first step
        self._of: dict[int, list[Statement]] = {}
        self.statements: list[Statement] = []
        for number, statements in within.items():
            self._of[number] = [s for s in statements if not self._is_hidden(s)]
            self._first[number] = len(self.statements)
            self.statements += self._of[number]
        self.begin = self._step(next(iter(self._blocks)))

    def _is_hidden(self, statement: Statement) -> bool:
        to, _, of = statement.text.rstrip(";").partition(" = ")
        if to.startswith("# ") or to in self._values:
            return True
        moved = _WHOLE.fullmatch(of)
        into = self._goes(moved["name"])[0] if moved else ""
        return bool(into) and into == (self._goes(to)[0] if to in self._arms else to)

    def _goes(self, name: str) -> tuple[str, bool]:
        """Where a value goes in which several meet, and whether it is only used as a pointer. "" for another value."""
        while self._arms.get(name, name) != name:
            name = self._arms[name]
        if name not in self._arms.values():
            return "", False
        uses = self._uses.get(name, [])
        wholes = [_WHOLE.fullmatch(of) for _, of in uses]
        leads = bool(uses) and all(
            len(re.findall(rf"(?:\*|MEM[^\]]*\)){re.escape(name)}(?!\w)", f"{to} {of}")) == 1 for to, of in uses
        )
        if len(uses) == 1 and wholes[0]:
            to = uses[0][0]
            if to in self._arms:
                further, also = self._goes(to)
                return further, leads or also
            return name if to in self._values else to, leads
        return name, leads

    def _reached(self) -> dict[int, Block]:
        """The blocks that run where nothing is thrown."""
        blocks = self._function.blocks
        todo, seen = [next(iter(blocks))], set()
        while todo:
            number = todo.pop()
            if number in seen or number not in blocks:
                continue
            seen.add(number)
            todo += self._function.after[number]
        return {n: b for n, b in blocks.items() if n in seen}

    def _step(self, number: int) -> int:
        """The first step at a block or after it."""
        seen: set[int] = set()
        while number not in seen:
            seen.add(number)
            if self._of.get(number):
                return self._first[number]
            following = self._function.after[number]
            if not following:
                return _END
            number = following[0]
        return _END

    def following(self) -> dict[int, list[int]]:
        """By step."""
        found: dict[int, list[int]] = {_END: []}
        for number, statements in self._of.items():
            first = self._first[number]
            found.update({first + i: [first + i + 1] for i in range(len(statements) - 1)})
            if statements:
                last = statements[-1].text
                labels = [self._labels.get(label, 0) for _, label in _LABELS.findall(last)]
                after = labels if last.startswith("switch (") else self._function.after[number]
                steps = [self._step(n) for n in after]
                is_turned = last.startswith("if (") and last.split()[2] in _OPPOSITES
                found[first + len(statements) - 1] = steps[::-1] if is_turned else steps
        return found

    def text(self, step: int) -> str:
        """A statement, with the expressions in it; nothing at the end."""
        if step == _END:
            return ""
        to, is_set, of = self.statements[step].text.rstrip(";").partition(" = ")
        if to in self._arms:
            into, leads = self._goes(to)
            to, of = into, (f"*({of})" if _COMPUTED.match(of) else "*" + of) if leads else of
        elif _UNNAMED.fullmatch(to) and to not in self._uses:
            to, is_set = of, ""
        text = f"{self._plain(to, 0)} = {self._plain(of, 0)}" if is_set else self._plain(to, 0)
        branch = re.match(r"if \((.*) (!=|>=|<=) (.*)\)$", text)
        if branch:
            text = f"if ({branch[1]} {_OPPOSITES[branch[2]]} {branch[3]})"
        return re.sub(r" \[[\w ]+\]$", "", _LABELS.sub(r"\1", text))

    def _plain(self, text: str, depth: int) -> str:
        def named(found: re.Match[str]) -> str:
            name = found[0].removesuffix("(D)")
            if name in self._values and depth < _DEEPEST:
                value = self._plain(self._values[name], depth + 1)
                return f"({value})" if _COMPUTED.match(self._values[name]) else value
            if _UNNAMED.fullmatch(name):
                return "?"
            return re.sub(r"_\d+$|D\.\d+", "", name)

        found = NAME.sub(named, _READ.sub(r"*\1", text))
        found = ELEMENT.sub("elem_t", re.sub(r"D\.\d+", "", found))
        return re.sub(r"\*&|\*(?=\?)|(?<=\d)B\b", "", _GUARD.sub(r"guard_\1", found))


def compare_steps(of_class: Function, of_number: Function) -> None:
    """Raises Broken, with the place, at the first statement that is another one for a number."""
    one, other = _Steps(of_class), _Steps(of_number)
    after, then = one.following(), other.following()
    same: dict[int, int] = {}
    todo = [(one.begin, other.begin)]
    while todo:
        here, there = todo.pop()
        if same.get(here) == there:
            continue
        texts = one.text(here), other.text(there)
        if here in same or texts[0] != texts[1] or len(after[here]) != len(then[there]):
            statement = one.statements[min(here, len(one.statements) - 1)]
            raise Broken(f"{statement.file}:{statement.line}: another statement for numbers than for structs")
        same[here] = there
        todo += zip(after[here], then[there], strict=True)
