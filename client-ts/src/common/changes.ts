// All of what the files of a waiting call would hold, or of what a call wrote: fetched whole, and compared by the editor.
import type { ApprovalRequest } from "../protocol/generated.js";
import type { Ends } from "./ends.js";
import { type Server, toFault } from "./server.js";

/** A file beside what becomes, or became, of it. */
export interface ComparedFile {
  realPath: string;
  /** The text on the left; `file` is the one of the disk, or of the editor where it is open. */
  before: "file" | { text: string };
  after: string;
}

/** What is compared, in the words of a title. */
export type ComparedAs = "proposed" | "written";

/** What of the files can be seen where they are compared. */
export interface Comparison {
  /** Something in what would be written cannot be seen by anybody. */
  hides: boolean;
  /** The editor does not show all that changes. */
  leavesOut: boolean;
}

interface Proposal {
  files: ComparedFile[];
  tellAll: boolean;
}

/** Opens what a waiting call would write. The page hears when it stands there, or why it does not. */
export async function openDiff(approvalId: string, argsDigest: string, ends: Ends): Promise<void> {
  const failed = (text: string) => ends.post({ type: "compareFailed", approvalId, text });
  const [request, server] = [ends.waiting.get(approvalId), ends.server];
  if (request === undefined) return failed("This question is no longer open.");
  if (server === undefined) return failed("There is no connection to the server.");
  if (request.redactions) return failed("Secret values are masked on this card: reveal them first.");
  try {
    const { files, tellAll } = await proposal(server, { approvalId, argsDigest });
    const { hides, leavesOut } = await ends.compare(files, "proposed");
    ends.post({ type: "compared", approvalId, argsDigest, tellAll: tellAll && !leavesOut, hides });
  } catch (error) {
    failed(`The diff could not be opened: ${toFault(error).message}`);
  }
}

async function proposal(
  server: Server,
  ids: Pick<ApprovalRequest, "approvalId" | "argsDigest">,
  file = 0,
): Promise<Proposal> {
  const pieces: string[] = [];
  for (let offset = 0; ; ) {
    const piece = await server.request("tool/approvalChange", { ...ids, file, offset });
    pieces.push(piece.text);
    if (typeof piece.nextOffset === "number") {
      offset = further(offset, piece.nextOffset);
      continue;
    }
    const before = piece.besideFile ? "file" : { text: "" };
    const compared: ComparedFile = { realPath: piece.realPath, before, after: pieces.join("") };
    const more = file + 1 < piece.files ? (await proposal(server, ids, file + 1)).files : [];
    return { files: [compared, ...more], tellAll: piece.tellAll };
  }
}

/** Opens what a call wrote beside what its run had found there, or alone where that is not known any more. */
export async function openWritten(
  { sessionId, toolCallId }: { sessionId: string; toolCallId: string },
  server: Server,
  ends: Ends,
): Promise<void> {
  const text = async (side: "before" | "after") => {
    const pieces: string[] = [];
    for (let offset = 0; ; ) {
      const piece = await server.request("tool/written", { sessionId, toolCallId, side, offset });
      if (typeof piece.text !== "string") return { realPath: piece.realPath, text: undefined };
      pieces.push(piece.text);
      if (typeof piece.nextOffset !== "number") return { realPath: piece.realPath, text: pieces.join("") };
      offset = further(offset, piece.nextOffset);
    }
  };
  const [before, after] = [await text("before"), await text("after")];
  if (after.text === undefined) throw new Error("what this call wrote is not kept any more");
  if (before.text === undefined) return ends.showText("As this call wrote it", after.text);
  await ends.compare([{ realPath: after.realPath, before: { text: before.text }, after: after.text }], "written");
}

function further(offset: number, next: number): number {
  if (next <= offset) throw new Error("The server sent only a part of it.");
  return next;
}
