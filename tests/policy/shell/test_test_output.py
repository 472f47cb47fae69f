"""The symptom of a failed test is its assertion or error, in every test runner's own format, and never a log line."""

# ruff: noqa: RUF001, E101 - as the runners print it

import time

import pytest
from tables import each

from recollect.policy.shell import outputs, test_output

PRINTED = {
    "go": """\
[test:ci] $ go test -race ./...
ok  	example.com/x/a	0.2s
--- FAIL: TestCart_Total (0.01s)
    cart_test.go:12: Phase 1: create cart
    hooks.go:55: hook output: 2026/01/06 14:11:05 INFO stop component=hooks
    cart_test.go:31: Total() = 3, want 4
FAIL
FAIL	example.com/x/cart	0.4s
[test:ci] ERROR task failed""",
    "go-v": """\
=== RUN   TestA
    a_test.go:3: starting
    a_test.go:9: could not open store: permission denied
--- FAIL: TestA (0.00s)
=== RUN   TestB
--- PASS: TestB (0.00s)
FAIL
exit status 1""",
    "testify": """\
--- FAIL: TestMerge (0.00s)
    merge_test.go:44:
        	Error Trace:	/w/merge_test.go:44
        	Error:      	Not equal:
        	            	expected: "a"
        	            	actual  : "b"

        	            	Diff:
        	            	--- Expected
        	Test:       	TestMerge
        	Messages:   	branch must be kept
FAIL""",
    "rust": """\
running 2 tests
test tests::adds ... FAILED

failures:

---- tests::adds stdout ----
thread 'tests::adds' panicked at src/lib.rs:10:9:
assertion `left == right` failed: sum is off
  left: 3
 right: 4
note: run with `RUST_BACKTRACE=1`

failures:
    tests::adds
test result: FAILED. 1 passed; 1 failed;""",
    "surefire": """\
[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! -- in com.acme.CartTest
[ERROR] com.acme.CartTest.adds -- Time elapsed: 0.01 s <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <4> but was: <3>
	at com.acme.CartTest.adds(CartTest.java:12)
[ERROR] Failures:
[ERROR]   CartTest.adds:12 expected: <4> but was: <3>
[INFO] BUILD FAILURE""",
    "gradle": """\
> Task :test FAILED

CartTest > adds() FAILED
    org.opentest4j.AssertionFailedError: expected: <4> but was: <3>
        at com.acme.CartTest.adds(CartTest.java:12)

3 tests completed, 1 failed""",
    "jest": """\
> shop@1.0.0 test
> jest

 FAIL  src/cart.test.js
  ● cart › totals › adds prices

    expect(received).toBe(expected) // Object.is equality

    Expected: 4
    Received: 3

      10 |   it('adds', () => {
    > 11 |     expect(total()).toBe(4);

Tests:       1 failed, 3 passed""",
    "vitest": """\
 ❯ src/cart.test.ts (2 tests | 1 failed)
   × cart > adds 3ms
⎯⎯⎯ Failed Tests 1 ⎯⎯⎯
 FAIL  src/cart.test.ts > cart > adds
AssertionError: expected 3 to be 4 // Object.is equality
- Expected
+ Received
 ❯ src/cart.test.ts:7:23
 Test Files  1 failed (1)""",
    "mocha": """\
  1 passing (5ms)
  1 failing

  1) Cart
       adds prices:

      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

3 !== 4
      + expected - actual
""",
    "tap": """\
TAP version 13
ok 1 - loads
not ok 2 - adds prices
  ---
  operator: equal
  expected: 4
  actual: 3
  message: 'totals differ'
  ...""",
    "pytest": """\
____________ test_total ____________
    def test_total():
>       assert total([1, 2]) == 4
E       assert 3 == 4
E        +  where 3 = total([1, 2])

tests/test_cart.py:5: AssertionError
=== short test summary info ===
FAILED tests/test_cart.py::test_total - assert 3 == 4
1 failed, 2 passed in 0.1s""",
    "pytest-short": """\
FAILED tests/test_cart.py::test_total - AssertionError: totals differ
1 failed""",
    "unittest": """\
======================================================================
FAIL: test_adds (tests.test_cart.CartTest)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "tests/test_cart.py", line 8, in test_adds
    self.assertEqual(total(), 4)
AssertionError: 3 != 4

----------------------------------------------------------------------
Ran 3 tests in 0.001s
FAILED (failures=1)""",
    "dotnet": """\
  Failed Shop.Tests.CartTests.Adds [12 ms]
  Error Message:
   Assert.Equal() Failure: Values differ
Expected: 4
Actual:   3
  Stack Trace:
     at Shop.Tests.CartTests.Adds() in /w/CartTests.cs:line 12
Failed!  - Failed:     1""",
    "rspec": """\
Failures:

  1) Cart adds prices
     Failure/Error: expect(cart.total).to eq(4)

       expected: 4
            got: 3

       (compared using ==)
     # ./spec/cart_spec.rb:5

Finished in 0.01 seconds
2 examples, 1 failure""",
    "minitest": """\
  1) Failure:
CartTest#test_adds [test/cart_test.rb:8]:
Expected: 4
  Actual: 3

2 runs, 2 assertions, 1 failures, 0 errors""",
    "phpunit": """\
There was 1 failure:

1) Tests\\CartTest::testAdds
Failed asserting that 3 matches expected 4.

/w/tests/CartTest.php:12

FAILURES!
Tests: 1, Assertions: 1, Failures: 1.""",
}
SYMPTOMS = {
    "go": "TestCart_Total: Total() = 3, want 4",
    "go-v": "could not open store: permission denied",
    "testify": 'TestMerge: branch must be kept: Not equal: expected: "a" actual : "b"',
    "rust": "adds: assertion `left == right` failed: sum is off left: 3 right: 4",
    "surefire": "CartTest.adds: expected: <4> but was: <3>",
    "gradle": "adds(): org.opentest4j.AssertionFailedError: expected: <4> but was: <3>",
    "jest": "adds prices: expect(received).toBe(expected) // Object.is equality Expected: 4, Received: 3",
    "vitest": "adds: AssertionError: expected 3 to be 4 // Object.is equality",
    "mocha": "adds prices: AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:",
    "tap": "adds prices: totals differ expected: 4 actual: 3",
    "pytest": "test_total: assert 3 == 4",
    "pytest-short": "test_total: AssertionError: totals differ",
    "unittest": "test_adds: AssertionError: 3 != 4",
    "dotnet": "Adds: Assert.Equal() Failure: Values differ Expected: 4 Actual: 3",
    "rspec": "Cart adds prices: expect(cart.total).to eq(4) expected: 4, got: 3",
    "minitest": "test_adds: Expected: 4, Actual: 3",
    "phpunit": "testAdds: Failed asserting that 3 matches expected 4.",
}


@each("runner", PRINTED)
def test_the_symptom_is_what_was_not_met(runner):
    assert outputs.error_lines(outputs.clean(PRINTED[runner]))[0] == SYMPTOMS[runner]


@each("runner", test_output.RUNNERS)
def test_every_runner_is_known_by_its_example(runner):
    assert runner.mark.search(runner.example)


@each(
    "line",
    [
        "--- PASS: TestOther (0.04s)",
        "=== RUN   TestOther",
        "[test:ci] ERROR task failed",
        "exit status 1",
        "FAIL",
        "ok  \texample.com/shop\t0.2s",
        'task: Failed to run task "test": exit status 201',
        "error: Recipe `test` failed on line 3 with exit code 1",
        "error Command failed with exit code 1.",
        "npm error Lifecycle script `test` failed with error:",
        "    cart_test.go:12: Phase 1: create the cart",
        "    hooks.go:55: hook output: 2026/01/06 14:11:05 INFO stop failed=0",
    ],
)
def test_what_only_frames_a_failure_is_no_symptom(line):
    output = f"{line}\n--- FAIL: TestTotal (0.0s)\n    cart_test.go:31: Total() = 3, want 4\n{line}"
    assert outputs.error_lines(output) == ["TestTotal: Total() = 3, want 4"]
    assert outputs.error_lines(f"{line}\nError: connect ECONNREFUSED\n{line}")[0].startswith(
        "Error: connect ECONNREFUSED"
    )


def test_without_the_name_of_the_test_a_log_line_is_still_none():
    output = "    cart_test.go:12: Phase 1: create the cart\n    cart_test.go:31: Total() = 3, want 4\nFAIL"
    assert outputs.error_lines(output) == ["Total() = 3, want 4"]


def test_an_exception_of_the_program_is_told_behind_the_test_that_it_broke():
    output = "app.errors.PoolTimeout: x\nKeyError: no port is set\n____ test_get ____\nE   assert 500 == 200\n1 failed"
    assert outputs.error_lines(output)[:2] == ["test_get: assert 500 == 200", "KeyError: no port is set"]


@each("prefix", ["[test:ci] ", "@shop/web:test: ", "web-1  | "])
def test_a_task_runner_s_prefix_is_no_part_of_the_error(prefix):
    assert outputs.error_lines(f"{prefix}TypeError: x is undefined") == ["TypeError: x is undefined"]


HOSTILE = ["--- FAIL: TestX\n" + "    a.go:1: x\n" * 20_000, "  1) x\n" * 20_000 + "1 failing", "E   " * 30_000,
           "thread 'a' panicked at b.rs:1:1:\n" * 9_000, "\u25cf a\n" * 30_000, "not ok 1 - x\n" * 30_000,
           " " * 200_000 + "FAIL", "A > B FAILED\n" * 20_000, "[ERROR]  a.b:1 " * 9_000]  # fmt: skip


@pytest.mark.parametrize("output", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_output_is_read_in_time(output):
    began = time.process_time()
    outputs.error_lines(outputs.clean(output))
    outputs.error_lines(output[: outputs.MOST_CHARS])
    assert time.process_time() - began < 20  # a quadratic step would take minutes
