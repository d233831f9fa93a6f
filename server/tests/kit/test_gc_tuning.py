"""What stays in memory."""

import subprocess
import sys

import pytest

SIGN_INS = """
import os
from tarazu.kit.gc_tuning import release_memory
from tarazu.kit.security import hash_password

def resident():
    with open("/proc/self/statm") as told:
        return int(told.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

release_memory()
before = resident()
for _ in range(3):
    hash_password("seven oaks 7")
print(resident() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells it in /proc")
def test_what_hashes_of_passwords_took_goes_back_to_the_system() -> None:
    told = subprocess.run([sys.executable, "-c", SIGN_INS], capture_output=True, check=True)

    assert int(told.stdout) < 4_000_000


LOADING = """
import gc
from tarazu.kit.gc_tuning import loading

with loading():
    was_collecting = gc.isenabled()
    made = [[] for _ in range(1000)]
print(was_collecting, gc.isenabled(), any(found is made for found in gc.get_objects()))
"""


def test_what_is_loaded_is_left_out_of_later_collections() -> None:
    told = subprocess.run([sys.executable, "-c", LOADING], capture_output=True, check=True)

    assert told.stdout.split() == [b"False", b"True", b"False"]
