import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { lastWords, ServerProcess } from "../src/extension/server-process.js";

const patience = 15_000 * Number(process.env.ASSENT_TEST_SCALE ?? "1");

/** A program in the place of Python, with its lines as they were heard. */
function run(program: string) {
  const heard: string[] = [];
  const python = { executable: process.execPath, options: ["-e"], cwd: tmpdir() };
  return { heard, process: new ServerProcess(python, [program], (line) => heard.push(line)) };
}

describe("a server that ends at its start", () => {
  test("says how it ended, and its last words", async () => {
    const { heard, process } = run(`
      process.stderr.write('Traceback (most recent call last):\\n  File "a.py", line 1\\n    import lost\\n    ^^^^^^\\n');
      process.stderr.write("ImportError: no modü", () => process.stderr.write("le named lost", () => process.exit(3)));
    `);
    await process.started;
    expect(await process.deathAtStart(patience)).toBe(
      "The server ended while it was starting (exit code 3). " +
        'Its last words: File "a.py", line 1 | import lost | ImportError: no modüle named lost',
    );
    expect(heard.at(-1)).toBe("ImportError: no modüle named lost");
  });

  test("without a word says so", async () => {
    const { process } = run("process.exit(0)");
    expect(await process.deathAtStart(patience)).toBe(
      "The server ended while it was starting (exit code 0). It said nothing before.",
    );
  });

  test("by a signal says which", async () => {
    const { process } = run("process.kill(process.pid, 'SIGKILL')");
    expect(await process.deathAtStart(patience)).toMatch(/^The server ended while it was starting \(.+\)\. It said/);
  });
});

test("a server that still runs did not end, and can be killed", async () => {
  const { process } = run("setInterval(() => {}, 1000)");
  const child = await process.started;
  try {
    expect(await process.deathAtStart(1)).toBeUndefined();
  } finally {
    process.kill();
  }
  expect(await process.deathAtStart(patience)).toContain("ended");
  expect(child.killed).toBe(true);
});

test("a program that cannot be started is told by the start itself", async () => {
  const python = { executable: "/no/such/python", options: [], cwd: tmpdir() };
  const process = new ServerProcess(python, [], () => {});
  await expect(process.started).rejects.toThrow(/ENOENT/);
  expect(await process.deathAtStart(patience)).toBeUndefined();
});

describe("last words", () => {
  test("are at most three lines, without blank ones and underlines", () => {
    expect(lastWords("a\nb\r\n\n  c  \n ~~^^~~ \nd\n")).toBe("b | c | d");
  });

  test("are at most five hundred characters, of which the last ones count", () => {
    const words = lastWords(`${"🙂".repeat(2000)}end`);
    expect(Array.from(words)).toHaveLength(500);
    expect(words).toMatch(/^…🙂+end$/u);
  });

  test("hold no control characters", () => {
    expect(lastWords("\u001b[31mred\u0007")).toBe("[31mred");
  });
});
