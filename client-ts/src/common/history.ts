// What was decided, as the server wrote it down: read in pages, exported in pieces.
import type { HistoryEntry, HistoryPage } from "../protocol/generated.js";
import type { Server } from "./server.js";

const PAGE = 100;
const PIECE = 262_144;

/** The newest decisions, at most so many, and whether there are older ones. */
export async function newestDecisions(server: Server, most: number): Promise<HistoryPage> {
  const entries: HistoryEntry[] = [];
  let before: number | null = null;
  for (;;) {
    const limit = Math.min(PAGE, most - entries.length);
    const page: HistoryPage = await server.request("history/query", { stage: "decided", before, limit });
    entries.push(...page.entries.slice(0, limit));
    const last = page.entries.at(-1)?.n;
    const goesOn = last !== undefined && (before === null || last < before);
    if (!page.more || !goesOn || entries.length >= most) return { entries, more: page.more };
    before = last;
  }
}

/** All that was written down, as whole JSON lines, piece by piece. */
export async function* exportedPieces(server: Server): AsyncGenerator<string> {
  let after = 0;
  for (;;) {
    const { text, last, done } = await server.request("history/export", { after, length: PIECE });
    if (text !== "") yield text;
    if (done || last === after) return;
    if (last < after) throw new Error(`The server went back from entry ${after} to entry ${last}.`);
    after = last;
  }
}
