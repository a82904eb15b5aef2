// What is said of a chat in the list of chats.
import type { SessionInfo } from "../protocol/generated.js";

/** What it is called among the others: what the user asked first; before that, its place. */
export function titleOf(chat: SessionInfo, chats: readonly SessionInfo[]): string {
  return chat.title || `Chat ${chats.indexOf(chat) + 1}, not begun`;
}

/** That something in it waits for the user; empty where nothing does. */
export function waitsWords({ waiting }: SessionInfo): string {
  return waiting === 0 ? "" : `${waiting} ${waiting === 1 ? "call waits" : "calls wait"} for you`;
}

/** Whether nothing is lost with it. */
export function closesAtOnce({ title, running, waiting }: SessionInfo): boolean {
  return title === "" && !running && waiting === 0;
}

/** What becomes of it when it is closed. */
export function closingWords({ running, waiting, ownFolder }: SessionInfo): string {
  const ends = [
    ...(running ? ["its run is stopped"] : []),
    ...(waiting > 0 ? [`${waiting} waiting ${waiting === 1 ? "call is" : "calls are"} denied`] : []),
    ...(ownFolder ? ["the files in its own folder are deleted"] : []),
    "the conversation is forgotten",
  ];
  const last = ends.pop();
  const words = ends.length > 0 ? `${ends.join(", ")} and ${last}` : `${last}`;
  return `${words[0]?.toUpperCase()}${words.slice(1)}. What was decided stays in the history.`;
}
