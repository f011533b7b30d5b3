"""The clusters' authority and the certificate that it vouches for."""

import datetime as dt
import ipaddress
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_DAYS = dt.timedelta(days=3650)


def ensure(folder: Path, address: str) -> Path:
    """Make the authority and the certificate of an address where they are missing; return the authority's file."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "server.pem").is_file():
        authority_key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "devcloud clusters")])
        authority = _build(name, name, authority_key.public_key(), authority_key, _authority_extensions())
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, address)])
        certificate = _build(subject, name, key.public_key(), authority_key, _server_extensions(address))
        (folder / "ca.pem").write_bytes(authority.public_bytes(serialization.Encoding.PEM))
        _write_private(folder / "server.key", key)
        (folder / "server.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return folder / "ca.pem"


def context(folder: Path) -> ssl.SSLContext:
    """Return what serves with the certificate of a folder."""
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(folder / "server.pem", folder / "server.key")
    return tls


def _authority_extensions() -> list[x509.ExtensionType]:
    usage = x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=True,
        encipher_only=False,
        decipher_only=False,
    )
    return [x509.BasicConstraints(ca=True, path_length=0), usage]


def _server_extensions(address: str) -> list[x509.ExtensionType]:
    names = [x509.IPAddress(ipaddress.ip_address(address)), x509.DNSName("localhost")]
    return [
        x509.BasicConstraints(ca=False, path_length=None),
        x509.SubjectAlternativeName(names),
        x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]),
    ]


def _build(
    subject: x509.Name,
    issuer: x509.Name,
    public: ec.EllipticCurvePublicKey,
    signer: ec.EllipticCurvePrivateKey,
    extensions: list[x509.ExtensionType],
) -> x509.Certificate:
    now = dt.datetime.now(dt.UTC)
    identifiers = [
        x509.SubjectKeyIdentifier.from_public_key(public),
        x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()),
    ]
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(hours=1))
        .not_valid_after(now + _DAYS)
    )
    for extension in [*extensions, *identifiers]:
        builder = builder.add_extension(
            extension, critical=isinstance(extension, x509.BasicConstraints | x509.KeyUsage)
        )
    return builder.sign(signer, hashes.SHA256())


def _write_private(file: Path, key: ec.EllipticCurvePrivateKey) -> None:
    file.touch(mode=0o600)
    file.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
