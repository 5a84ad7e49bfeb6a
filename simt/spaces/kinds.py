"""The types of a dump's expressions, as far as elements are concerned, and which may be assigned to which."""

import re
from dataclasses import dataclass

from statements import NAME, UID, Broken, Function, Functions, call_in, variable

_TYPEDEF = re.compile(r"\btypedef\s+(\w+)\s+(\w+)\s*;|\busing\s+(\w+)\s*=\s*(\w+)\s*;")
# Another name for a struct: `using A = typename B<C>::D;` or `typedef B<C> A;`. The name of the struct is the last one.
_ANOTHER = re.compile(
    r"\busing\s+(\w+)\s*=\s*(?:typename\s+|struct\s+)*(?:\w+\s*(?:<[^;{}]*>)?\s*::\s*)*(\w+)\s*(?:<[^;{}]*>)?\s*;"
    r"|\btypedef\s+(?:typename\s+|struct\s+)*(?:\w+\s*(?:<[^;{}]*>)?\s*::\s*)*(\w+)\s*(?:<[^;{}]*>)?\s+(\w+)\s*;"
)
# Structs without elements that headers declare before elem_t. A later declaration has a larger number in a dump.
_NUMBERS = re.compile(r"dim3|u?(?:char|short|int|long|longlong|float|double)[1-4]|simt_configuration|CU\w+_st|FILE")

ELEMENT, VOID, SCALAR = "element", "void", "number"
BYTES = frozenset(("char", "unsigned char", "signed char"))
_UNTYPED = BYTES | {"void", "byte"}  # pointers to these lead to memory without a type; not to constants, which have one


@dataclass(frozen=True)
class Kind:
    """A type: what its pointers finally lead to, and the number of pointers on the way."""

    base: str  # ELEMENT, VOID (memory without a type), SCALAR, the name of a struct or union, or a function's type
    depth: int

    def holds(self) -> bool:
        """Whether memory of this kind can hold elements."""
        return self.base not in (VOID, SCALAR)

    def is_address(self) -> bool:
        """Whether this is an address of memory or of a function."""
        return self.depth > 0 or self.base.startswith("function")


def _renamed(source: str, named: set[tuple[str, str]], inside: dict[str, str]) -> dict[str, str]:
    """The structs with another name that the source declares once. A dump has that name where the source has it."""
    numbers: dict[str, set[str]] = {}
    for name, uid in named:
        if f"D.{uid}" not in inside:
            numbers.setdefault(name, set()).add(uid)
    pairs = [(a or d, b or c) for a, b, c, d in _ANOTHER.findall(source)]
    others, found = dict(pairs), {}
    for name, first in others.items():
        of, seen = first, {name}
        while of in others and of not in seen:
            seen.add(of)
            of = others[of]
        is_one = len(numbers.get(of, ())) == 1 and [pair[0] for pair in pairs].count(name) == 1
        if is_one and of not in others and not re.search(rf"\b(?:struct|class|union)\s+{name}\b", source):
            found.update({f"{name}D.{uid}": f"{of}D.{min(numbers[of])}" for uid in numbers.get(name, ())})
    return found


class Kinds:
    """Rules 1 and 2 for the functions of one dump."""

    def __init__(self, functions: Functions, source: str) -> None:
        self.functions = functions
        self.aliases = {"elem_t", "opaque_t"}
        self.fields: dict[str, Kind] = {}
        self.named: dict[str, set[str]] = {}  # the fields that are named, of a struct or of a field that is a struct
        self._kinds: dict[str, Kind] = {}  # of types that have been read
        self.holders: set[str] = set()  # the structs with a member that is an element, or one of these structs
        types = str([f.types for f in functions.all()])
        self.first = min(map(int, re.findall(r"\b(?:elem_t|opaque_t)D\.(\d+)", types)), default=0)
        # Inside a class, its name has a number of its own, the one after that of the class.
        named = set(re.findall(r"([\w>]+)D\.(\d+)", types))
        self._inside = {f"D.{int(uid) + 1}": f"D.{uid}" for name, uid in named if (name, str(int(uid) + 1)) in named}
        self._renamed = _renamed(source, named, self._inside)
        self._moved = self._types_of_copies() | self._types_of_arrays(named) | self._types_of_identities()
        self.alike: list[tuple[str, str, str]] = []  # structs that a pointer leads to by two names
        self.carried: set[Kind] = set()  # what pointers to bytes become, or are made of
        self.has_unions = re.search(r"\bunion\b", source + types) is not None
        for _ in range(4):
            for a, b, c, d in _TYPEDEF.findall(source):
                if a in self.aliases or d in self.aliases:
                    self.aliases.add(b or c)

    def _types_of_identities(self) -> dict[str, str]:
        """What a dump calls `type`: the struct that std::move() and its like take and return. One of both has its
        name."""
        found: dict[str, set[str]] = {}
        for function in self.functions.all():
            if function.is_identity and function.parameters:
                sides = [re.sub(r"[&*]|\bconst\b", "", t).strip() for t in (function.result, function.parameters[0][0])]
                for one, other in (sides, sides[::-1]):
                    if one.startswith("struct typeD.") and other.startswith("struct "):
                        found.setdefault(one[7:], set()).add(other[7:])
        return {name: of.pop() for name, of in found.items() if len(of) == 1 and not str(*of).startswith("typeD.")}

    def _types_of_copies(self) -> dict[str, str]:
        """The typedefs of structs, by the structs. The two sides of a copy of a whole variable have one type, and a
        struct is declared before its typedefs."""
        first: dict[str, str] = {}  # the earliest of all names that are known to mean one type
        for function in self.functions.all():
            for statement in function.statements:
                copied = re.fullmatch(rf"({NAME.pattern}) = ({NAME.pattern});", statement.text)
                sides = [" ".join(function.types.get(name, ())) for name in copied.groups()] if copied else []
                structs = [s[1] for side in sides if (s := re.fullmatch(r"(?:const )?struct (\S+D\.\d+) ?", side))]
                if len(structs) < 2 or set(structs) & set(self._renamed):
                    continue
                known = sorted(
                    {first.get(name, name) for name in structs}, key=lambda name: int(name.rpartition(".")[2])
                )
                alike = {name for name, of in first.items() if of in known} | set(known)
                first |= dict.fromkeys(alike, known[0])
        return {name: of for name, of in first.items() if name != of}

    def _types_of_arrays(self, named: set[tuple[str, str]]) -> dict[str, str]:
        """What the library calls the type of a std::array's elements, where the array is one of elements."""
        uids = {uid for name, uid in named if name in self.aliases}
        found: dict[str, str] = {}
        for function in self.functions.all():
            of = re.match(r"std::array<(\w+), \d+>::", function.name)
            if of and of[1] in self.aliases and uids and function.is_of_library:
                texts = str([function.result, function.types])
                found.update({name: f"{of[1]}D.{min(uids)}" for name in re.findall(r"\bvalue_typeD\.\d+", texts)})
        return found

    # ---- types ------------------------------------------------------------------------------------------------

    def kind(self, text: str) -> Kind:
        """The kind of a type as it is written in the dump."""
        known = self._kinds.get(text)
        if known is None:
            known = self._kinds[text] = self._read_kind(text)
        return known

    def _read_kind(self, text: str) -> Kind:
        if "(*" in text or "(&" in text or re.search(r"\)\s*\(", text):
            of = text.rstrip(" *&")  # a reference to a pointer to a function: void (*) (int) &
            depth = len(re.findall(r"[*&]", text[len(of) :]))
            return Kind("function " + re.sub(r"<T[0-9a-f]+>", "", self._plain(of)), depth)
        depth = text.count("*") + text.count("&")
        is_struct = re.search(r"\b(struct|union|class)\b", text) is not None
        name = re.sub(r"\[[^\]]*\]|[*&]", " ", text)
        name = re.sub(r"\b(const|volatile|restrict|static|register|struct|union|class|enum)\b", " ", name).strip()
        name = self._moved.get(name, name)
        plain = UID.sub("", name).strip()
        if plain in self.aliases:
            return Kind(ELEMENT, depth)
        declared = UID.search(name)
        is_earlier = declared is not None and int(declared[0][2:]) < self.first
        if is_struct and not (is_earlier and _NUMBERS.fullmatch(plain)):
            name = " ".join(UID.sub(lambda uid: self._inside.get(uid[0], uid[0]), name).split())
            name = self._renamed.get(name, name)
            return Kind(("union " if "union" in text else "struct ") + name, depth)
        is_constant = re.search(r"\bconst\b", text.partition("*")[0]) is not None
        return Kind(VOID if plain in _UNTYPED and not is_constant else SCALAR, depth)

    def _plain(self, text: str) -> str:
        for alias in self.aliases:
            text = re.sub(rf"\b{alias}D\.\d+", "element", text)
        return " ".join(UID.sub("", re.sub(r"\b(const|volatile)\b", "", text)).split())

    def declared(self, function: Function, name: str) -> Kind | None:
        """The kind of a variable or SSA name; None when the dump does not give it."""
        texts = function.types.get(name.removesuffix("(D)")) or function.types.get(variable(name)) or set()
        kinds = {self.kind(text) for text in texts}
        if len(kinds) > 1:
            # Two variables with one name: elements of both, or addresses of these. The values show which one it is.
            if {kind.base for kind in kinds} == {ELEMENT} and (of := self._of_value(function, name, kinds)):
                return of
            if any(kind.holds() for kind in kinds):
                raise Broken(f"two variables have the name {variable(name)}, and one of them leads to elements")
            return Kind(SCALAR, max(kind.depth for kind in kinds))
        return kinds.pop() if kinds else None

    def _of_value(self, function: Function, name: str, kinds: set[Kind]) -> Kind | None:
        """The kind of the value that an SSA name has."""
        text = next((s.text for s in function.statements if s.text.startswith(name + " = ")), "")
        of = text.partition(" = ")[2].rstrip(";")
        call = call_in(of)
        called = self.functions.called(call[1], of[: call.start()]) if call else []
        kind = self.kind(called[0].result) if called else None if call else self.typed(function, of)[0]
        return kind if kind in kinds else None

    # ---- expressions ------------------------------------------------------------------------------------------

    def typed(self, function: Function, text: str) -> tuple[Kind | None, str]:
        """The type of an expression. For a field whose type is unknown: None, and the field."""
        # What a function returns, or the address where it puts that: a dump has one name for both.
        text = text.strip().replace("*<retval>", "<retval>").replace("<retval>->", "<retval>.").replace('&"', '"')
        if text.startswith("&"):
            kind, key = self.typed(function, text[1:])
            member = re.match(r"(.*)(?:\.|->)[\w.$#]*?D\.\d+$", text[1:])
            of = self.typed(function, member[1])[0] if member and kind is None else None
            if of and of.base.startswith("struct ") and of.base in self.holders:
                raise Broken("a pointer to a number in a struct with elements can reach these")
            return (Kind(kind.base, kind.depth + 1), "") if kind else (None, "&" + key)
        if text.startswith("MEM"):
            cast = re.match(
                r"MEM(?: <(?P<of>.*?)>)? \[\((?P<to>.*?[*&])\)(?P<what>[^\]]*?)(?: \+ \S+)?\](?P<rest>.*)$",
                text.replace("MEM[", "MEM [", 1),
            )
            if not cast:
                raise Broken("memory is read in a way that this check cannot follow")
            to = self.kind(cast["to"])
            inner = self.typed(function, cast["what"])
            self.meet((to, ""), inner, "memory that can hold elements is read as something else")
            if cast["of"]:
                of = self.kind(cast["of"])
                if of != Kind(to.base, to.depth - 1) and (of.holds() or to.holds()):
                    raise Broken("memory that can hold elements is read as something else")
            return self._rest(function, (Kind(to.base, to.depth - 1), ""), cast["rest"])
        if text.startswith("("):
            depth = 0
            for i, c in enumerate(text):
                depth += (c == "(") - (c == ")")
                if depth == 0:
                    return self._rest(function, self.typed(function, text[1:i]), text[i + 1 :])
        if text.startswith("*"):
            kind, key = self.typed(function, text[1:])
            return (Kind(kind.base, kind.depth - 1), "") if kind else (None, "*" + key)
        name = re.match(r"<retval>", text) or NAME.match(text)
        if not name:
            return (Kind(SCALAR, 1) if text.startswith('"') else None), ""
        kind = self.kind(function.result) if name[0] == "<retval>" else self.declared(function, name[0])
        if kind is None:
            kind = self.fields.get(name[0])
        return self._rest(function, (kind, "" if kind else name[0]), text[name.end() :])

    def _rest(self, function: Function, base: tuple[Kind | None, str], rest: str) -> tuple[Kind | None, str]:
        """The type after .field, ->field and [index]."""
        last = ""
        while rest:
            step = re.match(r"(?:\.|->)([\w.$#]*?D\.\d+)|\[[^\]]*\]", rest)
            if not step:
                return base
            rest = rest[step.end() :]
            if step[1] is None:
                continue
            if base[0] is None and self.has_unions and base[1] and not base[1].startswith("threadIdx"):
                base = (None, base[1])
            if base[0] == Kind(ELEMENT, 0):
                raise Broken("an element is read as something else")
            kind = self.fields.get(step[1])
            for of in (base[0].base if base[0] else "", last):
                self.named.setdefault(of, set()).add(step[1])
            last = step[1]
            if base[0] and kind and kind.depth == 0 and (kind.base == ELEMENT or kind.base in self.holders):
                self.holders.add(base[0].base)
            base = (kind, "" if kind else step[1])
        return base

    def is_of_elements(self, kind: Kind | None) -> bool:
        """Whether this is an element, or a struct whose used fields are all elements. The types of the labs are aligned
        to their size, so the elements of such a struct lie in memory as those of an array do."""
        if kind is None or kind.depth > 0 or not kind.base.startswith("struct "):
            return kind is not None and kind.base == ELEMENT
        fields = self.named.get(kind.base, set())
        return bool(fields) and all(self.is_of_elements(self.fields.get(field)) for field in fields)

    def meet(self, to: tuple[Kind | None, str], of: tuple[Kind | None, str], what: str) -> None:
        """Checks an assignment: both sides have one type, or no elements are involved."""
        if to[0] is None and of[0] is None:
            return
        if to[0] is None or of[0] is None:
            known, key = (to[0], of[1]) if to[0] else (of[0], to[1])
            assert known is not None
            depth = known.depth + key.count("*") - key.count("&")
            name = key.lstrip("*&")
            if name and depth >= 0 and (known.holds() or known.depth > 0):
                self.fields.setdefault(name, Kind(known.base, depth))
            return
        if to[0] == of[0]:
            return
        if to[0].depth != of[0].depth and max(to[0].depth, of[0].depth) > 1:
            raise Broken("an address is read as something else", "closed")
        if self.carries(to[0], of[0]) or not (to[0].holds() or of[0].holds()):
            return
        if to[0].depth == 0 and of[0].depth == 0 and to[0].holds() and of[0].holds():
            return  # g++ has checked it
        if all(kind.depth == 1 and kind.base.startswith("struct ") for kind in (to[0], of[0])):
            self.alike.append((to[0].base, of[0].base, what))
            self.none_named()
            return
        raise Broken(what)

    def carries(self, to: Kind, of: Kind) -> bool:
        """Does a pointer to bytes become one to elements? Notes what such pointers are used for: see carried.py."""
        if to.depth != of.depth or to.depth == 0 or VOID not in (to.base, of.base):
            return False
        self.carried.add(of if to.base == VOID else to)
        return to.depth == 1 and of.base == VOID

    def none_named(self) -> None:
        """Structs with two names, as a group of threads has, are harmless if no function of the part uses a member."""
        for one, other, what in self.alike:
            if any(not member.startswith("D.") for member in self.named.get(one, set()) | self.named.get(other, set())):
                raise Broken(what)

    @staticmethod
    def none_held(of: tuple[Kind | None, str], what: str) -> None:
        if of[0] and of[0].holds() and not of[0].base.startswith("function"):
            raise Broken(what)
