"""Checks the grader's inspection of arm64 objects: `inspect_objects.py FOLDER OBJECT... -- COMPILER...`.

It must accept each OBJECT, and refuse planted faults, which are compiled into FOLDER. Ends with a line of counts.
"""

import subprocess
import sys
from pathlib import Path

from grader.walls.inspect_object import inspect_object, read_names

PLANTED = {
    'void f() { asm volatile("svc #0"); }': "the instruction svc enters the kernel",
    'void f() { asm volatile("hvc #0"); }': "the instruction hvc enters the kernel",
    "void f(void (*g)()) { g(); g(); }": "f calls or jumps to a computed address",
    'void f() { asm volatile(".arch armv8.3-a\\n blraaz x1"); }': "f calls or jumps to a computed address",
    'void f() { asm volatile(".word 0xffffffff"); asm volatile("svc #0"); }': "holds bytes that are no instructions",
    'extern "C" long syscall(long, ...); long f() { return syscall(1); }': "syscall makes system calls",
    "int f() { return 0x010000d4; }": "",  # the bytes of svc in a constant
}


def main() -> int:
    """Returns the exit status: 1 when a judgment was wrong."""
    words = sys.argv[1:]
    end = words.index("--")
    folder, objects, compiler = Path(words[0]), words[1:end], words[end + 1 :]
    names, failed = read_names(), 0
    for path in objects:
        found = inspect_object(Path(path), names).wrong
        if found:
            failed += 1
            print(f"not ok: {path}: {found[:3]}")
    for number, (text, expected) in enumerate(PLANTED.items()):
        source = folder / f"planted_{number}.cpp"
        source.write_text(text, encoding="utf-8")
        built = source.with_suffix(".o")
        subprocess.run([*compiler, "-O1", "-fPIC", "-c", str(source), "-o", str(built)], check=True)
        found = inspect_object(built, names).wrong
        if not (any(expected in sentence for sentence in found) if expected else found == []):
            failed += 1
            print(f"not ok: {text}: {found}")
    print(f"objects: {len(objects) + len(PLANTED) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
