"""Protocol and report from the page: files by themselves, which may load and run nothing."""

import pytest

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

from goodarm.study import Studies


@pytest.mark.parametrize("what", ["report", "protocol"])
def test_a_file_by_itself_that_may_do_nothing(browser, studies: Studies, harmless, what) -> None:
    study = studies.create("a/b <i>", ["<script>", "c"], 0.5, "bernoulli", delta=0.1)
    study.tell("c", 1)
    answer = browser.get(f"/studies/a~2fb~20~3ci~3e/{what}")
    assert answer.status_code == 200
    harmless(answer.text)
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert answer.headers["X-Frame-Options"] == "DENY", "all other headers are as everywhere"
    assert "Content-Disposition" not in answer.headers
    sent = browser.get(f"/studies/a~2fb~20~3ci~3e/{what}?file=yes")
    assert f'filename="a_2fb_20_3ci_3e_{what}.html"' in sent.headers["Content-Disposition"]
    assert browser.get("/studies/a~2fb~20~3ci~3e/settings").text.count(f"/{what}") >= 1
