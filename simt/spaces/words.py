"""Checks that words of elements in unions are only moved."""

import re

from kinds import ELEMENT, SCALAR, Kind, Kinds
from statements import NAME, UID, Broken, Function, is_name, split, variable

SHUFFLE = re.compile(r"^__shfl(?:_up|_down|_xor)?_sync")


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
        # A dump does not give the type of a variable of the file, which may be a union.
        is_of_file = kind is None and int((UID.findall(name[0]) or ["D.0"])[0][2:]) > self.first
        if not (is_of_file or (kind and kind.base.startswith("union "))) or (
            not re.search(r"(?:\.|->)[\w.$#]*D\.\d+", text[name.end() :])
        ):
            return False
        of = self.typed(function, text.lstrip("&"))[0]
        return of is None or of.base != ELEMENT

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
        if text.startswith("if ("):
            if any((self.declared(function, n) or Kind(SCALAR, 0)).depth == 0 for n in names):
                raise Broken("a branch depends on a word of an element")
            return
        into = bool(of) and self.is_word(function, to, words) and not (is_name(to) and variable(to) in words)
        if not names and not into:
            return
        source = of[of.index(") ") + 2 :] if re.match(r"\([^()]*\) ", of) else of
        simple = bool(re.fullmatch(r"[&*]?\S+|MEM\[.*\].*", source))
        is_shuffle = bool(SHUFFLE.match(source))
        advances = (
            bool(re.fullmatch(r"\S+ \+ \S+", source)) and (self.declared(function, to) or Kind(SCALAR, 0)).depth > 0
        )
        if not (of and (simple or is_shuffle or advances)):
            raise Broken("a word of an element is used as a number")
        if into and not self.is_word(function, source, words):
            raise Broken("a word of an element is made of something else")
