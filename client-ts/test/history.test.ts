import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { exportedPieces, newestDecisions } from "../src/common/history.js";
import { decisionLines, entryText, metricsText, verifiedWords } from "../src/common/history-words.js";
import { Server } from "../src/common/server.js";
import { writeExport } from "../src/extension/history-file.js";
import { withoutIcons } from "../src/extension/quick-text.js";
import type { HistoryExportParams, HistoryQueryParams } from "../src/protocol/generated.js";
import { decision as entry } from "./support/decisions.js";
import { Peer } from "./support/peer.js";

/** A server with so many decisions, the newest first, that gives at most `perPage` at once. */
function historyOf(count: number, perPage = 100): { server: Server; peer: Peer } {
  const peer = new Peer();
  peer.overrides.set("history/query", (({ before, limit }: HistoryQueryParams) => {
    const newest = Math.min(count, (before ?? count + 1) - 1);
    const size = Math.min(limit ?? perPage, perPage, newest);
    const entries = Array.from({ length: size }, (_, index) => entry({ n: newest - index }));
    return { entries, more: newest - size > 0 };
  }) as never);
  return { server: new Server(peer), peer };
}

describe("the newest decisions", () => {
  test.each([
    [0, 100, 0, false],
    [3, 100, 3, false],
    [250, 100, 250, false],
    [250, 30, 250, false],
    [500, 100, 500, false],
    [900, 100, 500, true],
  ])("of %i, in pages of %i, are %i, and there are more: %s", async (count, perPage, got, more) => {
    const { server, peer } = historyOf(count, perPage);
    const page = await newestDecisions(server, 500);
    expect(page.entries.map((one) => one.n)).toEqual(Array.from({ length: got }, (_, index) => count - index));
    expect(page.more).toBe(more);
    expect(peer.called("history/query").every((params) => (params as HistoryQueryParams).stage === "decided")).toBe(
      true,
    );
  });

  test("of a server that goes in circles end", async () => {
    const { server, peer } = historyOf(3);
    peer.overrides.set("history/query", () => ({ entries: [entry()], more: true }));
    expect((await newestDecisions(server, 500)).entries).toHaveLength(2);
  });
});

/** A server that exports these pieces, the number of the last entry in each being its place. */
function exporting(...pieces: string[]): Server {
  const peer = new Peer();
  peer.overrides.set("history/export", (({ after }: HistoryExportParams) => {
    const at = after ?? 0;
    const text = pieces[at] ?? "";
    return { text, last: at + (text === "" ? 0 : 1), done: at + 1 >= pieces.length };
  }) as never);
  return new Server(peer);
}

describe("an export", () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "assent-export-"));
    file = path.join(folder, "history.jsonl");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test.each<[string[], number]>([
    [[], 0],
    [["{}\n"], 1],
    [["1\n2\n", "3\n"], 3],
  ])("of %j is written whole", async (pieces, lines) => {
    expect(await writeExport(file, exportedPieces(exporting(...pieces)))).toBe(lines);
    expect(readFileSync(file, "utf8")).toBe(pieces.join(""));
    if (process.platform !== "win32") expect(statSync(file).mode & 0o077).toBe(0);
  });

  test("that breaks off leaves what was there before, and nothing beside it", async () => {
    writeFileSync(file, "before");
    async function* broken() {
      yield "1\n";
      throw new Error("The server is gone.");
    }
    await expect(writeExport(file, broken())).rejects.toThrow("The server is gone.");
    expect(readFileSync(file, "utf8")).toBe("before");
    expect(existsSync(`${file}.part`)).toBe(false);
  });

  test.skipIf(process.platform === "win32")("does not follow a link that waits for it", async () => {
    const elsewhere = path.join(folder, "elsewhere");
    writeFileSync(elsewhere, "precious");
    symlinkSync(elsewhere, `${file}.part`);
    await writeExport(file, exportedPieces(exporting("1\n")));
    expect(readFileSync(elsewhere, "utf8")).toBe("precious");
    expect(readFileSync(file, "utf8")).toBe("1\n");
  });

  test("from a server that stands still ends, and one that goes back is refused", async () => {
    const peer = new Peer();
    peer.overrides.set("history/export", () => ({ text: "", last: 0, done: false }));
    expect(await writeExport(file, exportedPieces(new Server(peer)))).toBe(0);
    const lasts = [5, 3];
    peer.overrides.set("history/export", () => ({ text: "1\n", last: lasts.shift() ?? 9, done: false }));
    await expect(writeExport(file, exportedPieces(new Server(peer)))).rejects.toThrow("went back");
  });
});

describe("in words", () => {
  test("a decision says what, how, when, who and why", () => {
    const rule = { pattern: "docs/**", scope: "user", file: "/s.json", line: 3 };
    expect(decisionLines(entry({ rule, feedback: "fine" }))).toEqual({
      label: "Write notes.txt (+1 −0)",
      description: expect.stringMatching(/^Allowed by you once · Mar 1, 2026/),
      detail:
        "Demo · write_file · You chose “Approve”. · rule docs/** (user settings, /s.json:3) · “fine” · in /home/ada/project",
    });
  });

  test.each([
    ["rejected", "by you", "Denied by you"],
    ["expired", "because the server restarted", "Expired because the server restarted"],
    ["denied_by_rule", null, "Denied by a rule"],
    ["allowed", "by the bypass for x\u202E", "Allowed by the bypass for x‹U\\+202E›"],
    ["blocked", null, "Blocked"],
    [null, null, "Decided"],
  ] as const)("%s %s: %s", (ending, how, words) => {
    expect(decisionLines(entry({ ending, how })).description).toMatch(new RegExp(`^${words} · `));
  });

  test("what was granted before is named with its beginning and its end", () => {
    const granted = { grant: "npm test", grantedAt: "2026-03-01T17:50:00Z", grantUntil: "2026-03-01T18:05:00Z" };
    const ran = entry({ by: "policy", reason: "session_allow", text: null, ...granted });
    const words = /granted Mar 1, 2026.*50:00.* until Mar 1, 2026.*05:00.*: npm test/;
    expect(decisionLines(ran).detail).toMatch(words);
    expect(entryText(ran)).toMatch(words);
    expect(entryText(ran)).not.toContain("From then on");
    expect(decisionLines(entry({ rule: { pattern: "x\u202E", scope: "chat" } })).detail).toContain(
      "rule x‹U+202E› (this chat)",
    );
  });

  test("nothing in it hides or pretends to be a line of its own", () => {
    const hostile = entry({ headline: "a\u202Eb\nDecided: Denied", agentName: "x\u200B", args: "{\u202E}" });
    expect(decisionLines(hostile).label).toBe("a‹U+202E›b‹U+000A›Decided: Denied");
    const text = entryText(hostile);
    expect(text).toContain("What: a‹U+202E›b‹U+000A›Decided: Denied\n");
    expect(text.match(/^Decided: /gm)).toHaveLength(1);
    expect(text).not.toMatch(/[\u202E\u200B]/);
  });

  test("all that was written down can be read", () => {
    const rich = { edited: true, interrupted: true, waitedMs: 1500, tookMs: 20, redactions: 2, grant: "write_file" };
    const text = entryText(entry(rich));
    for (const part of ["Entry: 7", "Hash: h7", "Digest: d7", "yes", "1.5 s", "20 ms", "s-1, r-1, c-1", "notes.txt"])
      expect(text).toContain(part);
  });

  test.each([
    [{ intact: true, entries: 1 }, "The history is as it was written: 1 entry checked."],
    [
      { intact: false, entries: 12, firstBroken: 5, problem: "its hash is another one." },
      "Entry 5 of the history is not as it was written: its hash is another one. Somebody or something else has changed the file. 12 entries checked.",
    ],
    [
      { intact: false, entries: 0 },
      "The history is not as it was written. Somebody or something else has changed the file. 0 entries checked.",
    ],
  ])("%j", (found, words) => expect(verifiedWords(found)).toBe(words));

  test("figures, also where there are none", () => {
    const none = { decisions: [], endings: [], answers: [], timeouts: 0, settledByPolicy: 0, waited: null, tools: [] };
    expect(metricsText(none)).toContain("Nothing has waited");
    const took = { count: 2, median: 10, p95: 1500, longest: 130_000 };
    const text = metricsText({ ...none, decisions: [{ name: "allowed", count: 3 }], tools: [{ tool: "bash", took }] });
    expect(text).toContain("  allowed: 3");
    expect(text).toContain("bash: 2 times, half of them within 10 ms, 95 of 100 within 1.5 s, the longest 2 min");
  });

  test("a list of the editor draws no pictures", () => {
    expect(withoutIcons("$(check) and $(x)")).toBe("\\$(check) and \\$(x)");
  });
});

describe("what lasts longer than a call", () => {
  const none = { ending: null, how: "by you", tool: "", agentName: "", directory: "" };

  test("is told by what it is, and by whom it was given or taken back", () => {
    const given = entry({ ...none, stage: "granted", grant: "Always allow ls", text: "All lists", headline: "Run ls" });
    expect(decisionLines(given)).toMatchObject({ label: "Always allow ls", detail: "Run ls · All lists" });
    expect(decisionLines(given).description).toMatch(/^Given by you · /);
    expect(entryText(given)).toContain("\nFrom then on: Always allow ls\n");
    const taken = entry({ ...none, stage: "revoked", grant: "ls\u202e", text: "ls\u202e", headline: "" });
    expect(decisionLines(taken)).toMatchObject({ label: "ls‹U+202E›", detail: "" });
    expect(decisionLines(taken).description).toMatch(/^Taken back by you · /);
  });
});
