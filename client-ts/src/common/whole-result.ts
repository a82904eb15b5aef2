// A result of which the page shows a part, fetched whole from the server, which keeps it.
import type { ToolResultParams } from "../protocol/generated.js";
import type { Server } from "./server.js";

/** All of its text. Rejects with the server's reason where it is not kept. */
export async function wholeResult(
  server: Pick<Server, "request">,
  { sessionId, toolCallId }: Omit<ToolResultParams, "offset">,
): Promise<string> {
  const pieces: string[] = [];
  let offset: number | null | undefined = 0;
  while (typeof offset === "number") {
    const piece: { text: string; nextOffset?: number | null } = await server.request("tool/result", {
      sessionId,
      toolCallId,
      offset,
    });
    pieces.push(piece.text);
    if (piece.text === "" && typeof piece.nextOffset === "number")
      throw new Error("The server sent only a part of it.");
    offset = piece.nextOffset;
  }
  return pieces.join("");
}
