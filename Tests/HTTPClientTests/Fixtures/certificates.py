"""Makes valid and invalid certificates for the fault server in a directory, with openssl."""

import os
import subprocess

CONFIGURATION = """
[ca]
default_ca = authority
[authority]
database = index.txt
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = policy
unique_subject = no
copy_extensions = copy
[policy]
commonName = supplied
[leaf]
basicConstraints = CA:FALSE
{names}
[authority_extensions]
basicConstraints = critical, CA:TRUE
"""

LOCAL = "DNS:localhost, IP:127.0.0.1"
VALID = ("20200101000000Z", "20491231235959Z")
# name: (alternative names, first and last second of validity, signer); the common name is always localhost
LEAVES = {
    "good": (LOCAL, *VALID, "authority"),
    "expired": (LOCAL, "20200101000000Z", "20210101000000Z", "authority"),
    "not-yet-valid": (LOCAL, "20480101000000Z", "20491231235959Z", "authority"),
    "wrong-host": ("DNS:example.org", *VALID, "authority"),
    "common-name": (None, *VALID, "authority"),
    "other-kind": ("email:localhost@example.org, URI:https://localhost/", *VALID, "authority"),
    "address": ("IP:127.0.0.1", *VALID, "authority"),
    "address-as-name": ("DNS:127.0.0.1", *VALID, "authority"),
    "unknown-authority": (LOCAL, *VALID, "stranger"),
}


def make(directory):
    """Writes NAME.pem (certificate), key.pem (for all certificates) and authority.pem."""

    def openssl(*arguments):
        done = subprocess.run(["openssl", *arguments], cwd=directory, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)

    def write(name, text):
        with open(os.path.join(directory, name), "w") as file:
            file.write(text)

    def configure(names):
        write("openssl.cnf", CONFIGURATION.format(names=f"subjectAltName = {names}" if names else ""))

    configure(LOCAL)
    openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "key.pem")
    for authority in ("authority", "stranger"):
        openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", authority + ".key")
        openssl("req", "-x509", "-config", "openssl.cnf", "-extensions", "authority_extensions", "-days", "30",
                "-key", authority + ".key", "-subj", "/CN=" + authority, "-out", authority + ".pem")
    openssl("req", "-x509", "-config", "openssl.cnf", "-extensions", "leaf", "-days", "30",
            "-key", "key.pem", "-subj", "/CN=localhost", "-out", "self-signed.pem")
    openssl("req", "-new", "-config", "openssl.cnf", "-key", "key.pem", "-subj", "/CN=localhost", "-out", "leaf.csr")
    for name, (names, start, end, authority) in LEAVES.items():
        write("index.txt", "")
        configure(names)
        openssl("ca", "-batch", "-notext", "-config", "openssl.cnf", "-extensions", "leaf", "-startdate", start,
                "-enddate", end, "-cert", authority + ".pem", "-keyfile", authority + ".key",
                "-in", "leaf.csr", "-out", name + ".pem")
