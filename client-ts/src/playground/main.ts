// The page in a plain browser: bridge and page in one script.
import { Bridge } from "../common/bridge.js";
import { Emitter } from "../common/emitter.js";
import type { HostMessage, HostRequest } from "../common/page-messages.js";
import { toMemory } from "../webview/host.js";
import { isWebLink } from "../webview/links.js";
import { startPage } from "../webview/page.js";
import { ServerLink } from "./link.js";

const DRAFT = "assent.draft";

const fromPage = new Emitter<unknown>();
const toPage = new Emitter<HostMessage>();

const bridge = new Bridge({
  kind: "browser",
  answersKeys: () => false,
  randomId: () => crypto.randomUUID(),
  after: (milliseconds, action) => {
    const timer = setTimeout(action, milliseconds);
    return { dispose: () => clearTimeout(timer) };
  },
  perform,
  // A page in a browser has no place for it, and draws no button that would lead here.
  showText: () => undefined,
  copy: (text) => navigator.clipboard.writeText(text),
  // Nor for a choice of the server's files: its page offers them where the user writes.
  pickFiles: () => Promise.resolve([]),
  compare: () => Promise.reject(new Error("a browser has no view of differences")),
  // biome-ignore lint/suspicious/noConsole: a plain browser has no other log
  log: (level, text) => console[level === "error" ? "error" : level === "warning" ? "warn" : "info"](text),
});

// The token stays out of requests and histories: it is read once from behind the #.
const link = new ServerLink(bridge, `ws://${location.host}/rpc`, location.hash.slice(1));

bridge.attach({
  post: (message) => toPage.fire(structuredClone(message)),
  onMessage: (listener) => fromPage.on(listener),
});
startPage(
  {
    post: (message) => queueMicrotask(() => fromPage.fire(structuredClone(message))),
    onMessage: (listener) => void toPage.on(listener),
    load: () => toMemory(JSON.parse(sessionStorage.getItem(DRAFT) ?? "null")),
    save: (memory) => sessionStorage.setItem(DRAFT, JSON.stringify(memory)),
    randomId: () => crypto.randomUUID(),
  },
  document.body,
);
link.connect();

function perform(request: HostRequest): void {
  if (request.type === "openLink" && isWebLink(request.url)) window.open(request.url, "_blank", "noopener,noreferrer");
  else if (request.type === "hostAction" && request.action === "retry") link.connect();
}
