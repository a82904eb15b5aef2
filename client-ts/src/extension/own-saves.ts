// Tells the user's own saves of settings files from every other way in which such a file changes. Events in, saves out.
import { createHash } from "node:crypto";
import type { AttestParams } from "../protocol/generated.js";
import { changedSettings, type SettingsKind } from "./settings-text.js";

/** An open settings file as the editor tells of it. */
export interface OpenFile {
  /** Its address: the same for as long as it is open. */
  readonly id: string;
  readonly text: string;
  readonly isDirty: boolean;
}

/** A file that the user saved by hand: what it said when it was last equal to the disk, and what it says now. */
export interface OwnSave {
  id: string;
  before: string;
  after: string;
}

interface Followed {
  /** The text when document and disk were last the same; undefined where nobody saw that. */
  clean: string | undefined;
  /** The same as it was before the last edit, for an edit that turns out to be what made it dirty. */
  beforeEdit: { clean: string | undefined; at: number } | undefined;
  /** A write of our own may have had a hand in what is unsaved. */
  mixed: boolean;
  saving: { before: string } | undefined;
}

/** The word that an edit made a file dirty follows the edit at once. */
const AT_ONCE_MS = 500;

/** Follows settings files from opening to closing. */
export class OwnSaves {
  private readonly files = new Map<string, Followed>();

  /** `isWriting`: whether a write of this extension is under way, which changes and saves files as a user does. */
  constructor(
    private readonly isWriting: () => boolean,
    private readonly now: () => number,
  ) {}

  opened({ id, text, isDirty }: OpenFile): void {
    const clean = isDirty ? undefined : text;
    this.files.set(id, { clean, beforeEdit: undefined, mixed: false, saving: undefined });
  }

  closed(id: string): void {
    this.files.delete(id);
  }

  /**
   * The document changed, or only became clean or dirty (`edited` is false then). The edit that makes it dirty is told
   * while it still counts as clean, as a reload from disk is: only the word after it tells the two apart.
   */
  changed({ id, text, isDirty }: OpenFile, edited: boolean): void {
    const file = this.files.get(id);
    if (file === undefined) return;
    const { beforeEdit } = file;
    file.beforeEdit = undefined;
    if (isDirty) {
      const byThatEdit = !edited && beforeEdit !== undefined && this.now() - beforeEdit.at < AT_ONCE_MS;
      if (byThatEdit) file.clean = beforeEdit.clean;
      file.mixed ||= this.isWriting();
      return;
    }
    if (edited) file.beforeEdit = { clean: file.clean, at: this.now() };
    file.clean = text;
    file.mixed = false;
  }

  /** It is about to be saved. `byHand`: the user asked for this very save, in front of the file. */
  willSave({ id, isDirty }: OpenFile, byHand: boolean): void {
    const file = this.files.get(id);
    if (file === undefined) return;
    const { clean, mixed } = file;
    const counts = byHand && isDirty && !mixed && !this.isWriting() && clean !== undefined;
    file.saving = counts ? { before: clean } : undefined;
  }

  /** It was saved: answers with the save if it was the user's own. What it says now is the new beginning. */
  saved({ id, text, isDirty }: OpenFile): OwnSave | undefined {
    const file = this.files.get(id);
    if (file === undefined) return undefined;
    const { saving } = file;
    Object.assign(file, { clean: isDirty ? undefined : text, beforeEdit: undefined, mixed: false, saving: undefined });
    // Dirty again already: what was saved is no longer to be seen here.
    if (saving === undefined || isDirty || this.isWriting()) return undefined;
    return { id, before: saving.before, after: text };
  }
}

/** What to tell the server of such a save; undefined where there is nothing to tell, or the disk says something else. */
export function attestation(
  save: OwnSave,
  file: string,
  kind: SettingsKind,
  bytes: Uint8Array,
): AttestParams | undefined {
  if (new TextDecoder().decode(bytes) !== save.after) return undefined;
  const entries = changedSettings(save.before, save.after, kind) ?? [];
  if (entries.length === 0) return undefined;
  return { file, sha256: createHash("sha256").update(bytes).digest("hex"), entries };
}
