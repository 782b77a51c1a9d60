"""Print a digest of everything that is drawn for the lab `double`; run as a program.

    python draw.py LAB SEED [MODULE …]      the modules are imported before anything is drawn

No program is run: every input is answered at once, by a plain function.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import sys
from pathlib import Path


def main(lab: str, seed: str, *modules: str) -> None:
    for name in modules:
        importlib.import_module(name)

    import grader
    from grader.bundles.load import load_bundle
    from grader.bundles.properties import load_properties
    from grader.judging.grade import Walk, grade
    from grader.judging.rows import plan
    from grader.model.execution import Ending, RunOutcome, RunRequest, Submission, Usage

    digest = hashlib.sha256()

    class Executor:
        """Refuses everything, so that most rows fail and are shrunk too."""

        def run(self, request: RunRequest) -> RunOutcome:
            digest.update(hashlib.sha256(request.stdin).digest())
            return RunOutcome(
                ending=Ending.EXITED,
                status=0,
                stdout=b'{"ok": false, "error": "malformed"}',
                stderr=b"",
                usage=Usage(),
            )

    bundle = load_bundle(Path(lab), None)
    properties = load_properties(bundle)
    walk = Walk(
        bundle=bundle,
        properties=properties,
        plan=plan(bundle, properties, staff=False),
        submission=Submission(name="mine.py", source=b""),
        executor=Executor(),
        seed=int(seed),
    )
    runs = sum(row.usage.runs for row in grade(walk))
    print(json.dumps({"runs": runs, "drawn": digest.hexdigest(), "from": grader.__file__}))


if __name__ == "__main__":
    main(*sys.argv[1:])
