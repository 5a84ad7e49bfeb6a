"""nvcc's rules about which function may call which and use which variable, for the functions of one compilation."""

import re
from collections.abc import Callable, Iterable
from enum import Enum
from typing import NamedTuple

import library
from dump import Function, Use
from symbols import Variable

_VALUES = frozenset(("bool", "char", "int", "short", "long", "unsigned", "float", "double"))

SHARED_BYTES = 48 << 10  # maximum size of a block's __shared__ variables


class Space(Enum):
    """Where a function runs."""

    KERNEL = "kernel"
    DEVICE = "device"
    BOTH = "both"
    HOST = "host"
    UNKNOWN = "unknown"


class Fault(NamedTuple):
    """A use that nvcc rejects. Faults are sorted by place."""

    file: str
    line: int
    words: str


_OUR_FOLDERS = ("simt/include/", "simt/thrust/", "/cccl/nvidia/")

_OF_CUDA_STD = re.compile(r"_ZN?K?[RO]?St(4swap|4pair|5tuple|5array|8optional|10_Head_base|11_Tuple|1\d_Optional_)")
_INHERITED = re.compile(r"CI[12](?=[\dSN])")  # in the symbol of a constructor that `using base::base;` makes
_INTERNAL = re.compile(r"_Z(L|N[^I]*?L)\d")  # the symbol of a static function

ON_DEVICE = (Space.KERNEL, Space.DEVICE)

# What a call of these in device code means.
_STATEMENTS = {
    "__cxa_throw": "there are no exceptions in device code: return a value that says what went wrong",
    "__cxa_allocate_exception": "there are no exceptions in device code: return a value that says what went wrong",
    "__cxa_rethrow": "there are no exceptions in device code: return a value that says what went wrong",
    "__cxa_begin_catch": "there are no exceptions in device code: return a value that says what went wrong",
    "__dynamic_cast": "there is no dynamic_cast in device code",
    "__builtin_alloca_with_align": "an array in device code has a constant size: this one is known at run time only",
    "__cxa_guard_acquire": "a static variable in device code begins with a constant, and not with the value of a call",
}


class Judge:
    """The functions and variables of one compilation. `source` returns the text of a line of a file, or nothing."""

    def __init__(
        self,
        functions: Iterable[Function],
        variables: dict[str, Variable],
        source: Callable[[str, int], str],
        relocatable: bool,
        relaxed: bool,
    ) -> None:
        """`relocatable`: other files may define functions that these only declare, and only those know their spaces.
        `relaxed`: functions that are constexpr may run on the device, although no space is written."""
        self._functions = {function.symbol: function for function in functions}
        self._variables = variables
        self._source = source
        self._relocatable = relocatable
        self._relaxed = relaxed
        # Whether <cuda/std/...> is the host's library: include/simt_cuda_std.h.
        self._has_cuda_std = any("simt_cuda_std" in symbol for symbol in self._functions)
        self._known: dict[str, Space] = {}
        self._families = self._find_families()
        self._dynamic = self._find_dynamic_shared()
        self._used = {use.name for function in self._functions.values() for use in function.uses}

    def faults(self) -> list[Fault]:
        """All uses that nvcc would reject, sorted by place; at most one for each line."""
        found: list[Fault] = []
        for function in self._functions.values():
            if _is_ours(function) or library.is_standard(function.symbol):
                continue
            if _is_initialization(function):
                found += self._initialization(function)
            elif _is_launch(function):
                found += self._launch(function)
            else:
                found += self._declaration(function)
                found += self._body(function)
        found += self._called_back()
        by_line = {(fault.file, fault.line): fault for fault in sorted(found, reverse=True)}
        return sorted(by_line.values())

    def _called_back(self) -> list[Fault]:
        """Host operators that a library calls in device code: an algorithm of Thrust, or a reduction in a kernel."""
        ready = [function for function in self._functions.values() if self.space(function.symbol) in ON_DEVICE]
        seen: set[str] = set()
        found = []
        while ready:
            caller = ready.pop()
            for use in caller.uses:
                callee = self._find(use.name)
                if use.kind != "call" or callee is None or callee.symbol in seen or library.is_standard(callee.symbol):
                    continue
                seen.add(callee.symbol)
                if _is_ours(callee) and not callee.spaces:
                    ready.append(callee)
                elif (
                    _is_ours(caller) and callee.name.endswith("operator()") and self.space(callee.symbol) is Space.HOST
                ):
                    file, line, _ = min(callee.places, default=("", 0, 0))
                    words = f"{_short(callee)} is a host function, and a library calls it in device code"
                    found.append(Fault(file, line, f"{words}: write __device__ before its definition"))
        return found

    # ---- spaces

    def _find_families(self) -> dict[str, Space]:
        """The spaces of templates, by their names without arguments, because a specialization may omit its own."""
        return {
            _family(function): _written(function)
            for function in self._functions.values()
            if function.spaces and "I" in function.symbol
        }

    def _find_dynamic_shared(self) -> set[str]:
        """The file's `extern __shared__` arrays: references that are initialized by simt::__dynamic_shared, as cudac
        writes them."""
        uses = [use for f in self._functions.values() if _is_initialization(f) for use in f.uses]
        lines = {(use.file, use.line) for use in uses if "dynamic_shared" in use.name}
        return {use.name for use in uses if use.kind == "store" and (use.file, use.line) in lines}

    def space(self, symbol: str) -> Space:
        """Where a function runs. UNKNOWN if the sources do not say."""
        function = self._find(symbol)
        if function is None:
            return Space.UNKNOWN
        if function.symbol not in self._known:
            self._known[function.symbol] = Space.BOTH  # for a function that depends on itself
            self._known[function.symbol] = self._space_of(function)
        return self._known[function.symbol]

    def _find(self, symbol: str) -> Function | None:
        # A constructor is called by one symbol, C1, and defined by another, C2. The same holds for a destructor.
        return (
            self._functions.get(symbol)
            or self._functions.get(re.sub(r"([CD])[14](?=E|I)", r"\g<1>2", symbol))
            or self._functions.get(_INHERITED.sub("CI2", symbol))
        )

    def _space_of(self, function: Function) -> Space:
        if function.spaces or _is_ours(function):
            return _written(function) if function.spaces else Space.BOTH
        if (self._relaxed and self._is_constexpr(function)) or (self._has_cuda_std and self._is_of_cuda_std(function)):
            return Space.BOTH
        if library.is_standard(function.symbol):
            return Space.BOTH if library.is_on_device(function.symbol, function.name) else Space.HOST
        if _is_lambda(function):
            return self._space_of_lambda(function)
        if self._is_implicit(function):
            return self._derived(function)
        return self._space_of_template(function) if "I" in function.symbol else Space.HOST

    def _space_of_lambda(self, function: Function) -> Space:
        parent = self._parent(function)
        space = self.space(parent) if parent else Space.HOST
        return Space.DEVICE if space is Space.KERNEL else space

    def _space_of_template(self, function: Function) -> Space:
        if not self._is_specialization(function):
            return Space.HOST
        return self._families.get(_family(function), Space.BOTH)

    def _parent(self, function: Function) -> str:
        """The symbol of the function that contains a local symbol, _ZZ <encoding> E ..."""
        rest = function.symbol[3:]
        counted = re.match(r"(\d+)", rest)
        for i, letter in enumerate(rest):
            if letter == "E" and self._find("_Z" + rest[:i]):
                return "_Z" + rest[:i]
        if counted:  # extern "C"
            name = rest[counted.end() :][: int(counted[1])]
            return name if name in self._functions else ""
        return ""

    def _is_implicit(self, function: Function) -> bool:
        """Whether the compiler made this constructor, destructor or assignment, because of `= default` or of an
        inherited constructor."""
        if _INHERITED.search(function.symbol):
            return True
        scope, _, own = function.name.rpartition("::")
        plain = scope.rpartition("::")[2].partition("<")[0]
        if own.partition("<")[0].lstrip("~") != plain and own != "operator=":
            return False
        if len(function.places) != 1:
            return False
        file, line, column = next(iter(function.places))
        text = self._source(file, line)
        before, after = text[: column - 1], text[column - 1 :]
        if re.match(rf"~?(operator\s*=|{re.escape(plain)}\b)", after) is None:
            return False
        of_record = re.search(r"\b(struct|class|union)\s+(\S*\)\s*)?$", before)
        return of_record is not None or re.match(r"[^;{]*\)[^;{]*=\s*default\b", after) is not None

    def _is_constexpr(self, function: Function) -> bool:
        """Whether the word is written before it, in the lines of its declaration. The compiler's own constructors of
        the library's classes count, too."""
        file, line, column = min(function.places, default=("", 0, 0))
        text = self._source(file, line)[: max(column - 1, 0)]
        for at in range(line - 1, max(0, line - 12), -1):
            if re.search(r"[;}]", text.rpartition("{")[0]):
                break
            text = self._source(file, at) + "\n" + text
        # The first statement comes after the { of the body, or, in a constructor, before it.
        heads = [re.split(r"[;{}]", part)[-1] for part in (text, text.rpartition("{")[0])]
        if any("(" in head and re.search(r"\bconstexpr\b|\b_GLIBCXX\d*_CONSTEXPR\b", head) for head in heads):
            return True
        return library.is_standard(function.symbol) and self._is_implicit(function)

    def _is_of_cuda_std(self, function: Function) -> bool:
        """Whether it may be a function of cuda::std: those that are constexpr, or would be in C++20."""
        if not library.is_standard(function.symbol):
            return False
        return _OF_CUDA_STD.match(function.symbol) is not None or self._is_constexpr(function)

    def _is_specialization(self, function: Function) -> bool:
        """Whether `template <>` precedes it: then its spaces may be those of a template without code here."""
        file, line, _ = min(function.places, default=("", 0, 0))
        above = range(max(1, line - 4), line + 1)
        return any(re.search(r"\btemplate\s*<\s*>", self._source(file, i)) for i in above)

    def _derived(self, function: Function) -> Space:
        spaces = {self._callee_space(use.name) for use in function.uses if use.kind == "call"}
        if Space.HOST in spaces:
            return Space.HOST
        return Space.DEVICE if Space.DEVICE in spaces else Space.BOTH

    def _callee_space(self, symbol: str) -> Space:
        """Where a function runs that may have no code here, because it is in a library or is only declared."""
        space = self.space(symbol)
        if space is not Space.UNKNOWN:
            return space
        elsewhere = self._relocatable and symbol.startswith("_Z") and not library.is_standard(symbol)
        return Space.BOTH if elsewhere or library.is_on_device(symbol, "") else Space.HOST

    def _is_spelled_as_host(self, use: Use) -> bool:
        """Whether a function that device code may call as cuda::std::name is called as std::name."""
        prefix = re.match(r"_ZN?K?[RO]?St(\d+)", use.name)
        if self._relaxed or not self._has_cuda_std or prefix is None or library.is_on_device(use.name, ""):
            return False
        own = use.name[prefix.end() :][: int(prefix[1])]
        return re.search(rf"(?<!cuda::)\bstd::{own}\b", self._source(use.file, use.line)) is not None

    # ---- rules

    def _declaration(self, function: Function) -> list[Fault]:
        if function.name == "main" and function.spaces - {"host"}:
            words = "main runs on the host: it is neither a kernel nor a __device__ function"
            return [Fault(function.file, function.line, words)]
        if "global" not in function.spaces:
            return []
        name, problem = _short(function), ""
        if function.result != "void" and (function.returns or function.result in _VALUES):
            problem = f"{name} is a kernel, and a kernel returns nothing: write void, and store the result in memory"
        else:
            used = self._shared_bytes(function.symbol, set(), set())
            if used > SHARED_BYTES:
                problem = f"{name} has {used} bytes of __shared__ variables, and a block can have {SHARED_BYTES}"
        return [Fault(function.file, function.line, problem)] if problem else []

    def _shared_bytes(self, symbol: str, seen: set[str], counted: set[str]) -> int:
        function = self._find(symbol)
        if function is None or function.symbol in seen:
            return 0
        seen.add(function.symbol)
        own = [name for name in self._variables if name.startswith("_ZZ" + function.symbol[2:] + "E")]
        own += [use.name for use in function.uses if use.name in self._variables]
        total = 0
        for name in own:
            if name not in counted and self._variables[name].space == "shared":
                counted.add(name)
                total += self._variables[name].size
        calls = [use.name for use in function.uses if use.kind == "call"]
        return total + sum(self._shared_bytes(callee, seen, counted) for callee in calls)

    def _initialization(self, function: Function) -> list[Fault]:
        # g++ loops over an array of a class with constructors even if the default constructor does nothing.
        calls = {(use.file, use.line) for use in function.uses if use.kind == "call"}
        return [
            Fault(
                use.file, use.line, f"{_plain(use.name)} is in device memory, and begins with a constant or not at all"
            )
            for use in function.uses
            if (use.kind == "store" or (use.kind == "address" and (use.file, use.line) in calls))
            and use.name in self._variables
            and self._variables[use.name].space in ("device", "constant")
        ]

    def _launch(self, function: Function) -> list[Fault]:
        """Checks the two lambdas into which cudac translates a launch. Each calls the kernel and constructors of its
        parameters."""
        parent = self._parent(function)
        if parent and self.space(parent) in ON_DEVICE:
            use = next(iter(function.uses), None)
            words = "device code cannot launch a kernel: the CPU device has no dynamic parallelism"
            return [Fault(use.file, use.line, words)] if use else []
        found = []
        for use in function.uses:
            kernel = self._find(use.name)
            if kernel is None or _is_ours(kernel) or _copies(kernel):
                continue
            if self.space(use.name) is not Space.KERNEL:
                words = f"{_short(kernel)} is launched with <<<...>>>, and is no kernel: write __global__ before it"
                found.append(Fault(use.file, use.line, words))
            elif self._takes_host_lambda(kernel):
                words = "a lambda of host code cannot go to a kernel: write __device__ behind its [captures]"
                found.append(Fault(use.file, use.line, words))
        return found

    def _takes_host_lambda(self, kernel: Function) -> bool:
        """Whether a host lambda that is not __device__ is among the kernel's template arguments."""
        lambdas = [function for function in self._functions.values() if _is_lambda(function)]
        rest = kernel.symbol
        # The name of a lambda in an instance of a template contains those of the lambdas that the template got.
        for closure in sorted((_closure(f) for f in lambdas if "device" in f.spaces), key=len, reverse=True):
            rest = rest.replace(closure, "")
        return any(_closure(f) in rest for f in lambdas if "device" not in f.spaces)

    def _body(self, function: Function) -> list[Fault]:
        space = self.space(function.symbol)
        if self._is_derived(function) or self._is_left_out(function, space):
            return []
        found = []
        for use in function.uses:
            words = self._use(function, space, use)
            if words and not use.file.startswith("/usr/"):
                found.append(Fault(use.file, use.line, words))
        return found

    def _is_left_out(self, function: Function, space: Space) -> bool:
        """Device code that nvcc does not compile: a static function that nothing uses."""
        unused = _INTERNAL.match(function.symbol) is not None and function.symbol not in self._used
        return space in ON_DEVICE and unused

    def _is_derived(self, function: Function) -> bool:
        return not function.spaces and not _is_lambda(function) and self._is_implicit(function)

    def _use(self, function: Function, space: Space, use: Use) -> str:
        if use.name in self._variables:
            return self._variable(function, space, use)
        if use.kind == "call" and space in ON_DEVICE and use.name in _STATEMENTS:
            return _STATEMENTS[use.name]
        callee = self.space(use.name)
        target = self._find(use.name)
        name = _short(target) if target else _plain(use.name)
        if use.kind == "call":
            return self._call(function, space, use, name)
        if space in ON_DEVICE and callee is Space.HOST and target is not None and use.kind != "store":
            return (
                f"{name} is a host function, and {_role(function, space)} takes its address: write __device__ before it"
            )
        return ""

    def _call(self, function: Function, space: Space, use: Use, name: str) -> str:
        callee = Space.HOST if self._is_spelled_as_host(use) else self._callee_space(use.name)
        if callee is Space.KERNEL:
            return f"{name} is a kernel, and is called like a function: launch it, {name}<<<blocks, threads>>>(...)"
        if space in ON_DEVICE and callee is Space.HOST:
            target = self._find(use.name)
            own = target is not None and not library.is_standard(use.name) and not _is_ours(target)
            mend = "write __device__ before its definition" if own else "device code needs one of its own"
            return f"{name} is a host function, and {_role(function, space)} calls it: {mend}"
        if space is Space.HOST and callee is Space.DEVICE and not _is_template(function):
            return f"{name} is a __device__ function, and {_role(function, space)} calls it: only device code can"
        return ""

    def _variable(self, function: Function, space: Space, use: Use) -> str:
        variable, name = self._variables[use.name], _plain(use.name)
        if (
            space is Space.HOST
            or use.name in self._dynamic
            or use.name.startswith(("_ZT", "_ZGV", "_ZZ", "_ZN4simt", "_ZN6thrust"))
        ):
            return ""
        if variable.space == "constant" and use.kind == "store" and space in ON_DEVICE:
            return f"{name} is in constant memory, which device code can only read"
        if variable.space == "host" or (variable.space == "host constant" and use.kind in ("address", "element")):
            return (
                f"{name} is a host variable, and {_role(function, space)} uses it: "
                "pass it as an argument, or declare it __device__ or __constant__"
            )
        return ""


def _written(function: Function) -> Space:
    if "global" in function.spaces:
        return Space.KERNEL
    if "device" in function.spaces:
        return Space.BOTH if "host" in function.spaces else Space.DEVICE
    return Space.HOST


def _family(function: Function) -> str:
    """A template's name without template arguments: M::get of M<int>::get, and f of f<int>."""
    scope, operator, own = function.name.partition("operator")
    while scope != (scope := re.sub(r"<[^<>]*>", "", scope)):
        pass
    return scope + operator + own


def _is_ours(function: Function) -> bool:
    """Whether it is defined in the device's own headers, or in those of Thrust."""
    return any(folder in file for file, _, _ in function.places for folder in _OUR_FOLDERS)


def _is_lambda(function: Function) -> bool:
    return "<lambda(" in function.name and function.symbol.startswith("_ZZ")


def _is_launch(function: Function) -> bool:
    return (
        _is_lambda(function)
        and re.search(r"\bsimt_(tag|a)\b", re.sub(r"D\.\d+|#\d+", "", function.parameters)) is not None
    )


def _is_initialization(function: Function) -> bool:
    return function.symbol.startswith(("_GLOBAL__", "_Z41__static_initialization"))


def _is_template(function: Function) -> bool:
    name = re.sub(r"<lambda\(.*?\)>|operator\s*[<>=-]+", "", function.name)
    return "<" in name


def _copies(function: Function) -> bool:
    """Whether it is a constructor or destructor, which a launch calls for its arguments."""
    *_, of, name = ["", "", *re.sub(r"<.*>", "", function.name).split("::")]
    return name in (of, f"~{of}")


def _closure(function: Function) -> str:
    """A lambda's type as it appears in the symbols of templates: Z4mainEUliE_ for the call operator
    _ZZ4mainENKUliE_clEi."""
    found = re.match(r"_Z(Z.*E)NK?(Ul.*?E\d*_)cl", function.symbol)
    return found[1] + found[2] if found else function.symbol


def _short(function: Function) -> str:
    return re.sub(r"\(.*?\)::", "", function.name)


def _plain(symbol: str) -> str:
    """A symbol as written by the author: the last of its names."""
    if not symbol.startswith("_Z"):
        return symbol.removeprefix("simt_")
    names, rest = [], symbol[2:]
    while found := re.search(r"(\d+)", rest):
        end = found.end() + int(found[1])
        names.append(rest[found.end() : end])
        rest = rest[end:]
        if not rest or rest[0] not in "0123456789CD":
            break
    prefix = "std::" if "St" in symbol[:6] else ""
    return prefix + "::".join(names) if names else symbol


def _role(function: Function, space: Space) -> str:
    name = "a lambda" if _is_lambda(function) else _short(function)
    if space is Space.KERNEL:
        return f"the kernel {name}"
    if space is Space.HOST:
        return f"{name}, a host function,"
    return f"{name}, a device function,"
