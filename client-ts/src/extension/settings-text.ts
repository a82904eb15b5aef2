// What a settings file says of this extension, read from its text: the editor's own reading of it loses some names.
import { isRecord } from "../protocol/check.js";
import type { AttestedEntry } from "../protocol/generated.js";
import { parseJsonc } from "./jsonc.js";

const PREFIX = "assent";

/** A settings file: one of a folder, or a file of a whole workspace, which has its settings one level deeper. */
export type SettingsKind = "folder" | "workspace";

/** The settings of this extension by their full names; undefined where the text cannot be read. */
export function settingsIn(text: string, kind: SettingsKind): ReadonlyMap<string, unknown> | undefined {
  const whole = parseJsonc(text);
  const settings = kind === "workspace" && isRecord(whole) ? (own(whole, "settings") ?? {}) : whole;
  if (!isRecord(settings)) return undefined;
  const found = new Map<string, unknown>();
  // A setting is spelled "assent.mode" or, nested, "assent": {"mode"}: the later spelling counts.
  for (const [name, value] of Object.entries(settings)) {
    if (name.startsWith(`${PREFIX}.`)) found.set(name, value);
    if (name !== PREFIX || !isRecord(value)) continue;
    for (const [inner, one] of Object.entries(value)) found.set(`${PREFIX}.${inner}`, one);
  }
  return found;
}

/** The settings that differ between two texts of a file, whole; undefined where one of them cannot be read. */
export function changedSettings(before: string, after: string, kind: SettingsKind): AttestedEntry[] | undefined {
  const [old, now] = [settingsIn(before, kind), settingsIn(after, kind)];
  if (old === undefined || now === undefined) return undefined;
  const names = new Set([...old.keys(), ...now.keys()]);
  return [...names]
    .map((key) => ({ key, before: old.get(key) ?? null, after: now.get(key) ?? null }))
    .filter((entry) => !isEqual(entry.before, entry.after));
}

function own(value: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Whether two JSON values are the same; the order of an object's members means nothing. */
function isEqual(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isEqual(item, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return one === other;
  const names = Object.keys(one);
  const alike = (name: string) => Object.hasOwn(other, name) && isEqual(one[name], other[name]);
  return names.length === Object.keys(other).length && names.every(alike);
}
