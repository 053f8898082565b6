#!/usr/bin/python3
"""Prints a public key and an ID token for each signature algorithm, made by PyJWT: the content of signatures.json."""

import base64
import json

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVES = {"ES256": ("P-256", ec.SECP256R1()), "ES384": ("P-384", ec.SECP384R1()), "ES512": ("P-521", ec.SECP521R1())}
CLAIMS = {"iss": "https://www.linkedin.com/oauth", "aud": "client", "sub": "782bbtaQ-_", "iat": 1799999990, "exp": 1800003590}


def encoded(value):
    raw = value if isinstance(value, bytes) else value.to_bytes((value.bit_length() + 7) // 8, "big")
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def pair(algorithm):
    """A private key, and the public key as a JWK."""
    if algorithm == "EdDSA":
        key = ed25519.Ed25519PrivateKey.generate()
        return key, {"kty": "OKP", "crv": "Ed25519", "x": encoded(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))}
    if algorithm in CURVES:
        name, curve = CURVES[algorithm]
        key = ec.generate_private_key(curve)
        point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)[1:]
        half = len(point) // 2
        return key, {"kty": "EC", "crv": name, "x": encoded(point[:half]), "y": encoded(point[half:])}
    key = rsa.generate_private_key(65537, 2048)
    numbers = key.public_key().public_numbers()
    return key, {"kty": "RSA", "e": encoded(numbers.e), "n": encoded(numbers.n)}


def signed(algorithm):
    key, public = pair(algorithm)
    return {"key": {"kid": "first"} | public, "token": jwt.encode(CLAIMS, key, algorithm, {"kid": "first"})}


ALGORITHMS = [f"{family}{bits}" for family in ("RS", "PS", "ES") for bits in (256, 384, 512)] + ["EdDSA"]
print(json.dumps({algorithm: signed(algorithm) for algorithm in ALGORITHMS}, indent=1))
