"""Inspects the compiled code of a submission before it is loaded, because loading a library runs code.

An object file is refused when it defines a name that belongs to the harness or to the compiler's hooks, imports a
function that is on no list, contains an instruction that enters the kernel, or has sections or symbols with which the
loader would do more than load. With the hooks and these lists, the CPU device sees every memory access of the code, and
the runner's filter sees every system call.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path

import capstone  # type: ignore[import-untyped]
from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import Section, Symbol, SymbolTableSection

from grader.model.older_python import parse_toml

IMPORTS = Path(__file__).with_name("imports.toml")
EXPORTS = Path(__file__).parents[2] / "simt" / "exports.list"

# Limits for one object file. The largest of the reference has less than a fifteenth of each.
OBJECT_BYTES = 4 << 20
SYMBOLS = 12_000
SYMBOL_LENGTH = 4000
RELOCATIONS = 60_000
VARIABLES = 512 << 20  # bytes. Several runners have them at the same time, and each that is started needs new pages.

# The ending of a build for proofs. In it g++ fills variables that nothing has set, and long arrays by a call of memset,
# which labs/support/call/wrapping.c defines. The builds that earn points call memset under the device's name only.
_CHECKED = ".checked.o"
_FILLS = "memset"

_ALLOCATED, _EXECUTED = 2, 4  # flags of a section

# Errors from reading a file that is damaged or not an object file. Sizes in it may ask for any amount of memory.
_DAMAGED = (ELFError, OSError, ValueError, KeyError, UnicodeDecodeError, MemoryError, OverflowError)

# A definition of one of these would replace the compiler's hooks, the device or the harness.
_RESERVED = (
    *("__tsan_*", "__sanitizer_*", "__ubsan_*", "__asan_*", "__*v[sd]i[23]"),
    *("main", "_start", "_init", "_fini", "lab_parts", "stock_*"),
)
_SECTIONS = (
    *("", ".text", ".text.*", ".data", ".data.*", ".bss", ".bss.*", ".rodata", ".rodata.*", ".tdata*", ".tbss*"),
    *(".init_array*", ".fini_array*", ".eh_frame", ".gcc_except_table*", ".group", ".comment", ".note*", ".rel*"),
    *(".debug_*", ".symtab", ".strtab", ".shstrtab", ".symtab_shndx", "simt_*", ".llvm*"),
)
_KERNEL_ENTRIES = {
    "x64": {"syscall", "sysenter", "int", "int1", "into", "sysret", "sysexit"},
    "AArch64": {"svc", "hvc", "smc"},
}
# With and without authentication of the address, by either key, with a register or with zero.
_BRANCHES_OF_ARM64 = {name + key for name in ("blr", "br") for key in ("", "aa", "ab", "aaz", "abz")}
_COMPUTED = {"x64": {"call", "jmp", "lcall", "ljmp", "notrack jmp", "notrack call"}, "AArch64": _BRANCHES_OF_ARM64}
_TELLING_BYTES = {  # every such instruction contains these bytes
    "x64": re.compile(rb"\x0f[\x05\x34\x07\x35]|\xcd|\xf1|\xff[\x10-\x2f\x50-\x6f\x90-\xaf\xd0-\xef]", re.DOTALL),
    "AArch64": re.compile(rb"\xd4|[\x1f\x3f][\xd6\xd7]", re.DOTALL),
}
_ADDRESS = re.compile(r"#?(?:0x[0-9a-f]+|\d)")
# Lengths in mangled names. A name's length has at most as many digits as NAME_LENGTH allows, so only short numbers are
# read.
_LENGTH = re.compile(r"L?(\d{1,4})(?!\d)")
_OF_A_FUNCTION = re.compile(r"E(\d{1,4})(?!\d)")
_AFTER_A_NAME = 64  # characters that may follow the name of a local variable to distinguish variables of the same name
# The code that cuda_runtime.h makes for <<<>>> calls the kernel through its address
_LAUNCHES = re.compile(r"_ZN4simt\d+__bound")


@dataclass(frozen=True, slots=True)
class Names:
    """The symbols that code may define and import."""

    allowed: re.Pattern[str]
    # Reason and pattern of symbols that are refused although a list allows them
    refused: tuple[tuple[str, re.Pattern[str]], ...]
    otherwise: tuple[tuple[str, re.Pattern[str]], ...]  # reason and pattern of symbols that no list allows
    device: re.Pattern[str]  # functions of the device: these may be imported, but not defined

    def why_not(self, symbol: str) -> str | None:
        """The reason why the symbol must not be imported; None when it may be."""
        for why, pattern in self.refused:
            if pattern.fullmatch(symbol):
                return why
        if self.device.fullmatch(symbol) or self.allowed.fullmatch(symbol):
            return None
        for why, pattern in self.otherwise:
            if pattern.fullmatch(symbol):
                return why
        return "is not among the functions that a lab's code may call (grader/walls/imports.toml lists them)"


@lru_cache
def read_names() -> Names:
    """Reads the lists of grader/walls/imports.toml and of the device's linker script."""
    table = parse_toml(IMPORTS.read_text(encoding="utf-8"))
    listed = re.sub(r"/\*.*?\*/", "", EXPORTS.read_text(encoding="utf-8"), flags=re.DOTALL)
    return Names(
        _pattern(table["allowed"]),
        _reasons(table["refused"]),
        _reasons(table["otherwise"]),
        _pattern(re.findall(r"[\w*]+(?=;)", listed)),
    )


def _reasons(table: dict[str, list[str]]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((why, _pattern(patterns)) for why, patterns in table.items())


@dataclass(frozen=True, slots=True)
class Inspected:
    """The result of inspecting an object file."""

    wrong: list[str]  # one sentence for each fault, beginning with the symbol; empty when there is none
    variables: set[str]  # names, without namespaces, of variables that are not local to a function


def inspect_object(path: Path, names: Names) -> Inspected:
    """Inspects an object file: its faults and its variables."""
    try:
        with path.open("rb") as stream:
            elf = ELFFile(stream)
            if long := _too_much(path.stat().st_size, elf):
                return Inspected([f"{path.name} {long}"], set())
            symbols = list(_all_symbols(elf))  # reading the symbols takes longest
            if any(len(symbol.name) > SYMBOL_LENGTH for symbol in symbols):
                return Inspected([f"{path.name} has a symbol of more than {SYMBOL_LENGTH} characters"], set())
            filled = path.name.endswith(_CHECKED)
            wrong = [*_symbols(symbols, names, filled), *_sections(elf), *_instructions(elf, symbols)]
    except _DAMAGED as error:
        return Inspected([f"{path.name} is no object file that can be looked through: {error}"], set())
    data = (symbol for symbol in symbols if symbol["st_info"]["type"] in ("STT_OBJECT", "STT_TLS"))
    return Inspected(wrong, {name for symbol in data for name in _plain_names(symbol.name)})


def _too_much(size: int, elf: ELFFile) -> str:
    """The size limit that an object file exceeds; empty when there is none."""
    tables = list(elf.iter_sections())
    symbols = sum(table.num_symbols() for table in tables if isinstance(table, SymbolTableSection))
    relocations = sum(table.num_relocations() for table in tables if isinstance(table, RelocationSection))
    for count, most, what in (
        (size, OBJECT_BYTES, "bytes"),
        (symbols, SYMBOLS, "functions, variables and other symbols"),
        (relocations, RELOCATIONS, "references from its code and data"),
    ):
        if count > most:
            return f"has {count} {what}, and a lab's object has at most {most}: write less code"
    return ""


def uncalled(path: Path) -> set[str]:
    """The functions of an object file that no call can reach.

    An example is the copy of a function that was inlined at every call, which the compiler keeps because another file
    might call it. No other file does, except the table of parts, and the names of parts are those of C.
    """
    with path.open("rb") as stream:
        elf = ELFFile(stream)
        defined = list(_defined_functions(_all_symbols(elf)))
        functions: dict[tuple[int, int], set[str]] = {}  # (section, address) -> names; a function can have an alias
        for symbol in defined:
            functions.setdefault((symbol["st_shndx"], symbol["st_value"]), set()).add(symbol.name)
        extents = {section: _Extents(defined, section) for section in {place[0] for place in functions}}
        waiting = {
            (symbol["st_shndx"], symbol["st_value"])
            for symbol in defined
            if symbol["st_info"]["bind"] == "STB_LOCAL" or not symbol.name.startswith("_Z")
        }
        callees: dict[tuple[int, int], set[tuple[int, int]]] = {}
        for section, offset, callee in _references(elf):
            if callee not in functions:
                continue
            if section not in extents:  # the relocation is in a table of data
                waiting.add(callee)
            elif (caller := extents[section].at(offset)) is not None:
                callees.setdefault((section, caller[0]), set()).add(callee)
    reached: set[tuple[int, int]] = set()
    while waiting:
        place = waiting.pop()
        reached.add(place)
        waiting |= callees.get(place, set()) - reached
    return {name for place in functions.keys() - reached for name in functions[place]}


def _references(elf: ELFFile) -> Iterator[tuple[int, int, tuple[int, int]]]:
    """For each relocation of code and data: its section, its offset there, and the section and address of its
    symbol."""
    for relocations in elf.iter_sections():
        if not isinstance(relocations, RelocationSection):
            continue
        index = relocations["sh_info"]
        target = elf.get_section(index)
        # This table refers to every function and calls none
        if not target["sh_flags"] & _ALLOCATED or target.name == ".eh_frame":
            continue
        symbols = elf.get_section(relocations["sh_link"])
        assert isinstance(symbols, SymbolTableSection)
        for relocation in relocations.iter_relocations():
            symbol = symbols.get_symbol(relocation["r_info_sym"])
            # The symbol of a section represents a local function, or data.
            if isinstance(symbol["st_shndx"], int) and symbol["st_info"]["type"] != "STT_SECTION":
                yield index, relocation["r_offset"], (symbol["st_shndx"], symbol["st_value"])


def _all_symbols(elf: ELFFile) -> Iterator[Symbol]:
    for table in elf.iter_sections():
        if isinstance(table, SymbolTableSection):
            yield from table.iter_symbols()


def _symbols(symbols: list[Symbol], names: Names, filled: bool) -> Iterator[str]:
    for symbol in symbols:
        name, kind = symbol.name, symbol["st_info"]["type"]
        if kind in ("STT_SECTION", "STT_FILE") or not name:
            continue
        if kind in ("STT_LOOS", "STT_GNU_IFUNC"):
            yield f"{name} is an ifunc, which runs code while the library is loaded"
        elif symbol["st_shndx"] == "SHN_UNDEF":
            why = names.why_not(name)
            if why is not None and not (filled and name == _FILLS):
                yield f"{name} {why}"
        elif any(fnmatchcase(name, pattern) for pattern in _RESERVED):
            yield f"{name} is a name of the compiler's hooks or of the harness: choose another"
        elif symbol["st_info"]["bind"] != "STB_LOCAL" and names.device.fullmatch(name):
            yield f"{name} is a function of the CUDA runtime or of the device: choose another name"


def _sections(elf: ELFFile) -> Iterator[str]:
    if sum(section["sh_size"] for section in elf.iter_sections() if section["sh_flags"] & _ALLOCATED) > VARIABLES:
        yield f"its variables take more than {VARIABLES >> 20} MiB: make its arrays smaller"
    for section in elf.iter_sections():
        if not any(fnmatchcase(section.name, pattern) for pattern in _SECTIONS):
            yield f"section {section.name} has no place in a lab's code"
        elif _is_code(section) and section["sh_flags"] & 1:
            yield f"section {section.name} can be both written and executed"


def _instructions(elf: ELFFile, symbols: list[Symbol]) -> Iterator[str]:
    machine = elf.get_machine_arch()
    if machine not in _KERNEL_ENTRIES:
        yield f"code for {machine} cannot be looked through"
        return
    engine = (
        capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
        if machine == "x64"
        else capstone.Cs(capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM)
    )
    for index, section in enumerate(elf.iter_sections()):
        if not _is_code(section):
            continue
        code = section.data()
        if not _TELLING_BYTES[machine].search(code):
            continue
        end = 0
        functions = _Extents(_defined_functions(symbols), index)
        for address, size, mnemonic, operands in engine.disasm_lite(code, 0):
            end = address + size
            if mnemonic in _COMPUTED[machine] and not _ADDRESS.fullmatch(operands):
                _begin, name = functions.at(address) or (0, section.name)
                if not _LAUNCHES.match(name):
                    yield f"{_plain_name(name)} calls or jumps to a computed address: call functions by their names"
            if mnemonic in _KERNEL_ENTRIES[machine]:
                yield f"the instruction {mnemonic} enters the kernel (in section {section.name})"
        if end < len(code):
            yield f"section {section.name} holds bytes that are no instructions"


class _Extents:
    """The functions of a section, sorted by address. No two share code, but one may have several names."""

    def __init__(self, functions: Iterable[Symbol], section: int) -> None:
        here = [symbol for symbol in functions if symbol["st_shndx"] == section and symbol["st_size"]]
        found = {(symbol["st_value"], symbol["st_value"] + symbol["st_size"]): symbol.name for symbol in reversed(here)}
        self._ordered = sorted(found)
        self._names = found

    def at(self, address: int) -> tuple[int, str] | None:
        """The start and the name of the function that contains the address."""
        place = bisect_right(self._ordered, (address, 1 << 64)) - 1
        if place < 0 or address >= self._ordered[place][1]:
            return None
        return self._ordered[place][0], self._names[self._ordered[place]]


def _defined_functions(symbols: Iterable[Symbol]) -> Iterator[Symbol]:
    for symbol in symbols:
        if symbol["st_info"]["type"] == "STT_FUNC" and isinstance(symbol["st_shndx"], int):
            yield symbol


def _plain_name(symbol: str) -> str:
    """The last name in a C++ symbol, without namespaces and types; other symbols are returned unchanged."""
    found, nested = symbol, symbol.startswith(("_ZN", "_ZLN"))
    position = len(symbol) - len(re.sub(r"^_ZL?N?[KVRO]?", "", symbol))
    while symbol.startswith("_Z") and (match := _LENGTH.match(symbol, position)):
        position = match.end() + int(match[1])
        found = symbol[match.end() : position]
        if not nested:
            break
    return found


def _plain_names(symbol: str) -> Iterator[str]:
    """The possible variable names in a symbol. The symbol of a local variable begins with the whole function, in which
    other text may look like a variable. So every name that ends at the end of the symbol is a candidate."""
    if not symbol.startswith("_ZZ"):
        yield _plain_name(symbol)
        return
    for match in _OF_A_FUNCTION.finditer(symbol):
        end = match.end() + int(match[1])
        if 0 <= len(symbol) - end <= _AFTER_A_NAME:
            yield symbol[match.end() : end]


def _is_code(section: Section) -> bool:
    return bool(section["sh_flags"] & _EXECUTED)


def _pattern(patterns: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(_expression(text) for pattern in patterns for text in _alternatives(pattern)))


def _alternatives(pattern: str) -> list[str]:
    """Expands braces: a{b,c}d becomes abd and acd."""
    match = re.search(r"\{([^{}]*)\}", pattern)
    if match is None:
        return [pattern]
    before, after = pattern[: match.start()], pattern[match.end() :]
    return [text for choice in match[1].split(",") for text in _alternatives(before + choice + after)]


def _expression(pattern: str) -> str:
    """Translates a shell pattern, with * and [...], to a regular expression."""
    return re.sub(r"\\\*", ".*", re.escape(pattern)).replace(r"\[", "[").replace(r"\]", "]").replace(r"\-", "-")
