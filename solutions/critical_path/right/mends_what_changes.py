"""Objects that know each other; an idea is carried out, only what changes is mended, then undone.

The makespan is the finish of a task of no ticks that waits for all the others, so that it is mended
like everything else. What has to be looked at next comes from a heap, by its place in the order.
"""

import json
import re
import sys
from heapq import heappop, heappush


class Refusal(Exception):
    def __init__(self, code, at=""):
        super().__init__(code)
        self.code, self.at = code, at


class Step:
    __slots__ = (
        "after", "before", "end", "follows", "name", "needs", "number", "place", "rest",
        "required", "ticks",
    )  # fmt: skip

    def __init__(self, number, name, ticks, needs=(), follows=(), required=False):
        self.number, self.name, self.ticks = number, name, ticks
        self.needs, self.follows, self.required = needs, follows, required
        self.before, self.after = [], []
        self.end = self.rest = self.place = 0

    @property
    def start(self):
        return self.end - self.ticks

    def find_end(self):
        """Whether it is another one than before."""
        end = self.ticks
        for step in self.before:
            if step.end + self.ticks > end:
                end = step.end + self.ticks
        changed, self.end = end != self.end, end
        return changed

    def find_rest(self):
        for step in self.after:
            if step.rest + step.ticks > self.rest:
                self.rest = step.rest + step.ticks


def fields(value, required, optional, at):
    if not isinstance(value, dict):
        raise Refusal("malformed", at)
    for name in required:
        if name not in value:
            raise Refusal("malformed", at)
    for name in value:
        if name not in required and name not in optional:
            raise Refusal("malformed", f"{at}/{name}")


def read_list(value, at):
    if not isinstance(value, list):
        raise Refusal("malformed", at)
    return value


def read_integer(value, at):
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refusal("malformed", at)
    return value


def read_name(value, at, allowed=re.compile(r"[0-9a-z_]{1,32}\Z")):
    if not isinstance(value, str) or not allowed.match(value):
        raise Refusal("malformed", at)
    return value


def read_names(value, at):
    return [read_name(name, at) for name in read_list(value, at)]


def read_step(value, number):
    at = f"/tasks/{number}"
    fields(value, ("id", "ticks"), ("needs", "follows", "required"), at)
    required = value.get("required", False)
    if required is not True and required is not False:
        raise Refusal("malformed", f"{at}/required")
    return Step(
        number,
        read_name(value["id"], f"{at}/id"),
        read_integer(value["ticks"], f"{at}/ticks"),
        read_names(value.get("needs", []), f"{at}/needs"),
        read_names(value.get("follows", []), f"{at}/follows"),
        required,
    )


def read_idea(value, at):
    kind = read_list(value, at)[0] if value else None
    if kind == "set" and len(value) == 3:
        return kind, [read_name(value[1], at)], read_integer(value[2], at)
    if kind == "remove" and len(value) == 2 or kind == "parallelise" and len(value) == 3:
        return kind, read_names(value[1:], at), 0
    raise Refusal("malformed", at)


class Project:
    def __init__(self, data):
        try:
            given = json.loads(str(data, "utf-8"))
        except ValueError:
            raise Refusal("malformed") from None
        fields(given, ("tasks",), ("what_if",), "")
        listed = read_list(given["tasks"], "/tasks")
        self.steps = [read_step(value, number) for number, value in enumerate(listed)]
        ideas = read_list(given.get("what_if", []), "/what_if")
        self.ideas = [read_idea(value, f"/what_if/{i}") for i, value in enumerate(ideas)]

    def link(self):
        if not self.steps:
            raise Refusal("no_tasks", "/tasks")
        self.named = {step.name: step for step in self.steps}
        if len(self.named) != len(self.steps):
            raise Refusal("duplicate_task", "/tasks")
        try:
            for step in self.steps:
                step.before = [self.named[n] for n in dict.fromkeys(step.needs + step.follows)]
            self.ideas = [(k, [self.named[n] for n in ns], t) for k, ns, t in self.ideas]
        except KeyError as error:
            raise Refusal("unknown_task", error.args[0]) from None
        for step in self.steps:
            if step.ticks <= 0:
                raise Refusal("bad_ticks", f"/tasks/{step.number}")
        for i, (kind, _, ticks) in enumerate(self.ideas):
            if kind == "set" and ticks <= 0:
                raise Refusal("bad_ticks", f"/what_if/{i}")

    def sort(self):
        self.end = Step(len(self.steps), "", 0)
        self.end.before = list(self.steps)
        waiting = {}
        for step in [*self.steps, self.end]:
            waiting[step.number] = len(step.before)
            for earlier in step.before:
                earlier.after.append(step)
        self.order, ready = [], [step for step in self.steps if not step.before]
        while ready:
            step = ready.pop()
            step.place = len(self.order)
            self.order.append(step)
            for later in step.after:
                waiting[later.number] -= 1
                if waiting[later.number] == 0:
                    ready.append(later)
        if len(self.order) <= len(self.steps):
            raise Refusal("cycle", "/tasks")

    def refuse_ideas(self):
        for i, (kind, steps, _) in enumerate(self.ideas):
            if kind == "parallelise":
                first, second = steps
                if first.name not in second.follows or first.name in second.needs:
                    raise Refusal("not_independent", f"/what_if/{i}")
        for i, (kind, steps, _) in enumerate(self.ideas):
            if kind == "remove" and steps[0].required:
                raise Refusal("required", f"/what_if/{i}")

    def mend(self, step):
        """All that finishes at another time because of this one: old times, by number."""
        old, heap, queued = {}, [step.place], {step.place}
        while heap:
            step = self.order[heappop(heap)]
            before = step.end
            if step is self.end:  # it has too many to look through
                step.end = max([other.end for other in self.steps])
                old[step.place] = before
            elif step.find_end():
                old[step.place] = before
                for later in step.after:
                    if later.place not in queued:
                        queued.add(later.place)
                        heappush(heap, later.place)
        return old

    def makespan_with(self, kind, steps, ticks):
        step = steps[-1]
        kept = step.ticks, step.before
        if kind == "parallelise":
            step.before = [other for other in step.before if other is not steps[0]]
        else:
            step.ticks = ticks
        old = self.mend(step)
        found = self.end.end
        step.ticks, step.before = kept
        for place, end in old.items():
            self.order[place].end = end
        return found

    def answer(self):
        self.link()
        self.sort()
        self.refuse_ideas()
        for step in self.order:
            step.find_end()
        for step in reversed(self.order):
            step.find_rest()
        makespan, rows, path = self.end.end, [], []
        for step in self.steps:
            rows.append({"start": step.start, "slack": makespan - step.end - step.rest})
        here, moment = self.steps, 0
        while moment < makespan:
            for step in here:  # in the order of the input
                if step.start == moment and step.end + step.rest == makespan:
                    break
            path.append(step.name)
            here, moment = step.after, step.end
        results = [self.makespan_with(*idea) for idea in self.ideas]
        return {
            "ok": True,
            "makespan": makespan,
            "total_ticks": sum(step.ticks for step in self.steps),
            "critical_path": path,
            "tasks": rows,
            "what_if": [{"makespan": other, "saved": makespan - other} for other in results],
        }


if __name__ == "__main__":
    try:
        print(json.dumps(Project(sys.stdin.buffer.read()).answer()))
    except Refusal as refusal:
        print(json.dumps({"ok": False, "error": refusal.code, "at": refusal.at}))
