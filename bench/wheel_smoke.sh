#!/bin/sh
# Build the wheel and the sdist, install each into an empty environment, and use it there: bare,
# with the size that it has, then with the laboratory. Usage: bench/wheel_smoke.sh [python]
set -eu
python=${1:-python3}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$python" -m venv "$work/build"
"$work/build/bin/pip" install --quiet --disable-pip-version-check build
"$work/build/bin/python" -m build --outdir "$work/dist" "$root" >"$work/build.log" 2>&1 ||
    { cat "$work/build.log"; exit 1; }

unwanted='numba|llvmlite|scipy|polars|matplotlib|pandas|starlette|fastapi|uvicorn|psycopg|dask'
unwanted="$unwanted|distributed|numba-cuda|mkdocs"
most=120  # MB, with the byte code that pip makes

# Megabytes in the files of all packages but pip: all, and byte code.
sizes='
from importlib.metadata import distributions
packages = [p for p in distributions() if p.name not in ("pip", "setuptools")]
files = {f.locate() for p in packages for f in p.files or () if f.locate().is_file()}
code = sum(f.stat().st_size for f in files if f.suffix == ".pyc")
print(round(sum(f.stat().st_size for f in files) / 1e6), round(code / 1e6))
'

for file in "$work"/dist/*.whl "$work"/dist/*.tar.gz; do
    echo "== $(basename "$file")"
    rm -rf "$work/env"
    "$python" -m venv "$work/env"
    install() { "$work/env/bin/pip" install --quiet --disable-pip-version-check "$1"; }
    goodarm() { "$work/env/bin/goodarm" "$@"; }
    cd "$work"

    install "$file"
    # A bare installation is for gates and for studies in a file.
    extra=$("$work/env/bin/pip" list --format=freeze | grep -i -E "^($unwanted)=" || true)
    [ -z "$extra" ] || { echo "the bare installation pulls: $extra"; exit 1; }
    read -r size code <<-END
	$("$work/env/bin/python" -c "$sizes")
	END
    echo "bare: $size MB, of which $code MB are byte code that pip makes"
    [ "$size" -le "$most" ] || { echo "more than $most MB"; exit 1; }
    goodarm --version
    goodarm gate --bar 0.5 -- true
    rm -f studies.db
    goodarm study create try --arm A --arm B --threshold 0.5 --outcome bernoulli
    goodarm study tell try --arm A 1
    goodarm study verify try
    if goodarm simulate NoA1 --budget 20; then
        echo "simulate does not miss what it needs"
        exit 1
    fi

    install "$file[lab]"
    goodarm simulate NoA1 --budget 20
    goodarm plan --means 0.2,0.9 --threshold 0.5 --outcome bernoulli --delta 0.1 \
        --batch 5 --per-day 4 --delay 1 --runs 100 --json >plan.json
done
echo "wheel and sdist install and run"
