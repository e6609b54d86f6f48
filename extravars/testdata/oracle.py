# SPDX-License-Identifier: GPL-3.0-or-later
"""Says what the installed ansible-core makes of extra vars.

Reads one JSON line per question on stdin, a list of -e texts, and answers one
JSON line: {"out": tagged value} or {"err": name of the exception}. Values carry
their type: [type, value], a dict as ["dict", [[key, value], ...]] with tagged
keys, in order. The first line out is the version of the core.
"""
import datetime
import json
import math
import os
import sys

os.environ.setdefault("ANSIBLE_LOCALHOST_WARNING", "False")
os.environ.setdefault("ANSIBLE_DEPRECATION_WARNINGS", "False")

from ansible import context
from ansible.module_utils.common.collections import ImmutableDict
from ansible.parsing.dataloader import DataLoader
from ansible.release import __version__
from ansible.utils import vars as ansible_vars
from ansible.utils.display import Display

Display.display = lambda self, *args, **kwargs: None

try:
    from ansible._internal._datatag._tags import TrustedAsTemplate
    from ansible.parsing.vault import EncryptedString as Encrypted
    from ansible.template import trust_as_template as trusted  # as the CLI does with -e

    def is_unsafe(value):
        return not TrustedAsTemplate.is_tagged_on(value)

    def ciphertext(value):
        return value._ciphertext
except ImportError:
    from ansible.parsing.yaml.objects import AnsibleVaultEncryptedUnicode as Encrypted
    from ansible.utils.unsafe_proxy import AnsibleUnsafe

    def trusted(text):
        return text

    def is_unsafe(value):
        return isinstance(value, AnsibleUnsafe)

    def ciphertext(value):
        return value._ciphertext.decode()


def number(value):
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return repr(float(value))


def tag(value, key=False):
    if isinstance(value, Encrypted):
        return ["vault", ciphertext(value)]
    if value is None:
        return ["null", ""]
    if isinstance(value, bool):
        return ["bool", str(value)]
    if isinstance(value, int):
        return ["int", str(int(value))]
    if isinstance(value, float):
        return ["float", number(value)]
    if isinstance(value, str):
        unsafe = not key and is_unsafe(value)
        return ["unsafe" if unsafe else "string", str(value)]
    if isinstance(value, bytes):
        return ["binary", value.hex()]
    if isinstance(value, datetime.datetime):
        return ["timestamp", value.isoformat()]
    if isinstance(value, datetime.date):
        return ["date", value.isoformat()]
    if isinstance(value, dict):
        return ["dict", [[tag(k, True), tag(v)] for k, v in value.items()]]
    if isinstance(value, set):
        return ["set", sorted((tag(v) for v in value), key=repr)]
    if isinstance(value, (list, tuple)):
        return ["tuple" if isinstance(value, tuple) else "list", [tag(v) for v in value]]
    return ["other", type(value).__name__]


def answer(texts):
    context.CLIARGS = ImmutableDict(extra_vars=tuple(trusted(t) for t in texts))
    for name in ("extra_vars", "_extra_vars"):
        if hasattr(ansible_vars.load_extra_vars, name):
            delattr(ansible_vars.load_extra_vars, name)
    try:
        return {"out": tag(ansible_vars.load_extra_vars(DataLoader()))}
    except BaseException as e:  # SystemExit, RecursionError
        return {"err": type(e).__name__}


def main():
    print(json.dumps(__version__), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


main()
