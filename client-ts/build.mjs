// Builds the three bundles: the extension host's, the page's, and the playground (the same page in a plain browser).
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const production = !process.argv.includes("--dev");
const shared = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : "inline",
  legalComments: "none",
  logLevel: "warning",
  tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
};
// What a dependency carries along but is never used here.
const slim = {
  "semver/functions/parse": "./slim/version-parse.cjs",
  "semver/functions/satisfies": "./slim/version-satisfies.cjs",
  entities: "./slim/entities.mjs",
  "linkify-it": "./slim/linkify.mjs",
  minimatch: "./slim/globs.cjs",
};
const browser = { ...shared, alias: slim, platform: "browser", format: "iife", target: "chrome120" };

await mkdir("dist/playground", { recursive: true });
await Promise.all([
  build({
    ...shared,
    alias: slim,
    platform: "node",
    format: "cjs",
    target: "node20",
    external: ["vscode"],
    entryPoints: ["src/extension/activate.ts"],
    outfile: "dist/extension.js",
  }),
  build({ ...browser, entryPoints: ["src/webview/main.ts"], outfile: "dist/page.js" }),
  build({ ...browser, entryPoints: ["src/playground/main.ts"], outfile: "dist/playground/playground.js" }),
]);
await writeFile("dist/playground/index.html", await readFile("src/playground/index.html"));

const goals = { "dist/extension.js": 110, "dist/page.js": 60, "dist/playground/playground.js": undefined };
for (const [file, goal] of Object.entries(goals)) {
  const size = gzipSync(await readFile(file)).length / 1024;
  console.log(`${file}: ${size.toFixed(1)} KB gzipped${goal === undefined ? "" : ` (goal ${goal} KB)`}`);
  if (goal !== undefined && size > goal) process.exitCode = 1;
}
