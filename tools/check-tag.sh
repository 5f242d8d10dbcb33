#!/usr/bin/env bash
# Whether a release's tag is the version that pyproject.toml states. Usage: check-tag.sh v1.2.3
set -euo pipefail
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$(dirname "$0")/../pyproject.toml")
[ "$1" = "v$version" ] || { echo "the tag is $1, but the version is $version"; exit 1; }
