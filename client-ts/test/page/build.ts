// The page's tests drive what is shipped: the bundles are built once before them.
import { execFileSync } from "node:child_process";
import path from "node:path";

export default function setup(): void {
  execFileSync(process.execPath, ["build.mjs"], { cwd: path.resolve(import.meta.dirname, "../.."), stdio: "pipe" });
}
