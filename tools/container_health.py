"""Whether the page in this container answers; exits 1 with the reason if not.

With GOODARM_TOKEN it asks for the list of studies, so that the database is asked as well. Without
(only named tokens are in use) it asks for the page that takes a token.
"""

import os
import sys
import urllib.request

ADDRESS = "http://127.0.0.1:8765"


def main() -> None:
    token = os.environ.get("GOODARM_TOKEN")
    path, headers = "/enter", {}
    if token:
        path, headers = "/api/studies", {"Authorization": f"Bearer {token}"}
    request = urllib.request.Request(ADDRESS + path, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=8) as answer:
            answer.read()
    except OSError as error:
        sys.exit(f"{path}: {error}")


if __name__ == "__main__":
    main()
