#!/usr/bin/env bash
# Installs the Debian packages that the tests of the web page and of PostgreSQL need, if they are
# missing and can be had. Without them those tests are skipped, and say so.
set -u
wanted=()
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || wanted+=(chromium)
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || wanted+=(postgresql)
[ ${#wanted[@]} -eq 0 ] && exit 0
if ! command -v apt-get >/dev/null || [ "$(id -u)" -ne 0 ]; then
    echo "note: ${wanted[*]} not found; to run the tests that need them: apt-get install ${wanted[*]}"
    exit 0
fi
echo "installing ${wanted[*]}"
export DEBIAN_FRONTEND=noninteractive
if ! { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${wanted[@]}"; } >/tmp/goodarm-apt.log 2>&1; then
    echo "note: ${wanted[*]} could not be installed; the tests that need them will be skipped"
fi
exit 0
