"""A comparison for other tools: JUnit for CI systems, and the Bencher Metric Format for services that keep series."""

from __future__ import annotations

import json
import xml.etree.ElementTree as xml

from weir.diagnostics import printable
from weir.read.comparing.comparison import Compared, Comparison
from weir.read.comparing.estimates import BETTER, NOT_COMPARABLE, SAME, WORSE
from weir.read.reporting.comparison import columns, measured_how, title

#: Name of the suite in JUnit.
SUITE = "weir compare"


def junit(comparison: Comparison) -> str:
    """Return one test case for each pair of points: failed if B is worse, skipped if there is no verdict.

    The elements are those that CI systems read: https://github.com/testmoapp/junitxml.
    """
    suites = xml.Element("testsuites", name=SUITE)
    suite = xml.SubElement(suites, "testsuite", name=f"{comparison.a} to {comparison.b}")
    for c in comparison.compared:
        case = xml.SubElement(suite, "testcase", classname=SUITE, name=_name(c))
        said = "\n".join(": ".join(filter(None, row[:1] + (" ".join(row[1:]),))) for row in columns(c))
        if c.verdict == WORSE:
            xml.SubElement(case, "failure", message=printable(c.says), type=WORSE).text = said
        elif c.verdict not in (BETTER, SAME):
            xml.SubElement(case, "skipped", message=printable(": ".join(filter(None, (c.verdict, c.because)))))
        xml.SubElement(case, "system-out").text = f"{measured_how(c)}\n{said}"
    for name in comparison.without_partner:
        case = xml.SubElement(suite, "testcase", classname=SUITE, name=printable(name))
        xml.SubElement(case, "skipped", message=f"{NOT_COMPARABLE}: no counterpart")
    for element in (suites, suite):
        element.set("tests", str(len(suite)))
        element.set("failures", str(len(suite.findall("*/failure"))))
        element.set("skipped", str(len(suite.findall("*/skipped"))))
    xml.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(suites, encoding="unicode") + "\n"


def bencher(comparison: Comparison) -> str:
    """Return the metrics of B in the Bencher Metric Format: medians, with the least and the largest run.

    The format is https://bencher.dev/docs/reference/bencher-metric-format.
    """
    found: dict[str, dict[str, dict[str, float]]] = {}
    for c in comparison.compared:
        for m in c.metrics:
            values = [value for run in c.b.good if (value := m.metric.value(run.results)) is not None]
            if m.b is not None and values:
                found.setdefault(_name(c), {})[m.metric.id] = {"value": m.b, "lower_value": min(values),
                                                               "upper_value": max(values)}
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def _name(c: Compared) -> str:
    return printable(title(c))
