"""Trusted timestamps (RFC 3161) of heads: a file goes to an authority, a file comes back.

A head is the SHA-256 of the last event's text, and that is what the authority signs with its time.
Nothing here needs a network: `curl`, a web form or a colleague carries the files.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goodarm.errors import InputError
from goodarm.extras import TIMESTAMPS, need
from goodarm.inputs import stamp

if TYPE_CHECKING:
    from cryptography.x509 import Certificate
    from rfc3161_client import TimeStampResponse

# TimeStampReq in DER: version 1, the imprint (SHA-256 and its 32 bytes), "send your certificates".
BEFORE_HEAD = bytes.fromhex("3039 020101 3031 300d 0609608648016503040201 0500 0420")
AFTER_HEAD = bytes.fromhex("0101ff")
SHA256 = "2.16.840.1.101.3.4.2.1"


@dataclass(frozen=True)
class Timestamp:
    """What an authority has signed: this head was there at this time."""

    head: str
    time: str
    authority: str

    def to_dict(self) -> dict[str, Any]:
        """The timestamp as plain data."""
        return asdict(self)


def timestamp_request(head: str) -> bytes:
    """What to send to an authority, as `application/timestamp-query`."""
    return BEFORE_HEAD + bytes.fromhex(head) + AFTER_HEAD


def read_timestamp(response: Path, authority: Path) -> Timestamp:
    """What the authority has answered, if it is signed by whom these certificates (PEM) trust."""
    need(TIMESTAMPS, "checking a timestamp")
    import rfc3161_client as rfc3161

    trusted = _certificates(authority)
    try:
        answer = rfc3161.decode_timestamp_response(_bytes(response))
        imprint = answer.tst_info.message_imprint
    except ValueError as error:
        raise InputError(f"timestamp: {str(response)!r} is no timestamp ({error})") from None
    if imprint.hash_algorithm.dotted_string != SHA256:
        raise InputError(f"timestamp: {str(response)!r} is not of a head, which is a SHA-256")
    verifier = rfc3161.VerifierBuilder(roots=list(trusted)).build()
    try:
        verifier.verify(answer, imprint.message)
    except rfc3161.VerificationError as error:
        raise InputError(
            f"timestamp: {str(response)!r} is not signed by whom {str(authority)!r} trusts: {error}"
        ) from None
    time = stamp(answer.tst_info.gen_time)
    return Timestamp(imprint.message.hex(), time, _signer(answer, trusted))


def _signer(answer: "TimeStampResponse", trusted: "Sequence[Certificate]") -> str:
    """The name of whoever has signed; it was checked that there is one."""
    from cryptography.x509 import load_der_x509_certificate

    (signer,) = answer.signed_data.signer_infos
    sent = map(load_der_x509_certificate, answer.signed_data.certificates)
    for certificate in (*sent, *trusted):
        if (certificate.issuer, certificate.serial_number) == (signer.issuer, signer.serial_number):
            return certificate.subject.rfc4514_string()
    return signer.issuer.rfc4514_string()


def _certificates(path: Path) -> "list[Certificate]":
    from cryptography.x509 import load_pem_x509_certificates

    try:
        return load_pem_x509_certificates(_bytes(path))
    except ValueError:
        raise InputError(f"authority: {str(path)!r} has no certificates in PEM") from None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror}") from None
