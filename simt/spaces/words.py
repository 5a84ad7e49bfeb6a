"""Checks that words of elements in unions are only moved."""

import re

from kinds import ELEMENT, SCALAR, Kind, Kinds
from statements import CALL, NAME, UID, Broken, Function, arguments_of, is_name, split, variable

_MEMBER = r"(?:\.|->)[\w.$#]*?D\.\d+"
SHUFFLE = re.compile(
    r"^(?:__shfl(?:_up|_down|_xor)?_sync"
    r"|cooperative_groups::simt_warp_group::shfl(?:_up|_down|_xor)?<(?:unsigned )?int>)"
)


class Words(Kinds):
    """Rule 2 of parametric.py for the functions of one dump."""

    def is_word(self, function: Function, text: str, words: set[str]) -> bool:
        """Is this a word of a union, or a variable that holds one or points to one?"""
        name = NAME.search(text)
        if not name:
            return False
        if variable(name[0]) in words:
            return True
        kind = self.declared(function, name[0])
        path = re.match(rf"\)?(?:\[[^\]]*\]|{_MEMBER})*", text[name.end() :])
        members = re.findall(_MEMBER, path[0] if path else "")
        # A dump does not give the type of a variable of the file, nor that of a member, which may be a union.
        is_of_file = kind is None and int((UID.findall(name[0]) or ["D.0"])[0][2:]) > self.first
        holds = [m.lstrip(".->") for m in members[:-1]]  # a member that has elements may be a union of them
        is_inside = any(self.is_of_elements(self.fields.get(f)) for m in holds for f in self.named.get(m, ()))
        if not members or not (is_of_file or is_inside or (kind and kind.base.startswith("union "))):
            return False
        of = self.typed(function, text.lstrip("&"))[0]
        return of is None or not (of.base == ELEMENT or self.is_of_elements(of))

    def words(self, function: Function) -> set[str]:
        words: set[str] = set()
        for _ in range(8):
            size = len(words)
            for statement in function.statements:
                text = statement.text.rstrip(";").removeprefix("# ")
                to, _, of = text.partition(" = ")
                plain = is_name(to)
                if plain and re.match(r"\(.*\) ", of):
                    of = of[of.index(") ") + 2 :]
                if plain and of.startswith("PHI <"):
                    moved = any(variable(n) in words for n in re.findall(r"(\S+?)\(\d+\)", of.replace("PHI <", "")))
                elif plain and SHUFFLE.match(of):
                    moved = any(self.is_word(function, a, words) for a in split(of.partition(" (")[2].rstrip(")")))
                else:
                    moved = plain and " (" not in of and self.is_word(function, of.split(" + ")[0], words)
                if moved:
                    words.add(variable(to))
            if len(words) == size:
                break
        return words

    def moves(self, function: Function, text: str, words: set[str]) -> None:
        """Rule 2 for one statement."""
        if re.match(r"# |simt_\w+D\.\d+ \(", text) or "{}" in text:
            return
        text = text.rstrip(";")
        to, _, of = text.partition(" = ")
        names = [n for n in NAME.findall(text) if variable(n) in words]
        self.decides(function, text, words)
        if text.startswith("if ("):
            if any((self.declared(function, n) or Kind(SCALAR, 0)).depth == 0 for n in names):
                raise Broken("a branch depends on a word of an element")
            return
        into = bool(of) and self.is_word(function, to, words) and not (is_name(to) and variable(to) in words)
        source = of[of.index(") ") + 2 :] if re.match(r"\([^()]*\) ", of) else of
        called = CALL.search(text)
        given = arguments_of(text, called) if called and "*<" not in text else []
        if any(argument.startswith("&") and self.is_word(function, argument, words) for argument in given):
            raise Broken("a function gets a pointer to a word of an element")
        simple = bool(re.fullmatch(r"[&*]?\S+|MEM\[.*\].*", source))
        from_word = simple and self.is_word(function, source, words)
        if not names and not into and not from_word:
            return
        is_shuffle = bool(SHUFFLE.match(source))
        advances = (
            bool(re.fullmatch(r"\S+ \+ \S+", source)) and (self.declared(function, to) or Kind(SCALAR, 0)).depth > 0
        )
        if not (of and (simple or is_shuffle or advances)):
            raise Broken("a word of an element is used as a number")
        if into and not (from_word or is_shuffle):
            raise Broken("a word of an element is made of something else")
        kept = to in function.types or variable(to) in function.types if is_name(to) else into
        if not kept and (from_word or is_shuffle):
            raise Broken("a word of an element goes to memory that is not an element's")

    def decides(self, function: Function, text: str, words: set[str]) -> None:
        """A word decides where memory is read or written, or from which lane."""

        def has_word(part: str) -> bool:
            of = [n for n in NAME.findall(part) if variable(n) in words]
            return any((self.declared(function, n) or Kind(SCALAR, 0)).depth == 0 for n in of)

        of = text.partition(" = ")[2].rstrip(";")
        shuffled = split(of.partition(" (")[2].rpartition(")")[0]) if SHUFFLE.match(of) else []
        moved = re.fullmatch(r"\S+ \+ (\S+)", of)
        deciding = [*re.findall(r"\[([^\]]*)\]", text), *shuffled[:1], *shuffled[2:], moved[1] if moved else ""]
        if any(map(has_word, deciding)):
            raise Broken("an address or a lane depends on a word of an element")
