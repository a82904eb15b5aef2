// Stores one entry of one setting for the server, in the file that the editor knows to be the right one.
import { isRecord } from "../protocol/check.js";
import type { SettingsWriteParams, SettingsWriteResult } from "../protocol/generated.js";
import type { Inspected } from "./scoped-settings.js";

/** The editor's settings, as far as they are written. */
export interface SettingsStore {
  readonly isTrusted: boolean;
  readonly hasWorkspace: boolean;
  inspect(key: string): Inspected | undefined;
  update(key: string, value: unknown, target: SettingsWriteParams["target"]): Promise<void>;
}

/** What the server may have written; everything else stays the user's own business. */
const WRITABLE: ReadonlySet<string> = new Set(["bypassPermissions"]);

/** Writes one entry after another: two writes at once would lose one of them. */
export class SettingsWriter {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly store: SettingsStore) {}

  write(params: SettingsWriteParams): Promise<SettingsWriteResult> {
    const result = this.last.then(() => this.writeNow(params));
    this.last = result;
    return result;
  }

  private async writeNow({ key, path, value, target }: SettingsWriteParams): Promise<SettingsWriteResult> {
    const name = key.replace(/^assent\./, "");
    const error = this.refusal(name, path, target);
    if (error !== undefined) return { written: false, target, error };
    try {
      const inspected = this.store.inspect(name);
      const before = target === "workspace" ? inspected?.workspaceValue : inspected?.globalValue;
      await this.store.update(name, withEntry(before, path, value), target);
      return { written: true, target };
    } catch (fault) {
      return { written: false, target, error: fault instanceof Error ? fault.message : String(fault) };
    }
  }

  private refusal(name: string, path: readonly string[], target: string): string | undefined {
    if (!WRITABLE.has(name) || path.length === 0) return `The editor does not let the server write assent.${name}.`;
    // The editor hides a restricted value in Restricted Mode: what is there would be lost by writing.
    if (!this.store.isTrusted) return "The workspace is not trusted, so nothing is written to its settings.";
    if (target === "workspace" && !this.store.hasWorkspace)
      return "No folder is open, so there are no workspace settings.";
    return undefined;
  }
}

/** A copy of the value in which only this entry differs; null takes it away. Any name may be a key. */
export function withEntry(before: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const entries = new Map(Object.entries(isRecord(before) ? before : {}));
  if (rest.length === 0 && value === null) entries.delete(name);
  else entries.set(name, withEntry(entries.get(name), rest, value));
  return Object.fromEntries(entries);
}
