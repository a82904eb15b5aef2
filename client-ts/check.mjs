// Type checks each folder with its own surroundings, then lints.
import { spawnSync } from "node:child_process";

const folders = ["src/protocol", "src/common", "src/extension", "src/webview", "src/playground", "test"];
const commands = [...folders.map((folder) => ["tsc", "-p", folder]), ["biome", "check", "--error-on-warnings", "."]];
let failed = false;
for (const [tool, ...args] of commands) {
  const { status, error } = spawnSync(`node_modules/.bin/${tool}`, args, {
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (error) console.error(error.message);
  failed ||= status !== 0;
}
process.exitCode = failed ? 1 : 0;
