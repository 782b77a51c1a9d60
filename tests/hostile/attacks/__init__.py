"""The attacks, as tables of small programs: what each must come to, and which layer stops it.

    Attack(name, layer, outcome, source, control)
                          │              └── what the same program comes to with rlimits only:
                          │                  shows that the attack is real; None where trying
                          │                  it unconfined would do harm
                          └── the last line it prints ("stopped: EPERM", "through"), or its
                              ending: "over_time", "over_output", "signalled 31", "exited 1"

An OSError stops a source; to come to its end is to get through. Its stdin tells it where to
strike (see `scene.py`), as `given`.
"""

from tests.hostile.attacks import files, grader, kernel, network, processes, resources, verdict
from tests.hostile.attacks.attack import Attack

ATTACKS: dict[str, Attack] = {
    attack.name: attack
    for table in (files, grader, processes, network, resources, kernel, verdict)
    for attack in table.ATTACKS
}
