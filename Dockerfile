# syntax=docker/dockerfile:1
# The web page in a container, with SQLite in the volume /data, or PostgreSQL (compose.yaml).
#
#   docker build --tag goodarm .
#   export GOODARM_TOKEN=…    # at least 20 letters and digits, for example: openssl rand -hex 24
#   docker run --rm --env GOODARM_TOKEN --publish 127.0.0.1:8765:8765 --volume goodarm:/data goodarm
#
# Then open http://127.0.0.1:8765/enter and paste the token. Inside, the server must listen on all
# addresses to be reached at all; keep the 127.0.0.1 in --publish, or everyone on the network
# reaches it, without encryption (docs/security.md).

FROM python:3.13-slim AS build
WORKDIR /source
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
COPY constraints.txt pyproject.toml README.md LICENSE ./
COPY src src
RUN pip wheel --no-deps --wheel-dir /wheels . \
    && python -m venv /opt/goodarm \
    && /opt/goodarm/bin/pip install --constraint constraints.txt \
        "$(ls /wheels/goodarm-*.whl)[lab,postgres,web]" \
    && /opt/goodarm/bin/pip check

FROM python:3.13-slim
LABEL org.opencontainers.image.title="goodarm" \
    org.opencontainers.image.source="https://github.com/goodarm/goodarm" \
    org.opencontainers.image.licenses="MIT"
RUN useradd --system --uid 10001 --user-group --no-create-home goodarm \
    && install --directory --owner goodarm --group goodarm /data
COPY --from=build /opt/goodarm /opt/goodarm
COPY tools/container_health.py /opt/goodarm/container_health.py
# GOODARM_TOKENS is the name of a file, not a token.
# hadolint ignore=DL3064
ENV PATH=/opt/goodarm/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    HOME=/tmp \
    XDG_CACHE_HOME=/tmp/cache \
    NUMBA_CACHE_DIR=/tmp/cache/numba \
    GOODARM_STORAGE=sqlite:////data/studies.db \
    GOODARM_TOKENS=/data/tokens.json
WORKDIR /data
VOLUME /data
USER 10001:10001
EXPOSE 8765
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s --start-interval=1s --retries=3 \
    CMD ["python", "/opt/goodarm/container_health.py"]
ENTRYPOINT ["goodarm"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8765"]
