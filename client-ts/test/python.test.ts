import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type EnvironmentPlaces, makeEnvironment } from "../src/extension/environment.js";
import { isInside, which } from "../src/extension/machine.js";
import { findPython, NoPython, type PythonSearch } from "../src/extension/python.js";
import { RestartBudget } from "../src/extension/restart-budget.js";
import { runProcess } from "../src/extension/run-process.js";

const made = mkdtempSync(path.join(tmpdir(), "assent-"));
afterAll(() => rmSync(made, { recursive: true, force: true }));

/** A machine with these programs: by path, the version that each answers with, or how it fails. */
function machine(programs: Record<string, [number, number] | string>, more: Partial<PythonSearch> = {}): PythonSearch {
  return {
    configured: undefined,
    fromPythonExtension: undefined,
    isWindows: false,
    which: (name) => Object.keys(programs).find((file) => path.basename(file) === name),
    isInsideOpenFolder: (file) => file.startsWith("/open/"),
    run: async (command) => {
      const answer = programs[command];
      if (answer === undefined) throw new Error("no such file");
      return typeof answer === "string" ? answer : `${JSON.stringify([command, ...answer])}\n`;
    },
    ...more,
  };
}

describe("the search for Python", () => {
  test.each<[string, PythonSearch, string]>([
    ["the setting", machine({ "/a/python3": [3, 12], "/b/py": [3, 11] }, { configured: "/b/py" }), "/b/py"],
    ["a name in the setting", machine({ "/a/python3.12": [3, 12] }, { configured: "python3.12" }), "/a/python3.12"],
    [
      "the Python extension's environment",
      machine({ "/a/python3": [3, 14], "/venv/bin/python": [3, 11] }, { fromPythonExtension: "/venv/bin/python" }),
      "/venv/bin/python",
    ],
    ["the newest name first", machine({ "/a/python3": [3, 11], "/a/python3.13": [3, 13] }), "/a/python3.13"],
    ["past one that is too old", machine({ "/a/python3": [3, 9], "/b/python": [3, 12] }), "/b/python"],
    [
      "past one that does not run",
      machine({ "/a/python3": "Install me from the store", "/b/python": [3, 12] }),
      "/b/python",
    ],
    ["past one of an open folder", machine({ "/open/.venv/python3": [3, 12], "/b/python": [3, 12] }), "/b/python"],
    [
      "past the extension's environment in an open folder",
      machine({ "/open/python": [3, 12], "/b/python3": [3, 12] }, { fromPythonExtension: "/open/python" }),
      "/b/python3",
    ],
    ["the launcher of Windows", machine({ "/w/py": [3, 12] }, { isWindows: true }), "/w/py"],
  ])("finds %s", async (_name, search, expected) => {
    expect((await findPython(search)).executable).toBe(expected);
  });

  test.each<[string, PythonSearch, RegExp]>([
    ["there is none", machine({}), /None was found.*assent\.server\.python/],
    ["all are too old", machine({ "/a/python3": [3, 10] }), /\/a\/python3 is Python 3\.10/],
    ["the next version is another language", machine({ "/a/python": [2, 99] }), /Python 2\.99/],
    [
      "the setting names nothing",
      machine({ "/a/python3": [3, 12] }, { configured: "/gone" }),
      /setting assent\.server\.python does not name one: \/gone/,
    ],
    ["the setting's name is not on PATH", machine({}, { configured: "py99" }), /py99 was not found on PATH/],
    ["something else answers", machine({ "/a/python3": '["relative", 3, 12]' }), /does not answer as a Python/],
  ])("says what to do when %s", async (_name, search, message) => {
    await expect(findPython(search)).rejects.toThrow(NoPython);
    await expect(findPython(search)).rejects.toThrow(message);
  });

  test("works on this machine", async () => {
    const run = async (command: string, args: readonly string[]) =>
      (await runProcess(command, args, { cwd: made, timeoutMs: 60_000 })).stdout;
    const found = await findPython({ ...machine({}), which, isInsideOpenFolder: () => false, run });
    expect(path.isAbsolute(found.executable)).toBe(true);
  });
});

test("a folder is known by its real name, and a link into it is no way around", () => {
  const [folder, outside] = [path.join(made, "open"), path.join(made, "outside")];
  mkdirSync(path.join(folder, "bin"), { recursive: true });
  mkdirSync(outside);
  symlinkSync(path.join(folder, "bin"), path.join(outside, "bin"));
  expect(isInside(path.join(folder, "bin", "python"), [folder])).toBe(true);
  expect(isInside(path.join(outside, "bin", "python"), [folder])).toBe(true);
  expect(isInside(path.join(made, "open-not", "python"), [folder])).toBe(false);
  expect(isInside(path.join(made, "..x"), [made])).toBe(true);
});

describe("making the environment", () => {
  const python = { executable: which("python3") ?? "python3", version: [3, 12] as const };

  function placesWith(script: string): EnvironmentPlaces {
    const extension = mkdtempSync(path.join(made, "extension-"));
    mkdirSync(path.join(extension, "server"));
    writeFileSync(path.join(extension, "server", "make_environment.py"), script);
    return { extension, storage: made, version: "1.2.3" };
  }

  test("passes on what the script says, and answers with its Python", async () => {
    const places = placesWith(`
import json, sys
print(json.dumps({"step": "unpack", "message": "Unpacking."}), flush=True)
print("noise")
print(json.dumps({"done": True, "python": sys.argv[sys.argv.index("--target") + 1] + "/bin/python"}))
`);
    const heard: string[] = [];
    const made = await makeEnvironment(python, places, (message) => heard.push(message));
    expect(made).toBe(path.join(places.storage, "env-1.2.3-py312", "bin", "python"));
    expect(heard).toEqual(["Unpacking."]);
  });

  test.each([
    [
      "its error and hint",
      'print(\'{"error": "The disk is full.", "hint": "Free some space."}\'); raise SystemExit(1)',
      /The disk is full\. Free some space\./,
    ],
    ["its last words", 'import sys; sys.exit("wheels are missing")', /exit code 1.*wheels are missing/],
    ["that it said nothing", "pass", /could not be made/],
    ["that its Python has no place", 'print(\'{"done": true, "python": "python"}\')', /could not be made/],
  ])("tells %s when there is none", async (_name, script, message) => {
    await expect(makeEnvironment(python, placesWith(script), () => {})).rejects.toThrow(message);
  });

  test("tells that this build brings no server", async () => {
    const places = { extension: made, storage: made, version: "1.2.3" };
    await expect(makeEnvironment(python, places, () => {})).rejects.toThrow(/brings no server/);
  });
});

test("a program that hangs is ended", async () => {
  const code = "import time; time.sleep(600)";
  const finished = await runProcess(which("python3") ?? "python3", ["-c", code], { cwd: made, timeoutMs: 300 });
  expect(finished.code).toBeNull();
});

test("restarts are counted within a while", () => {
  let now = 0;
  const budget = new RestartBudget(2, 100, () => now);
  expect([budget.take(), budget.take(), budget.take()]).toEqual([true, true, false]);
  now = 101;
  expect(budget.take()).toBe(true);
});
