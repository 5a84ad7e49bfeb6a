"""Words of an element in an array that memcpy() fills, or behind a pointer that is cast: they are shown as members of a
union, so that the rules of words (words.py, loops.py) are the same for all three."""

import re
from collections.abc import Callable
from copy import copy

from copies import Copies
from kinds import ELEMENT, Kind
from statements import Function, Statement, variable
from variants import Shapes

_WORD = re.compile(r"(?:const )?(?:unsigned )?int(?:D\.\d+)? ?(?P<pointer>\*)? ?(?:const )?")
_COPY = re.compile(r"(?:_\d+ = )?memcpyD\.\d+ \((?P<to>[^,]+), (?P<of>[^,]+), (?P<bytes>\d+)\)")
_AT = r"MEM\[\([^()]*\){} \+ (\d+)B\]"  # a word behind a pointer
_ELEMENT, _WORDS = "elementD.0", "wordsD.0"  # the members
_TYPE = "union words_of_an_elementD.0 "
_SHOWN = re.compile(r"simt::__local_array<.*>::~?__local_arrayD")  # an array to the device


class _View:
    """A function that is being rewritten."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.lines = [(line, statement, statement.text) for line, statement in function._lines]
        self.unions: set[str] = set()

    def uses(self, name: str) -> list[str]:
        """The statements with a name, except those that only end its life."""
        word = re.compile(rf"(?<![\w.$]){re.escape(name)}(?![\w])")
        return [text.rstrip(";") for _, _, text in self.lines if word.search(text) and "{CLOBBER" not in text]

    def change(self, pattern: str, to: str | Callable[[re.Match[str]], str]) -> None:
        self.lines = [(line, s, re.sub(pattern, to, text)) for line, s, text in self.lines]

    def drop(self, texts: list[str]) -> None:
        self.lines = [entry for entry in self.lines if entry[2].rstrip(";") not in texts]

    def result(self) -> Function:
        new = copy(self.function)
        for name in ("statements", "blocks", "named", "after"):
            new.__dict__.pop(name, None)
        declared = copy(self.function._declared)
        declared.types = {
            name: {_TYPE} if name in self.unions or name in map(variable, self.unions) else texts
            for name, texts in declared.types.items()
        }
        declared.lengths = {name: n for name, n in declared.lengths.items() if name not in self.unions}
        new.__dict__["_declared"] = declared
        new.__dict__["_lines"] = [
            (line, s if s.text == text else Statement(s.file, s.line, text, s.is_volatile))
            for line, s, text in self.lines
        ]
        return new


class Unions(Copies):
    """A part of rule 2 of parametric.py, for the functions of one dump."""

    def with_unions(self, function: Function) -> Function:
        """The function with unions; the same where there is none to show."""
        view = _View(function)
        for name in list(function.lengths):
            self._show_array(view, name)
        for _, _, text in list(view.lines):
            made = re.fullmatch(r"([A-Za-z_]\w*_\d+) = &([A-Za-z_]\w*D\.\d+);", text)
            if made:
                self._show_pointer(view, made[1], made[2])
        if not view.unions:
            return function
        self.has_unions = True
        self.fields[_ELEMENT] = Kind(ELEMENT, 0)
        return view.result()

    def _is_element(self, function: Function, text: str) -> bool:
        return self.typed(function, text)[0] == Kind(ELEMENT, 0)

    def _show_array(self, view: _View, name: str) -> None:
        """An array of as many words as an element has that are copied from one or to one as a whole."""
        texts = view.function.types.get(name, set())
        if not all((found := _WORD.fullmatch(text.strip())) and not found["pointer"] for text in texts):
            return
        size, copies = 4 * view.function.lengths[name], 0
        for text in view.uses(name):
            found = _COPY.fullmatch(text)
            if found:
                ends = [found["to"], found["of"]]
                if ends.count("&" + name) != 1 or int(found["bytes"]) != size:
                    return
                other = ends[1 - ends.index("&" + name)]
                if not self._is_element(view.function, other[1:] if other.startswith("&") else "*" + other):
                    return
                copies += 1
            elif not _SHOWN.match(text) and re.search(rf"(?<!&){re.escape(name)}(?!\[)", text):
                return
        if copies == 0:
            return

        def assigned(found: re.Match[str]) -> str:
            to, of = (
                f"{name}.{_ELEMENT}" if end == "&" + name else end[1:] if end.startswith("&") else "*" + end
                for end in (found["to"], found["of"])
            )
            return f"{to} = {of}" if "&" + name in (found["to"], found["of"]) else found[0]

        for _, statement, text in view.lines:
            if _COPY.match(text) and "&" + name in text:  # its number of bytes is one of elements, in each type
                before = text[: text.rindex(",")]
                self.multiples[id(statement)] = len(Shapes(view.function).of(before)[1])
        view.change(rf"^({_SHOWN.pattern}.*)&{re.escape(name)}(?!\w)", r"\g<1>0B")
        view.change(_COPY.pattern, assigned)
        view.change(rf"(?<![\w.$]){re.escape(name)}(?=\[)|(?<=&){re.escape(name)}(?![\w.])", f"{name}.{_WORDS}")
        view.unions.add(name)

    def _show_pointer(self, view: _View, pointer: str, name: str) -> None:
        """A pointer to the words of a variable that is an element, from which it goes to a word by its index."""
        function = view.function
        texts = function.types.get(variable(pointer), set())
        is_words = bool(texts) and all((f := _WORD.fullmatch(t.strip())) and f["pointer"] for t in texts)
        if not is_words or not (name in view.unions or self._is_element(function, name)):
            return
        drop, places = [f"{pointer} = &{name}"], dict[str, str]()
        for text in view.uses(pointer):
            moved = re.fullmatch(rf"(_\d+) = {pointer} \+ (\S+)", text)
            if text == drop[0]:
                continue
            if not moved:
                if not re.search(rf"\*{pointer}(?!\w)|{_AT.format(pointer)}", text):
                    return
                places[pointer] = "0"
                continue
            index = self._index(view, moved[2], drop)
            others = [use for use in view.uses(moved[1]) if use != text]
            if not index or any(f"*{moved[1]}" not in use for use in others):
                return
            places[moved[1]] = index
            drop.append(text)
        if name not in view.unions:
            view.change(rf"(?<![\w.$]){re.escape(name)}(?!\w)(?! = \{{CLOBBER)", f"{name}.{_ELEMENT}")
            drop[0] = f"{pointer} = &{name}.{_ELEMENT}"
        view.drop(drop)
        view.change(_AT.format(pointer), lambda at: f"{name}.{_WORDS}[{int(at[1]) // 4}]")
        for place, index in places.items():
            view.change(rf"\*{place}(?!\w)", f"{name}.{_WORDS}[{index}]")
        view.unions.add(name)

    @staticmethod
    def _index(view: _View, offset: str, drop: list[str]) -> str:
        """The index of a word at this offset; its computation is dropped if it serves nothing else."""
        if offset.isdigit():
            return str(int(offset) // 4) if int(offset) % 4 == 0 else ""
        for text in view.uses(offset):
            times = re.fullmatch(rf"{offset} = (\S+) \* 4", text)
            if times:
                made = [t for t in view.uses(times[1]) if t.startswith(times[1] + " = ")]
                cast = re.fullmatch(rf"{times[1]} = \([^()]*\) (\S+)", made[0]) if made else None
                if len(view.uses(offset)) == 2 and len(view.uses(times[1])) == 2 and cast:
                    drop += [text, made[0]]
                    return cast[1]
        return ""
