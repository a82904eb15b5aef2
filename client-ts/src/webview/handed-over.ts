// What is dropped or pasted where the user writes: files of the workspace go along, other things say why they do not.
import type { Actions } from "./actions.js";
import { pathOfUri } from "./attaching.js";

const URIS = "application/vnd.code.uri-list";
const NO_FILE = "Only files of the workspace go along with a message.";
const NO_COPY =
  "Pictures and other data that are pasted or dropped do not go along with a message: only text does, and files of the workspace that are texts or pictures. Put the file into the workspace and name it there.";

/** Lets files be dropped here. What else is dragged, as a text, stays the browser's business. */
export function letDrop(event: DragEvent): void {
  const { dataTransfer } = event;
  if (dataTransfer === null || !mayHoldFiles(dataTransfer)) return;
  event.preventDefault();
  dataTransfer.dropEffect = "copy";
}

/** Files of the editor are named for the next message. */
export function takeDropped(event: DragEvent, actions: Actions): void {
  const { dataTransfer } = event;
  if (dataTransfer === null || !mayHoldFiles(dataTransfer)) return;
  event.preventDefault();
  const uris = urisOf(dataTransfer.getData(URIS) || dataTransfer.getData("text/uri-list"));
  const paths = uris.map(pathOfUri).filter((path) => path !== undefined && path !== "");
  actions.attachAll(paths as string[]);
  if (paths.length < uris.length) actions.refuse(NO_FILE);
  else if (uris.length === 0) actions.refuse(NO_COPY);
}

/** A text is pasted as ever; a picture or a file that comes without one says why it is not there. */
export function takePasted(event: ClipboardEvent, actions: Actions): void {
  const { clipboardData } = event;
  if (clipboardData === null || clipboardData.files.length === 0 || clipboardData.types.includes("text/plain")) return;
  event.preventDefault();
  actions.refuse(NO_COPY);
}

/** A link that is dragged out of a page brings its markup along, files do not. */
function mayHoldFiles({ types }: DataTransfer): boolean {
  if (types.includes(URIS) || types.includes("Files")) return true;
  return types.includes("text/uri-list") && !types.includes("text/html");
}

function urisOf(list: string): string[] {
  return list.split(/[\r\n]+/).filter((line) => line !== "" && !line.startsWith("#"));
}
