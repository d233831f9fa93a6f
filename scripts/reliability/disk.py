"""A disk that can be filled, and from which a power cut takes what was not synced.

A small library is compiled and loaded before the C library (disk.c says what it writes down). After
the cut the files are put back to what was synced, and of the later writes some are kept: any of
them, in parts of 512 bytes as a disk writes them. Names are kept in their order, as file systems
keep them, up to some moment.
"""

import atexit
import functools
import mmap
import os
import platform
import random
import shutil
import struct
import subprocess
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

HEAD = struct.Struct("<II QQQ IIII")
MAGIC = 0x54525A31
WRITE, TRUNCATE, SYNC, CREATE, UNLINK, RENAME, LINK, FOLDER_SYNC, MKDIR = range(1, 10)
FULL, SHIFT, LIES, LAST = 0, 1, 2, 3
SECTOR = 512


@functools.cache
def library():
    """The compiled library, or None where it cannot be made: no compiler, or no Linux."""
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None or platform.system() != "Linux":
        return None
    folder = tempfile.mkdtemp(prefix="tarazu-disk-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    made = Path(folder) / "disk.so"
    source = Path(__file__).with_name("disk.c")
    words = [compiler, "-O1", "-Wall", "-shared", "-fPIC", "-o", str(made), str(source)]
    done = subprocess.run([*words, "-ldl", "-lpthread"], capture_output=True, text=True, check=False)
    return str(made) if done.returncode == 0 else None


@dataclass
class Record:
    at: int
    kind: int
    file: int
    offset: int
    size_before: int
    before: bytes
    after: bytes
    first: str
    second: str


class Disk:
    """The disk of one installation, for a server that is started with `environment`."""

    def __init__(self, place, journalled=True):
        self.root, self.place = place.folder.resolve(), place
        self.side, self.journal = place.root / "side", place.root / "journal"
        self.side.mkdir(exist_ok=True)
        control = place.root / "control"
        control.write_bytes(bytes(64))
        with control.open("r+b") as opened:
            self._control = mmap.mmap(opened.fileno(), 64)
        place.environment = {
            "LD_PRELOAD": library(),
            "RELIABILITY_ROOT": str(self.root),
            "RELIABILITY_SIDE": str(self.side),
            "RELIABILITY_CONTROL": str(control),
        }
        if journalled:
            place.environment["RELIABILITY_JOURNAL"] = str(self.journal)

    def set(self, number, value):
        """Set a control: FULL, SHIFT in seconds, LIES, or the LAST act before the power goes."""
        struct.pack_into("<q", self._control, number * 8, value)

    def cut(self, chance=None, keeps_nothing=False):
        """Take back what a power cut would take; the server must be dead. How many writes went.

        Args:
            chance: what chooses, for a run that can be repeated.
            keeps_nothing: nothing survives but what was synced.
        """
        chance = chance or random.Random()
        records = list(_records(self.journal))
        gone = self._cut_files(records, chance, keeps_nothing)
        self._cut_names(records, chance, keeps_nothing)
        for index in self.root.rglob("*-shm"):
            index.write_bytes(chance.randbytes(index.stat().st_size))
        self.journal.unlink(missing_ok=True)
        shutil.rmtree(self.side)
        self.side.mkdir()
        return gone

    def _cut_files(self, records, chance, keeps_nothing):
        durable = _watermarks(records, SYNC, lambda one: one.file)
        paths = {}
        for folder in (self.side, self.root):
            paths |= {p.stat().st_ino: p for p in folder.rglob("*") if p.is_file()}
        by_file = defaultdict(list)
        for one in records:
            if one.kind in {WRITE, TRUNCATE} and one.at >= durable[one.file]:
                by_file[one.file].append(one)
        gone = 0
        for file, later in by_file.items():
            if file not in paths:
                continue
            content = bytearray(paths[file].read_bytes())
            for one in reversed(later):
                _take_back(content, one)
            kept = [] if keeps_nothing else _survivors(later, chance)
            for one in kept:
                _do_again(content, one, chance)
            gone += len(later) - len(kept)
            with paths[file].open("r+b") as opened:
                opened.write(content)
                opened.truncate(len(content))
        return gone

    def _cut_names(self, records, chance, keeps_nothing):
        durable = _watermarks(records, FOLDER_SYNC, lambda one: one.first)
        by_folder = defaultdict(list)
        for one in records:
            if one.kind in {CREATE, UNLINK, RENAME, LINK, MKDIR}:
                folder = os.path.dirname(one.second if one.kind == RENAME else one.first)
                if one.at >= durable[folder]:
                    by_folder[folder].append(one)
        undone = []
        for later in by_folder.values():
            most = 0 if keeps_nothing else chance.choice([0, len(later), chance.randint(0, len(later))])
            undone += later[most:]
        for one in sorted(undone, key=lambda record: -record.at):
            _unname(one)


def _records(journal):
    """Everything that was written down; a record that a kill cut short is left out."""
    content = journal.read_bytes() if journal.exists() else b""
    at = 0
    while at + HEAD.size <= len(content):
        magic, kind, file, offset, size, *lengths = HEAD.unpack_from(content, at)
        ends = at + HEAD.size + sum(lengths)
        if magic != MAGIC or ends > len(content):
            return
        parts, start = [], at + HEAD.size
        for length in lengths:
            parts.append(content[start : start + length])
            start += length
        names = [part.decode() for part in parts[2:]]
        yield Record(at, kind, file, offset, size, parts[0], parts[1], *names)
        at = ends


def _watermarks(records, kind, key):
    """Up to where in the journal a file, or a folder, was synced."""
    durable = defaultdict(int)
    for one in records:
        if one.kind == kind:
            durable[key(one)] = max(durable[key(one)], one.offset)
    return durable


def _take_back(content, one):
    if one.kind == WRITE:
        content[one.offset : one.offset + len(one.before)] = one.before
        del content[one.size_before :]
    else:
        del content[min(one.offset, one.size_before) :]
        content.extend(one.before)
    content.extend(bytes(max(0, one.size_before - len(content))))


def _survivors(later, chance):
    how = chance.randrange(4)
    if how == 0:
        return []
    if how == 1:
        return later[: chance.randint(0, len(later))]
    share = chance.random()
    return [one for one in later if chance.random() < share]


def _do_again(content, one, chance):
    if one.kind == TRUNCATE:
        del content[one.offset :]
        content.extend(bytes(max(0, one.offset - len(content))))
        return
    ends = one.offset + len(one.after)
    content.extend(bytes(max(0, ends - len(content))))
    is_torn = chance.random() < 0.3
    start = one.offset
    while start < ends:
        stop = min(ends, (start // SECTOR + 1) * SECTOR)
        if not is_torn or chance.random() < 0.5:
            content[start:stop] = one.after[start - one.offset : stop - one.offset]
        start = stop


def _unname(one):
    path = Path(one.first)
    if one.kind in {CREATE, LINK}:
        path.unlink(missing_ok=True)
    elif one.kind == MKDIR:
        shutil.rmtree(path, ignore_errors=True)
    elif one.kind == UNLINK:
        if one.second and not path.exists() and path.parent.is_dir():
            os.link(one.second, path)
    else:
        new, replaced = Path(one.second), one.before.decode()
        if new.exists() and path.parent.is_dir():
            os.replace(new, path)
        if replaced and new.parent.is_dir() and not new.exists():
            os.link(replaced, new)
