// A reporter for the project's runner: each test's outcome as a line of JSON, in the moment in which it is known.
import { relative } from "node:path";
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from "vitest/node";

// A character that nothing else prints, as devtools/records.py expects it.
const MARK = "\u001e";

export default class Records implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    const name = `${fileOf(test.module)} > ${test.fullName}`;
    tell(
      state === "failed"
        ? { test: name, outcome: state, said: errors.map(words).join("\n") }
        : { test: name, outcome: state },
    );
  }

  onTestSuiteResult(suite: TestSuite): void {
    for (const error of suite.errors()) tell({ test: fileOf(suite.module), outcome: "error", said: words(error) });
  }

  onTestModuleEnd(module: TestModule): void {
    for (const error of module.errors()) tell({ test: fileOf(module), outcome: "error", said: words(error) });
  }

  onTestRunEnd(_: readonly TestModule[], faults: readonly SerializedError[], reason: string): void {
    for (const fault of faults) tell({ test: "vitest", outcome: "error", said: words(fault) });
    tell({ ended: reason === "passed" ? 0 : 1 });
  }
}

function tell(record: object): void {
  process.stdout.write(`\n${MARK}${JSON.stringify(record)}\n`);
}

function fileOf(module: TestModule): string {
  return relative(process.cwd(), module.moduleId);
}

function words(error: SerializedError): string {
  return [error.stack ?? `${error.name}: ${error.message}`, error.diff ?? ""].join("\n").trim();
}
