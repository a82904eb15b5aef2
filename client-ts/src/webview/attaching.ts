// What goes along with the next message: files that the user named, and what is written to find one.
import type { AttachedFile } from "../protocol/generated.js";

/** That go along with one message; the server counts them again. */
export const MOST_FILES = 20;

/** A file that the user named, as it stands below the composer. */
export interface Chip {
  path: string;
  /** In bytes; undefined until the server has looked. */
  size?: number | undefined;
  /** What kind of picture it goes along as; undefined where it is a text. */
  picture?: string | undefined;
  /** Why it goes along only where the user says so once more. */
  warning?: string | undefined;
  /** What stands for having read exactly that. */
  warningDigest?: string | undefined;
  agreed: boolean;
  /** Why it cannot go along at all. */
  error?: string | undefined;
}

/** The files that fit what was written. */
export interface FoundFiles {
  query: string;
  files: readonly string[];
  more: boolean;
}

/** Whether the server has not said yet what it is. */
export function isLookedAt({ size, error }: Chip): boolean {
  return size === undefined && error === undefined;
}

/** Whether it goes along as it is. What does not stays where it is, with its reason. */
export function goesAlong({ size, warning, agreed, error }: Chip): boolean {
  return size !== undefined && error === undefined && (warning === undefined || agreed);
}

/** Those that go along, as they are sent. */
export function attachedFiles(chips: readonly Chip[]): AttachedFile[] {
  return chips
    .filter(goesAlong)
    .map(({ path, warningDigest }) => (warningDigest === undefined ? { path } : { path, agreedDigest: warningDigest }));
}

/** What stands between the sign and the caret, where a file is being named: only behind a blank or at the beginning. */
export function mentionAt(text: string, caret: number): string | undefined {
  return /(?:^|\s)@([^\s@]*)$/.exec(text.slice(0, caret))?.[1];
}

/** The text with the name in full, and where the caret goes. */
export function withMention(text: string, caret: number, path: string): { text: string; caret: number } {
  const start = caret - (mentionAt(text, caret)?.length ?? 0);
  const rest = text.slice(caret);
  const before = `${text.slice(0, start)}${path}${rest.startsWith(" ") ? "" : " "}`;
  return { text: before + rest, caret: before.length + (rest.startsWith(" ") ? 1 : 0) };
}

/** The path of a file as editors name it in what is dragged; undefined where it is none of this machine or the server's. */
export function pathOfUri(uri: string): string | undefined {
  try {
    const { protocol, host, pathname } = new URL(uri);
    if (protocol !== "file:" && protocol !== "vscode-remote:") return undefined;
    const path = decodeURIComponent(pathname);
    if (protocol === "file:" && host !== "") return `//${host}${path}`;
    return /^\/[a-z]:/i.test(path) ? path.slice(1) : path;
  } catch {
    return undefined;
  }
}

/** How large it is, for a person. */
export function sizeWords(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toLocaleString("en", { maximumFractionDigits: 1 })} KB`;
}

/** What it is and how large, as far as the server has said; nothing where it has not. */
export function whatGoes({ size, picture }: Chip): string | undefined {
  if (size === undefined) return undefined;
  return picture === undefined ? sizeWords(size) : `${picture} picture, ${sizeWords(size)}`;
}

/** The names that were kept, as far as they fit: what they are is looked at anew. */
export function toChips(value: unknown): Chip[] {
  if (!Array.isArray(value)) return [];
  return value.filter((path) => typeof path === "string" && path !== "").map((path) => ({ path, agreed: false }));
}
