# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright (C) The surespray authors
#
# This program is free software: you can redistribute it and/or modify it under the
# terms of the GNU General Public License as published by the Free Software Foundation,
# either version 3 of the License, or (at your option) any later version. It is
# distributed WITHOUT ANY WARRANTY; see <https://www.gnu.org/licenses/> for details.
#
# An Ansible notification callback: it is imported by ansible-core and writes what
# happens as JSON lines beside Ansible's own output, which it leaves alone. It writes
# no task arguments, no facts, no diffs, and nothing of a result but its message.
from __future__ import annotations

import json
import os
import time

from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
name: surespray_events
type: notification
short_description: writes a playbook's events as JSON lines
description: Writes to the file named by SURESPRAY_EVENTS. Does nothing without it.
"""

MESSAGE_LIMIT = 4096


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "notification"
    CALLBACK_NAME = "surespray_events"
    CALLBACK_NEEDS_ENABLED = False

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # Taken out, so that modules on local connections do not see it.
        path = os.environ.pop("SURESPRAY_EVENTS", "")
        self._values = os.environ.pop("SURESPRAY_VALUES_TASK", "")
        self._file = None
        self._ran = set()
        if path:
            fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            self._file = os.fdopen(fd, "w", buffering=1, encoding="utf-8", errors="backslashreplace")
        else:
            self.disabled = True

    def _emit(self, event, **fields):
        if self._file is None:
            return
        fields.update(event=event, time=time.time())
        try:
            self._file.write(json.dumps(fields, default=str) + "\n")
        except OSError:
            self._file = None  # a full disk must not end the run

    @staticmethod
    def _parts(result):
        data = getattr(result, "result", None)
        if data is None:
            data = result._result
        host = getattr(result, "host", None) or result._host
        task = getattr(result, "task", None) or result._task
        return host.get_name(), task, data

    @staticmethod
    def _message(data):
        parts = []
        if "censored" in data:
            return "the output has been hidden because no_log is set"
        for key in ("msg", "reason", "stderr"):
            if data.get(key):
                parts.append(str(data[key]))
                break
        for item in data.get("results") or []:
            if isinstance(item, dict) and item.get("failed") and "censored" not in item and item.get("msg"):
                parts.append(str(item["msg"]))
        return "\n".join(parts)[:MESSAGE_LIMIT]

    def v2_playbook_on_start(self, playbook):
        self._emit("playbook", playbook=str(getattr(playbook, "_file_name", "")))

    def v2_playbook_on_play_start(self, play):
        self._emit("play", name=play.get_name())

    def v2_playbook_on_no_hosts_matched(self):
        self._emit("no_hosts_matched")

    def _task(self, task):
        self._emit("task", id=str(task._uuid), name=task.get_name(), path=str(task.get_path() or ""), tags=sorted(str(t) for t in task.tags))

    def v2_playbook_on_task_start(self, task, is_conditional):
        self._task(task)

    def v2_playbook_on_handler_task_start(self, task):
        self._task(task)

    def v2_playbook_on_cleanup_task_start(self, task):
        self._task(task)

    def v2_runner_on_ok(self, result):
        host, task, _data = self._parts(result)
        if task.action in ("include_tasks", "ansible.builtin.include_tasks", "include_role", "ansible.builtin.include_role"):
            return
        # One line for the first host that did the task: a line for each of 5,000 hosts
        # would help nobody.
        if task._uuid not in self._ran:
            self._ran.add(task._uuid)
            self._emit("ran", id=str(task._uuid), host=host)

    def v2_runner_on_failed(self, result, ignore_errors=False):
        host, task, data = self._parts(result)
        self._emit("failed", id=str(task._uuid), host=host, ignored=bool(ignore_errors), message=self._message(data))

    def v2_runner_on_unreachable(self, result):
        host, task, data = self._parts(result)
        self._emit("unreachable", id=str(task._uuid), host=host, message=self._message(data))

    def v2_runner_item_on_ok(self, result):
        _host, task, data = self._parts(result)
        if self._values and task.get_name() == self._values:
            item = str(data.get("item"))
            self._emit("value", name=item, value=data.get(item))

    def v2_playbook_on_stats(self, stats):
        hosts = {}
        for host in stats.processed:
            hosts[host] = stats.summarize(host)
        self._emit("stats", hosts=hosts)
