// The editor's own program for searching texts. Its place differs from version to version.
import path from "node:path";
import { isExecutable } from "./machine.js";

/** Its whole path, where this editor has one that can be started. */
export function editorRipgrep(
  appRoot: string,
  platform: string = process.platform,
  arch: string = process.arch,
): string | undefined {
  const name = platform === "win32" ? "rg.exe" : "rg";
  const packages = ["node_modules", "node_modules.asar.unpacked"].map((folder) =>
    path.join(appRoot, folder, "@vscode"),
  );
  return packages
    .flatMap((folder) => [
      path.join(folder, "ripgrep-universal", "bin", `${platform}-${arch}`, name),
      path.join(folder, "ripgrep", "bin", name),
    ])
    .find((file) => path.isAbsolute(file) && isExecutable(file));
}
