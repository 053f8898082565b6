"""axe-core, which deploy/packages downloads from PyPI: it checks a page against WCAG 2.2 and good practice."""

from .process import REPOSITORY

AXE = REPOSITORY / ".build/axe/axe_playwright_python/axe.min.js"
RUN = "axe.run(document).then(arguments[0], error => arguments[0]({violations: [{id: String(error), nodes: []}]}))"


def violations(chromium):
    """The violated rules with the elements that violate them."""
    chromium.driver.execute_script(AXE.read_text() + "; window.axe = axe;")
    result = chromium.driver.execute_async_script(RUN)
    return [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in result["violations"]]
