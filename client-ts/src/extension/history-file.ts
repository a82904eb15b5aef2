// Writes an export: the file is there whole or not at all, and nobody else may read it.
import { open, rename, rm } from "node:fs/promises";

/** Writes the pieces one after the other; answers with how many lines there are. */
export async function writeExport(file: string, pieces: AsyncIterable<string>): Promise<number> {
  const unfinished = `${file}.part`;
  let lines = 0;
  // What lies there from before, or leads elsewhere, is not written into.
  await rm(unfinished, { force: true });
  try {
    const handle = await open(unfinished, "wx", 0o600);
    try {
      for await (const piece of pieces) {
        await handle.write(piece);
        lines += piece.split("\n").length - 1;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, file);
    return lines;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
