// What a run changed, as it is told before anything is rolled back: each file is named, and none of them can hide.
import { describe, expect, test } from "vitest";
import {
  fileLines,
  questionWords,
  restoredWords,
  runLines,
  sinceWords,
  unansweredWords,
} from "../src/common/checkpoint-words.js";
import { type CheckpointDiff, type CheckpointFile, ErrorCode } from "../src/protocol/generated.js";

type FileState = CheckpointFile["state"];
const file = (shown: string, state: FileState, note?: string): CheckpointFile => ({
  path: `/w/${shown}`,
  shown,
  state,
  ...(note === undefined ? {} : { note }),
});
const diff = (...files: CheckpointFile[]): CheckpointDiff => ({
  runId: "r",
  at: "2026-01-01T00:00:00Z",
  digest: "d",
  files,
});
const ALL = diff(
  file("a.txt", "changed"),
  file("b.txt", "created"),
  file("c.txt", "changed_since"),
  file("d.txt", "same"),
  file("e.txt", "left", "Its copy is not there any more."),
);

describe("the question", () => {
  test("counts what is rolled back and names what becomes of each file", () => {
    const { message, detail } = questionWords(ALL);
    expect(message).toBe("Roll 2 files back to before this run?");
    expect(detail).toContain("They are put back to what they were:\na.txt");
    expect(detail).toContain("These were made by the run and are removed:\nb.txt");
    expect(detail).toContain("These stay as they are:\ne.txt");
    expect(detail).not.toContain("d.txt");
    expect(detail).toContain("What shell commands wrote is not part of it.");
  });

  test("asks by itself about what changed since", () => {
    expect(sinceWords(ALL)?.message).toBe("1 file was changed after the run. Overwrite them too?");
    expect(sinceWords(ALL)?.detail).toContain("c.txt");
    expect(questionWords(ALL).detail).not.toContain("c.txt");
    expect(sinceWords(diff(file("a.txt", "changed")))).toBeUndefined();
  });

  test("says how many more there are than it can name", () => {
    const many = Array.from({ length: 40 }, (_, at) => file(`${at}.txt`, "changed"));
    expect(questionWords({ ...diff(...many), more: 3 }).detail).toMatch(
      /and 25 more[\s\S]*3 more files of the run cannot/,
    );
  });
});

test("no name hides what it is", () => {
  const hidden = file("a\u202etxt.exe", "changed");
  for (const words of [fileLines(hidden).label, questionWords(diff(hidden)).detail])
    expect(words).not.toContain("\u202e");
});

test("a file says how it stands, or why it stays", () => {
  expect(fileLines(file("a.txt", "created")).detail).toBe("made by the run; rolling back removes it");
  expect(fileLines(file("a.txt", "left", "It is a file for secrets.")).detail).toBe("It is a file for secrets.");
});

test("a run says which files it wrote, and how many are not kept", () => {
  const { description } = runLines({ runId: "r", at: "2026-01-01T00:00:00Z", files: ["a", "b"], notKept: 1 });
  expect(description).toBe("2 files: a, b · 1 of them not kept");
});

test("what became of it names what was left, and a fault stands alone", () => {
  const left = [{ shown: "c.txt", why: "It changed." }];
  expect(restoredWords({ restored: ["a"], left: [] })).toBe("1 file rolled back.");
  expect(restoredWords({ restored: ["a", "b"], left })).toBe(
    "2 files rolled back. Left as they are: c.txt: It changed.",
  );
  expect(restoredWords({ restored: [], left, error: "The disk is full." })).toBe("The disk is full.");
});

test("only a server that says no has done nothing; one that is gone may have begun", () => {
  expect(unansweredWords({ code: ErrorCode.DIGEST_MISMATCH, message: "Look again." })).toBe(
    "Nothing was rolled back: Look again.",
  );
  expect(unansweredWords({ code: ErrorCode.INTERNAL_ERROR, message: "Connection got disposed" })).toMatch(
    /not known how far.*disposed.*its chat says so/,
  );
});
