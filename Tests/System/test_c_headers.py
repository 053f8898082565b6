"""C headers: what Swift imports from them does not depend on their version."""

import pathlib
import re

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "Sources"

# Enumerators with these prefixes belong to a named enumeration of libcurl, so their type is fixed.
DECLARED = ("CURLOPT", "CURLINFO", "CURLE", "CURLM", "CURLMOPT", "CURLMSG", "CURLUE", "CURLUPART", "CURLSSLBACKEND",
            "CURLSSLSET")


def test_libcurl_macros_reach_swift_only_through_the_shim():
    """The spelling of a macro decides its type: CURL_SSLVERSION_TLSv1_2 is an Int with curl 7.88 and an Int32 with 8.14."""
    names = {
        (source.relative_to(SOURCES), name)
        for source in SOURCES.rglob("*.swift")
        for name in re.findall(r"\bCURL[A-Z]*_\w+", source.read_text())
    }
    assert names, "libcurl is used somewhere"
    assert {entry for entry in names if entry[1].split("_")[0] not in DECLARED} == set()
