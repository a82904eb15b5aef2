// Stores one entry of one setting for the server, in the file that the editor knows to be the right one.
import { isRecord } from "../protocol/check.js";
import type { SettingsWriteParams, SettingsWriteResult } from "../protocol/generated.js";

/** The editor's settings, as far as they are written. */
export interface SettingsStore {
  readonly isTrusted: boolean;
  readonly hasWorkspace: boolean;
  /** What the setting is in this scope and no other. */
  current(key: string, target: SettingsWriteParams["target"]): Promise<unknown>;
  update(key: string, value: unknown, target: SettingsWriteParams["target"]): Promise<void>;
}

/** An entry is set (or taken away, by null), an item is added to a list, or taken out of it. */
type Way = "set" | "append" | "remove";
type Write = Pick<SettingsWriteParams, "path" | "value"> & { way: Way };

const isName = (value: unknown) => typeof value === "string" && value !== "";
const isPattern = (value: unknown) => isName(value) || (isRecord(value) && isName(value.pattern));
const isRule = ({ path, value, way }: Write) =>
  way !== "set" && path.length === 1 && path.every(isName) && isPattern(value);
const isListed = ({ path, value, way }: Write) => way !== "set" && path.length === 0 && isName(value);
/** One entry that stood there: taken away, or put back. */
const isEntry =
  (depth: number) =>
  ({ path, value, way }: Write) =>
    way === "set" && path.length === depth && path.every(isName) && (value === null || isName(value));

/** The trust in an MCP server, or a whole one of the workspace: taken out, and put back as it stood. */
const isServer = ({ path, value, way }: Write) =>
  way === "set" &&
  path.every(isName) &&
  (path.length === 2
    ? path[1] === "trusted" && (value === null || value === true)
    : path.length === 1 && (value === null || isRecord(value)));

/** What the server may have written, and how; everything else stays the user's own business. */
const WRITABLE: ReadonlyMap<string, (write: Write) => boolean> = new Map([
  [
    "bypassPermissions",
    ({ path, value, way }) => way === "set" && path.length === 1 && (typeof value === "boolean" || value === null),
  ],
  ["alwaysAllowRules", isRule],
  ["alwaysDenyRules", isRule],
  ["alwaysAskRules", isRule],
  ["toolAllowlist", isListed],
  ["additionalWorkingDirectories", isListed],
  ["mode", isEntry(0)],
  ["matrixOverrides", isEntry(2)],
  ["mcpServers", isServer],
]);

/** Writes one entry after another: two writes at once would lose one of them. */
export class SettingsWriter {
  private last: Promise<unknown> = Promise.resolve();
  private underWay = 0;

  constructor(private readonly store: SettingsStore) {}

  /** Whether the editor changes and saves settings for us just now. */
  get isWriting(): boolean {
    return this.underWay > 0;
  }

  /** What the server asks for, as far as it may. */
  write(params: SettingsWriteParams): Promise<SettingsWriteResult> {
    return this.inTurn(() => this.writeForServer(params));
  }

  /** What the user chose in the editor itself, into the user's own settings. */
  writeForUser(name: string, path: string[], value: unknown): Promise<SettingsWriteResult> {
    return this.inTurn(() => this.writeNow(name, { path, value, way: "set" }, "user"));
  }

  private inTurn(write: () => Promise<SettingsWriteResult>): Promise<SettingsWriteResult> {
    const result = this.last.then(write);
    this.last = result;
    return result;
  }

  private async writeForServer(params: SettingsWriteParams): Promise<SettingsWriteResult> {
    const { key, path, value, append, remove, target } = params;
    const name = key.replace(/^assent\./, "");
    if (append && remove) return { written: false, target, error: "An item is added or taken out, not both." };
    const write: Write = { path, value, way: append ? "append" : remove ? "remove" : "set" };
    const error = this.refusal(name, write, target);
    if (error !== undefined) return { written: false, target, error };
    return this.writeNow(name, write, target);
  }

  private async writeNow(
    name: string,
    write: Write,
    target: SettingsWriteParams["target"],
  ): Promise<SettingsWriteResult> {
    this.underWay += 1;
    try {
      const before = await this.store.current(name, target);
      const after = changed(before, write);
      if (after !== before) await this.store.update(name, after, target);
      return { written: true, target };
    } catch (fault) {
      if (fault instanceof Misshapen)
        return { written: false, target, error: `assent.${name} ${fault.message} It is left as it is.` };
      return { written: false, target, error: fault instanceof Error ? fault.message : String(fault) };
    } finally {
      this.underWay -= 1;
    }
  }

  private refusal(name: string, write: Write, target: string): string | undefined {
    // A program that every workspace would start is the user's own to write.
    const isForAll = target === "user" && name === "mcpServers" && write.path.length === 1;
    if (isForAll || !WRITABLE.get(name)?.(write))
      return `The editor does not let the server write this to assent.${name}.`;
    // The editor hides a restricted value in Restricted Mode: what is there would be lost by writing.
    if (!this.store.isTrusted) return "The workspace is not trusted, so nothing is written to its settings.";
    if (target === "workspace" && !this.store.hasWorkspace)
      return "No folder is open, so there are no workspace settings.";
    return undefined;
  }
}

/** What is there is of another shape than what is to be put into it. */
class Misshapen extends Error {}

function changed(before: unknown, { path, value, way }: Write): unknown {
  if (way === "append") return withItem(before, path, value);
  if (way === "remove") return withoutItem(before, path, value);
  if (value !== null) return withEntry(before, path, value);
  return path.length === 0 ? undefined : withEntry(before, path, null);
}

/** A copy of the value in which only this entry differs; null takes it away. Any name may be a key. */
export function withEntry(before: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const entries = new Map(Object.entries(objectOf(before)));
  if (rest.length === 0 && value === null) entries.delete(name);
  else entries.set(name, withEntry(entries.get(name), rest, value));
  return Object.fromEntries(entries);
}

/** A copy in which the list at the end of the path holds the value, too; the same value where it does already. */
export function withItem(before: unknown, path: readonly string[], value: unknown): unknown {
  const list = listAt(before, path);
  return list.some((item) => isSame(item, value)) ? before : withEntry(before, path, [...list, value]);
}

/** A copy in which the list at the end of the path holds the value no more; the same value where it never did. */
export function withoutItem(before: unknown, path: readonly string[], value: unknown): unknown {
  const list = listAt(before, path);
  const kept = list.filter((item) => !isSame(item, value));
  return kept.length === list.length ? before : withEntry(before, path, kept);
}

function listAt(before: unknown, path: readonly string[]): unknown[] {
  const list = path.reduce((inner, name) => new Map(Object.entries(objectOf(inner))).get(name), before) ?? [];
  if (!Array.isArray(list)) throw new Misshapen("holds something else than a list there.");
  return list;
}

/** Equal as JSON; the order of keys does not count. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one))
    return Array.isArray(other) && one.length === other.length && one.every((item, at) => isSame(item, other[at]));
  if (!isRecord(one) || !isRecord(other)) return one === other;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => isSame(one[key], other[key]));
}

function objectOf(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (isRecord(value)) return value;
  throw new Misshapen("holds something else than an object.");
}
