# SPDX-License-Identifier: Apache-2.0
"""What ./test makes of the reports of its runners: a miscount would hide a failure."""
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GOOD = '<testcase name="good" status="run"><system-out>fine</system-out></testcase>'
CTEST = '<testcase name="bad one" status="fail"><failure message=""/><system-out>it said so</system-out></testcase>'
NODE = '<testsuite><testcase name="deep"><failure message="short">1 == 2</failure></testcase></testsuite>'
ABSENT = '<testcase name="absent" status="notrun"><skipped message="no program"/></testcase>'
SKIPPED = '<testcase name="left out"><skipped/></testcase>'


def tally(folder, status, *reports):
    for number, report in enumerate(reports):
        (folder / f"{number}.xml").write_text(report)
    log = folder / "log"
    log.write_text("first line\nlast line\n")
    tally = os.path.join(ROOT, "tools/test/tally.py")
    command = [sys.executable, tally, "trial", str(status), "3", str(folder), str(log)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return said.splitlines()[-1], said


def suite(*cases):
    return "<testsuites><testsuite>" + "".join(cases) + "</testsuite></testsuites>"


def test_passed_cases_of_all_reports_are_summed(tmp_path):
    assert tally(tmp_path, 0, suite(GOOD, GOOD), suite(GOOD, SKIPPED))[0] == "3 0"


def test_a_failed_case_is_named_with_its_own_output(tmp_path):
    counted, said = tally(tmp_path, 1, suite(GOOD, CTEST), suite(NODE))
    assert counted == "1 2"
    assert "FAILED trial: bad one\n    it said so\n" in said
    assert "FAILED trial: deep\n    1 == 2\n" in said
    assert "last line" not in said


def test_a_message_in_colours_is_read(tmp_path):
    red = '<testcase name="red"><failure message="&#x1b;[31mwrong">\x1b[31mwrong\x1b[0m</failure></testcase>'
    counted, said = tally(tmp_path, 1, suite(GOOD, red))
    assert counted == "1 1"
    assert "FAILED trial: red\n    wrong\n" in said


def test_a_program_that_is_not_there_has_failed(tmp_path):
    assert tally(tmp_path, 8, suite(GOOD, ABSENT))[0] == "1 1"


def test_a_stage_that_ran_nothing_has_failed(tmp_path):
    counted, said = tally(tmp_path, 0)
    assert counted == "0 1"
    assert "it ran nothing" in said
    assert tally(tmp_path, 0, suite(SKIPPED))[0] == "0 1"


def test_a_stage_that_ended_badly_has_failed_and_shows_its_end(tmp_path):
    counted, said = tally(tmp_path, 139, suite(GOOD))
    assert counted == "1 1"
    assert "status 139" in said and "last line" in said


def test_a_report_that_breaks_off_has_failed(tmp_path):
    assert tally(tmp_path, 0, suite(GOOD), "<testsuites><testcase")[0] == "1 1"
