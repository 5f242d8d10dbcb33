"""What a visitor is told when something goes wrong: the reason, and never a stack trace."""

import logging
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from goodarm.errors import InputError
from goodarm.extras import MissingExtraError
from goodarm.remote.failures import (
    DATABASE_TROUBLE,
    BusyError,
    NotFoundError,
    error_kind,
    faults_text,
    message_of,
)
from goodarm.study import (
    ConflictError,
    StorageError,
    StudyClosedError,
    UnlikelyOutcomeError,
)
from goodarm.web.shown.render import problem

logger = logging.getLogger("goodarm.web")


STATUS: tuple[tuple[type[Exception], int], ...] = (
    (NotFoundError, 404),
    (BusyError, 429),
    (MissingExtraError, 501),
    (ConflictError, 409),
    (StudyClosedError, 409),
    (InputError, 422),
)


def status_of(error: Exception) -> int:
    """The HTTP status that says what kind of error this is."""
    return next((status for kind, status in STATUS if isinstance(error, kind)), 500)


def add_failures(app: FastAPI) -> None:
    """Answer every error with a page, or with JSON under /api."""

    @app.exception_handler(UnlikelyOutcomeError)
    def _unlikely(request: Request, error: UnlikelyOutcomeError) -> Response:
        message = f'{message_of(error)} If it is right, send it again with "sure": true.'
        code, sure = error_kind(error), {"sure": True}
        return problem(request.scope, status_of(error), message, code=code, confirm=sure)

    @app.exception_handler(InputError)
    def _input(request: Request, error: InputError) -> Response:
        code = error_kind(error)
        return problem(request.scope, status_of(error), message_of(error), code=code)

    @app.exception_handler(BusyError)
    def _busy(request: Request, error: BusyError) -> Response:
        return problem(request.scope, status_of(error), str(error), error.retry_after)

    @app.exception_handler(StorageError)
    def _storage(request: Request, error: StorageError) -> Response:
        # The message may name the database's address, which is no visitor's business.
        logger.error("storage: %s", error)
        return problem(request.scope, 503, DATABASE_TROUBLE)

    @app.exception_handler(RequestValidationError)
    def _shape(request: Request, error: RequestValidationError) -> Response:
        return problem(request.scope, 422, faults_text(error.errors(), 1))

    @app.exception_handler(HTTPException)
    def _http(request: Request, error: HTTPException) -> Response:
        is_unknown = error.detail == HTTPStatus.NOT_FOUND.phrase  # what the router says by itself
        said = "there is nothing at this address" if is_unknown else str(error.detail)
        answer = problem(request.scope, error.status_code, said)
        for name, value in (error.headers or {}).items():
            answer.headers[name] = value
        return answer
