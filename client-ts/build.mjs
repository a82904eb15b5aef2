// Builds the bundles: the extension host's, the page's, each with a part that is loaded later, and the playground.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const production = !process.argv.includes("--dev");
const shared = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : "inline",
  // What belongs to others is in THIRD-PARTY-NOTICES.md, whole.
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
  tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
};
// Checks are built by calls without effects: those of messages that a bundle never meets are left out of it.
const dropUnusedChecks = {
  name: "drop unused checks",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/](?:protocol[\\/]generated|common[\\/]page-messages)\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      return { loader: "ts", contents: text.replace(CHECK_CALL, "/* @__PURE__ */ $&") };
    }),
};
const CHECK_CALL = /\b(?:array|fits|guard|maybe|nullable|object|optional|record|tagged|word)\(/g;
// What a dependency carries along but is never used here.
const slim = {
  "semver/functions/parse": "./slim/version-parse.cjs",
  "semver/functions/satisfies": "./slim/version-satisfies.cjs",
  entities: "./slim/entities.mjs",
  "linkify-it": "./slim/linkify.mjs",
  mdurl: "./slim/mdurl.mjs",
  minimatch: "./slim/globs.cjs",
  "punycode.js": "./slim/punycode.mjs",
  "uc.micro": "./slim/uc.mjs",
};
// Styles and markup are written for people; the bundle needs nothing of their layout.
const compactTemplates = {
  name: "compact templates",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]webview[\\/]ui[\\/][\w-]+\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      return {
        loader: "ts",
        contents: text
          .replace(/\bcss`[^`]*`/g, compact)
          .replace(TAG_END, "")
          .replace(IN_MARKUP, " ")
          .replace(INDENT, "\n"),
      };
    }),
};
const compact = (style) =>
  style
    .replace(/\s+/g, " ")
    .replace(/ ?([{};>]) ?|([:,]) /g, "$1$2")
    .replaceAll(";}", "}");
// Outside of templates it means nothing; inside, a line's end is as good a space as all of it.
const INDENT = /\n[ \t]+/g;
const TAG_END = /\n[ \t]+(?=>)/g;
// Before a tag, a value or an attribute it is in markup for certain: there a blank is one more like all others.
const IN_MARKUP = /\n[ \t]+(?=<|\$\{|[@?.]?[\w-]+=["$])/g;
/** Leaves out of a dependency what is never used here, and notices when that is no longer where it was. */
const without = (name, filter, unused) => ({
  name,
  setup: ({ onLoad }) =>
    onLoad({ filter }, async ({ path }) => {
      let contents = await readFile(path, "utf8");
      for (const [part, instead, times] of unused) {
        const found = contents.match(part)?.length ?? 0;
        if (found !== times) throw new Error(`${path} is not as it was: ${part} is there ${found} times`);
        contents = contents.replace(part, instead);
      }
      return { loader: "js", contents };
    }),
});
// Of Markdown the page uses neither the rules that it switches off nor the writing of HTML.
const UNUSED_MARKDOWN = [
  [
    /\[\s*"(?:linkify|replacements|smartquotes|html_block|html_inline)",\s*\w+(?:\$\d)?,?\s*(?:\[[^\]]*\]\s*)?\],?/g,
    "",
    6,
  ],
  [/new Renderer\(\)|_defineProperty\(MarkdownIt, "Renderer", Renderer\);/g, "", 2],
  [/new RegExp\(/g, "/* @__PURE__ */ $&", 5],
];
const slimMarkdown = without("slim Markdown", /[\\/]markdown-it\.mjs$/, UNUSED_MARKDOWN);
// Of what servers of languages offer, ours has nothing to do with these.
const UNUSED_FEATURES = [
  [
    /(?:const |this\.registerFeature\(new )(?:callHierarchy|inlineValue|linkedEditingRange|textDocumentContent|typeHierarchy)_1[^;]*;/g,
    "",
    10,
  ],
];
const slimLanguageClient = without(
  "slim language client",
  /[\\/]vscode-languageclient[\\/]lib[\\/]common[\\/]client\.js$/,
  UNUSED_FEATURES,
);
// What elements draw their parts with is called by its name from nowhere else; Lit's own names stay.
const browser = {
  ...shared,
  ...(production && { mangleProps: /^render[A-Z]/, reserveProps: /^render(Root|Options|Before)$/ }),
  plugins: production ? [dropUnusedChecks, compactTemplates, slimMarkdown] : [],
  alias: slim,
  platform: "browser",
  format: "iife",
  target: "chrome120",
};

// What of the extension is loaded when it is first needed stands in a file of its own, beside the first one.
const RARE = /[\\/]rare\.js$/;
const onDemand = {
  name: "on demand",
  setup: (part) => {
    part.onResolve({ filter: RARE }, ({ kind }) => {
      return kind === "dynamic-import" ? { path: "./rare.js", external: true } : undefined;
    });
  },
};
const host = {
  ...shared,
  plugins: [dropUnusedChecks, slimLanguageClient],
  alias: slim,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  // The editor's host of extensions knows `require` in every version.
  supported: { "dynamic-import": false },
};

// The later part of the page takes from it what both need.
const TAKEN = /^lit$|[\\/](?:exact-json|menu|press-guard|repeat|running|tail|theme|ticking|visible|visible-text)\.js$/;
const takenFromPage = {
  name: "taken from the page",
  setup: (part) => {
    part.onResolve({ filter: TAKEN }, () => ({
      path: "page",
      namespace: "page",
    }));
    part.onLoad({ filter: /./, namespace: "page" }, () => ({ contents: "module.exports = window.assentPage;" }));
  },
};
const later = {
  ...browser,
  // Which short names the page's classes have for their own parts is not known here: none of those may be overridden.
  mangleProps: undefined,
  plugins: [takenFromPage, ...browser.plugins],
  entryPoints: ["src/webview/later.ts"],
  outfile: "dist/later.js",
};

await mkdir("dist/playground", { recursive: true });
const built = await Promise.all([
  build({
    ...host,
    plugins: [onDemand, ...host.plugins],
    entryPoints: ["src/extension/activate.ts"],
    outfile: "dist/extension.js",
  }),
  build({ ...host, entryPoints: ["src/extension/rare.ts"], outfile: "dist/rare.js" }),
  build({ ...browser, entryPoints: ["src/webview/main.ts"], outfile: "dist/page.js" }),
  build(later),
  build({ ...later, outfile: "dist/playground/later.js" }),
  build({ ...browser, entryPoints: ["src/playground/main.ts"], outfile: "dist/playground/playground.js" }),
]);
await writeFile("dist/playground/index.html", await readFile("src/playground/index.html"));

// The packages of others of which something is in the bundles that are shipped, for the notices about them.
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const bundled = built
  .flatMap(({ metafile }) => Object.entries(metafile.outputs))
  .filter(([file]) => !file.includes("/playground/"))
  .flatMap(([, { inputs }]) => Object.entries(inputs))
  .flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? (PACKAGE.exec(file) ?? []) : []));
await writeFile("dist/.bundled.json", JSON.stringify([...new Set(bundled)].sort()));

const goals = {
  "dist/extension.js": 110,
  "dist/rare.js": 30,
  "dist/page.js": 60,
  "dist/later.js": 43,
  "dist/playground/playground.js": undefined,
};
for (const [file, goal] of Object.entries(goals)) {
  const size = gzipSync(await readFile(file)).length / 1024;
  console.log(`${file}: ${size.toFixed(1)} KB gzipped${goal === undefined ? "" : ` (goal ${goal} KB)`}`);
  if (goal !== undefined && size > goal) process.exitCode = 1;
}
