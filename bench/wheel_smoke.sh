#!/bin/sh
# Build the wheel and the sdist, install each into an empty environment with base dependencies
# only, and use it there. Usage: bench/wheel_smoke.sh [python]
set -eu
python=${1:-python3}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$python" -m venv "$work/build"
"$work/build/bin/pip" install --quiet --disable-pip-version-check build
"$work/build/bin/python" -m build --outdir "$work/dist" "$root" >"$work/build.log" 2>&1 ||
    { cat "$work/build.log"; exit 1; }

for file in "$work"/dist/*.whl "$work"/dist/*.tar.gz; do
    echo "== $(basename "$file")"
    rm -rf "$work/env"
    "$python" -m venv "$work/env"
    "$work/env/bin/pip" install --quiet --disable-pip-version-check "$file"
    cd "$work"
    "$work/env/bin/goodarm" --version
    "$work/env/bin/goodarm" simulate NoA1 --budget 20
    "$work/env/bin/goodarm" plan --means 0.2,0.9 --threshold 0.5 --outcome bernoulli --delta 0.1 \
        --batch 5 --per-day 4 --delay 1 --runs 100 --json >plan.json
    # The base install is for simulating and for studies in a file: no servers, clusters, GPUs.
    unwanted=$("$work/env/bin/pip" list --format=freeze |
        grep -i -E '^(starlette|fastapi|uvicorn|psycopg|dask|distributed|numba-cuda|mkdocs)' || true)
    [ -z "$unwanted" ] || { echo "the base install pulls: $unwanted"; exit 1; }
done
echo "wheel and sdist install and run"
