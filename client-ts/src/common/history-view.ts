// The history for the page: what it looks for is asked of the server, a page of entries at a time.
import type { Ends } from "./ends.js";
import type { HistoryMessage } from "./page-messages.js";
import { toFault } from "./server.js";

const PAGE = 50;

/** Asks the server and tells the page, also why it has nothing to tell. */
export async function lookIntoHistory({ id, filters }: HistoryMessage, ends: Ends): Promise<void> {
  const continues = filters.before !== undefined;
  const server = ends.server;
  try {
    if (server === undefined) throw new Error("There is no connection to the server.");
    const page = await server.request("history/query", { stage: "decided", limit: PAGE, ...filters });
    ends.post({ type: "history", id, continues, page });
  } catch (error) {
    ends.post({ type: "history", id, continues, error: toFault(error).message });
  }
}
