#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Counts a stage from the JUnit reports that its runners wrote: tally.py STAGE STATUS SECONDS REPORTS LOG.

Prints what failed, each case with its own output, then the stage's line; the last one is "PASSED FAILED" for ./test."""

import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

SHOWN = 60  # lines of a failed case; the rest stands in the log
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
# What a runner quotes as it was printed, colours too; XML has no such characters, as itself or as a reference.
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]|&#(?:x0*1b|0*27);", re.IGNORECASE)


def indented(text, lines=SHOWN):
    kept = [line.rstrip() for line in COLOUR.sub("", text).strip().splitlines()]
    if len(kept) > lines:
        kept = [*kept[:lines], f"({len(kept) - lines} more lines)"]
    return "".join(f"    {line}\n" for line in kept)


def failure_of(case):
    """What a failed case said; None of one that passed."""
    wrong = [tag for tag in (case.find("failure"), case.find("error")) if tag is not None]
    if not wrong:
        return None
    texts = [tag.text or tag.get("message") or "" for tag in wrong]
    return "\n".join([*texts, *(out.text or "" for out in case.iter("system-out"))])


def read(reports):
    """(number passed, [(name, output) of each that failed])."""
    passed, failed = 0, []
    for file in sorted(reports.glob("**/*.xml")):
        try:
            text = file.read_text(encoding="utf-8", errors="replace")
            cases = list(ET.fromstring(CONTROL.sub("", COLOUR.sub("", text))).iter("testcase"))
        except ET.ParseError as error:
            failed.append((file.name, f"this report is not whole: {error}"))
            continue
        for case in cases:
            said = failure_of(case)
            if said is not None:
                failed.append((case.get("name"), said))
            elif case.find("skipped") is None:
                passed += 1
    return passed, failed


def main():
    stage, status, seconds, reports, log = sys.argv[1:]
    passed, failed = read(Path(reports))
    for name, said in failed:
        print(f"FAILED {stage}: {name}\n{indented(said)}", end="")
    count = len(failed)
    # A build that failed, a crash, or a runner that ran nothing is a failure, whatever else was counted.
    if count == 0 and (status != "0" or passed == 0):
        count = 1
        end = "\n".join(Path(log).read_text(errors="replace").splitlines()[-SHOWN:])
        why = f"it ended with status {status}" if status != "0" else "it ran nothing"
        print(f"FAILED {stage}: {why}; the end of {log}:\n{indented(end)}", end="")
    elif count > 0:
        print(f"(all of it: {log})")
    print(f"{stage:<10} {passed} passed, {count} failed  ({seconds} s)")
    print(passed, count)


if __name__ == "__main__":
    main()
