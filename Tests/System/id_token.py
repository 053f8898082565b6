"""Decodes ID tokens. openssl checks the signature, because it shares no code with the simulator."""

import base64
import json
import subprocess
import tempfile
from pathlib import Path


def base64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def header(token):
    return json.loads(base64url(token.split(".")[0]))


def claims(token):
    return json.loads(base64url(token.split(".")[1]))


def pem(jwk):
    """The public key as PEM text."""
    with tempfile.TemporaryDirectory() as directory:
        (Path(directory) / "key.conf").write_text(
            "asn1=SEQUENCE:key\n[key]\n"
            f"n=INTEGER:0x{base64url(jwk['n']).hex()}\ne=INTEGER:0x{base64url(jwk['e']).hex()}\n"
        )
        openssl("asn1parse", "-genconf", "key.conf", "-out", "pkcs1.der", "-noout", cwd=directory)
        openssl("rsa", "-RSAPublicKey_in", "-inform", "DER", "-in", "pkcs1.der", "-pubout", "-out", "pem", cwd=directory)
        return (Path(directory) / "pem").read_text()


def verifies(token, jwk):
    """Whether an RSA key has signed the token with RS256."""
    signed, _, signature = token.rpartition(".")
    with tempfile.TemporaryDirectory() as directory:
        files = Path(directory)
        (files / "pem").write_text(pem(jwk))
        (files / "signature").write_bytes(base64url(signature))
        (files / "signed").write_text(signed)
        check = ["dgst", "-sha256", "-verify", "pem", "-signature", "signature", "signed"]
        return openssl(*check, cwd=directory, may_fail=True)


def openssl(*arguments, cwd, may_fail=False):
    """Runs openssl and returns whether it succeeded."""
    run = subprocess.run(["openssl", *arguments], cwd=cwd, capture_output=True)
    assert may_fail or run.returncode == 0, run.stderr
    return run.returncode == 0
