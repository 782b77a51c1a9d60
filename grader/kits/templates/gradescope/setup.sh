#!/usr/bin/env bash
# Gradescope runs this as root, once, when it builds the image. It ends with an error rather than
# leave half a grader behind.
set -euo pipefail
root=${AUTOGRADER_ROOT:-/autograder}
source=$root/source
export DEBIAN_FRONTEND=noninteractive

apt-get update
# For level strong; without it programs are confined all the same.
apt-get install -y bubblewrap || echo "bubblewrap cannot be installed: going on without it" >&2

# A Python that is new enough becomes a venv; some come without what a venv needs.
usable() {
  command -v "$1" >/dev/null &&
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' &&
    "$1" -m venv --clear "$root/venv"
}

# The versions in requirements.txt were chosen with Python @PYTHON@.
found=
for python in python@PYTHON@ python3.11 python3.12 python3.13 python3.14 python3; do
  if usable "$python"; then
    found=$python
    break
  fi
done
if [ -z "$found" ]; then
  apt-get install -y python@PYTHON@ python@PYTHON@-venv ||
    apt-get install -y python3.11 python3.11-venv
  usable python@PYTHON@ || usable python3.11
fi
"$root/venv/bin/python" -m pip install --disable-pip-version-check --no-cache-dir \
  --requirement "$source/requirements.txt"

# Programs are run as another user, who cannot even tell that staff files exist in here.
chmod -R go-rwx "$source"
PYTHONPATH=$source PYTHONSAFEPATH=1 "$root/venv/bin/python" -m grader list --problems "$source/problems"
