// What the search for Python asks of this machine.
import { accessSync, constants, realpathSync } from "node:fs";
import path from "node:path";

/** The file of a program by its name. Relative entries of PATH are skipped: they would depend on the open folder. */
export function which(name: string): string | undefined {
  const endings = process.platform === "win32" ? [".exe", ".bat", ".cmd"] : [""];
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  for (const folder of folders) {
    for (const ending of endings) {
      const file = path.join(folder, name + ending);
      if (isExecutable(file)) return file;
    }
  }
  return undefined;
}

/** Whether a file stands in one of these folders, by its own place and by that of its folder's real name. */
export function isInside(file: string, folders: readonly string[]): boolean {
  const places = [path.resolve(file), path.join(realName(path.dirname(file)), path.basename(file))];
  return folders.some((folder) =>
    [path.resolve(folder), realName(folder)].some((root) => places.some((place) => isBelow(place, root))),
  );
}

function isBelow(place: string, root: string): boolean {
  const relative = path.relative(root, place);
  return relative === "" || !(relative === ".." || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative));
}

/** Whether it can be started. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function realName(place: string): string {
  try {
    return realpathSync(place);
  } catch {
    return path.resolve(place);
  }
}
