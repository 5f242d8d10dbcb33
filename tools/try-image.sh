#!/usr/bin/env bash
# Builds the image, starts the page with its database, waits until both say that they are well,
# creates a study through the API, and removes everything again. Needs a Docker engine.
set -euo pipefail
cd "$(dirname "$0")/.."
docker info >/dev/null 2>&1 || { echo "a Docker engine is needed, and none answers here"; exit 1; }
project=goodarm-try
settings=$(mktemp)
GOODARM_TOKEN=$(openssl rand -hex 24)
printf 'GOODARM_TOKEN=%s\nPOSTGRES_PASSWORD=%s\n' "$GOODARM_TOKEN" "$(openssl rand -hex 24)" >"$settings"
compose() { docker compose --project-name "$project" --env-file "$settings" "$@"; }
trap 'compose down --volumes --timeout 5 >/dev/null 2>&1; rm -f "$settings"' EXIT

compose build
compose up --wait --wait-timeout 180 || { compose logs; compose ps --all; exit 1; }
[ "$(compose exec --no-TTY page id --user)" != 0 ] || { echo "the page runs as root"; exit 1; }
curl --fail --silent --show-error --header "Authorization: Bearer $GOODARM_TOKEN" \
    --header "Content-Type: application/json" http://127.0.0.1:8765/api/studies \
    --data '{"name": "try", "arms": ["A", "B"], "threshold": 0.5, "outcome": "bernoulli"}' >/dev/null
compose exec --no-TTY page goodarm db check
echo "the image builds, starts and keeps a study in PostgreSQL"
