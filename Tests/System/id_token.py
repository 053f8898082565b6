"""Takes ID tokens apart; the signature is checked by openssl, which shares no code with the simulator."""

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


def verifies(token, jwk):
    """Whether an RSA key has signed the token with RS256."""
    signed, _, signature = token.rpartition(".")
    with tempfile.TemporaryDirectory() as directory:
        files = Path(directory)
        (files / "key.conf").write_text(
            "asn1=SEQUENCE:key\n[key]\n"
            f"n=INTEGER:0x{base64url(jwk['n']).hex()}\ne=INTEGER:0x{base64url(jwk['e']).hex()}\n"
        )
        (files / "signature").write_bytes(base64url(signature))
        (files / "signed").write_text(signed)
        run = ["openssl", "asn1parse", "-genconf", "key.conf", "-out", "pkcs1.der", "-noout"]
        subprocess.run(run, cwd=files, check=True)
        run = ["openssl", "rsa", "-RSAPublicKey_in", "-inform", "DER", "-in", "pkcs1.der", "-pubout", "-out", "key.pem"]
        subprocess.run(run, cwd=files, check=True, capture_output=True)
        run = ["openssl", "dgst", "-sha256", "-verify", "key.pem", "-signature", "signature", "signed"]
        return subprocess.run(run, cwd=files, capture_output=True).returncode == 0
