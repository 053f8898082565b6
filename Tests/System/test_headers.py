"""C headers: what Swift sees of them does not depend on their version."""

import pathlib
import re

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "Sources"

# Enumerators of these prefixes belong to an enumeration that libcurl names, so that their type is declared.
DECLARED = ("CURLOPT", "CURLINFO", "CURLE", "CURLM", "CURLMOPT", "CURLMSG", "CURLUE", "CURLUPART", "CURLSSLBACKEND",
            "CURLSSLSET")


def test_a_macro_of_libcurl_reaches_swift_only_through_the_shim():
    """Its type is that of its spelling: CURL_SSLVERSION_TLSv1_2 is an Int with curl 7.88 and an Int32 with 8.14."""
    names = {
        (source.relative_to(SOURCES), name)
        for source in SOURCES.rglob("*.swift")
        for name in re.findall(r"\bCURL[A-Z]*_\w+", source.read_text())
    }
    assert names, "libcurl is used somewhere"
    assert {entry for entry in names if entry[1].split("_")[0] not in DECLARED} == set()
