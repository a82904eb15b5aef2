// How the editor takes files to be encoded, all of its settings together, for the server, which reads what is not open.
import * as vscode from "vscode";
import type { FolderEncodings } from "../protocol/generated.js";

interface Language {
  id: string;
  extensions?: string[];
  filenames?: string[];
  filenamePatterns?: string[];
}

export const ENCODING = "files.encoding";
/** Which names are of which language: for a language `files.encoding` can say something else. */
export const ASSOCIATIONS = "files.associations";

/** Of each open folder, and of all files elsewhere. */
export function encodings(): FolderEncodings[] {
  return [undefined, ...(vscode.workspace.workspaceFolders ?? [])].map((folder) => {
    const uri = folder?.uri;
    const settings = vscode.workspace.getConfiguration(undefined, uri ?? null);
    const encoding = settings.get(ENCODING, "");
    const ids = settings.inspect(ENCODING)?.languageIds ?? [];
    const named = ids.length > 0 ? [settings.get<Record<string, string>>(ASSOCIATIONS, {}), contributed(ids)] : [];
    const names = named.flatMap((languages) =>
      Object.entries(languages)
        .sort(([one], [other]) => other.length - one.length)
        .map(([pattern, languageId]) => {
          const ofLanguage = vscode.workspace.getConfiguration(undefined, { ...(uri && { uri }), languageId });
          return { pattern, encoding: ofLanguage.get(ENCODING, encoding) };
        }),
    );
    return { folder: uri?.fsPath ?? "", encoding, names };
  });
}

/** What files of these languages are called, as the extensions say that bring the languages. */
function contributed(ids: readonly string[]): Record<string, string> {
  const languages = vscode.extensions.all.flatMap(
    ({ packageJSON }) => (packageJSON as { contributes?: { languages?: Language[] } }).contributes?.languages ?? [],
  );
  return Object.fromEntries(
    languages
      .filter(({ id }) => ids.includes(id))
      .flatMap(({ id, extensions = [], filenames = [], filenamePatterns = [] }) =>
        [...extensions.map((one) => `*${one}`), ...filenames, ...filenamePatterns].map((name) => [name, id]),
      ),
  );
}
