import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Page, WebSocketRoute } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { toFault } from "../../src/common/server.js";
import { consent } from "../support/consents.js";
import { event, request, text, toolCall } from "../support/examples.js";
import { Peer } from "../support/peer.js";
import { patience } from "./browser.js";
import { browser } from "./one-browser.js";

const built = path.resolve(import.meta.dirname, "../../dist/playground");
const NONCE = "dGVzdA";

/** The playground's server as the page sees it: files over HTTP, and a JSON-RPC peer behind the WebSocket. */
class Playground {
  readonly methods: string[] = [];
  peer = new Peer();
  handshake = { version: 1, options: ["allow_once", "reject_once"], serverVersion: "0.1.0" };
  accepts = true;
  private socket: WebSocketRoute | undefined;

  constructor(
    readonly page: Page,
    readonly address: string,
  ) {}

  async open(hash = "#token-1"): Promise<void> {
    await this.page.routeWebSocket("**/rpc", (socket) => this.connect(socket));
    await this.page.goto(`${this.address}/${hash}`);
  }

  async drop(code = 1011): Promise<void> {
    await this.socket?.close({ code });
  }

  private connect(socket: WebSocketRoute): void {
    if (!this.accepts) {
      void socket.close({ code: 1013, reason: "not now" });
      return;
    }
    this.socket = socket;
    const { peer } = this;
    peer.onNotification((method, params) => socket.send(JSON.stringify({ jsonrpc: "2.0", method, params })));
    socket.onMessage((message) => void this.answer(peer, socket, String(message)));
  }

  private async answer(peer: Peer, socket: WebSocketRoute, message: string): Promise<void> {
    const { id, method, params } = JSON.parse(message) as { id?: number; method: string; params: unknown };
    this.methods.push(method);
    if (id === undefined) return;
    const reply = (body: object) => socket.send(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
    if (method === "initialize")
      return reply({ result: { capabilities: { experimental: { assent: this.handshake } } } });
    try {
      reply({ result: await peer.request(method, params) });
    } catch (error) {
      const { code, message: words, data } = toFault(error);
      reply({ error: { code, message: words, data } });
    }
  }
}

let server: Server;
let playground: Playground;
const faults: string[] = [];

beforeAll(async () => {
  server = createServer(({ url }, response) => {
    const isScript = url === "/playground.js" || url === "/later.js";
    const body = readFileSync(path.join(built, isScript ? url : "index.html"), "utf8");
    response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html; charset=utf-8");
    const policy = `default-src 'none'; script-src 'nonce-${NONCE}'; style-src 'nonce-${NONCE}'; connect-src ws://127.0.0.1:*; img-src data: blob:; media-src blob:`;
    response.setHeader("Content-Security-Policy", policy);
    response.end(body.replaceAll("{{NONCE}}", NONCE));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
});
beforeEach(async () => {
  const page = await browser.newPage({ viewport: { width: 420, height: 900 } });
  page.setDefaultTimeout(patience);
  page.on("pageerror", (error) => faults.push(error.message));
  playground = new Playground(page, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(async () => {
  await playground.page.close();
  expect(faults.splice(0)).toEqual([]);
});

const card = () => playground.page.getByRole("group", { name: /^Approval: / });

test("from a message to a card to a click", async () => {
  await playground.open();
  const { page, peer } = playground;
  await page.getByRole("textbox", { name: "Message" }).fill("write the notes");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect.poll(() => peer.called("chat/send")).toEqual([{ sessionId: "s-1", text: "write the notes" }]);
  peer.happen(event(1, "Prompt", { text: "write the notes" }));
  peer.happen(toolCall(2));
  peer.ask(request());
  await card().getByRole("button", { name: "Approve", exact: true }).click();
  await card().waitFor({ state: "detached" });
  expect(peer.called("tool/approvalResponse")).toMatchObject([
    { approvalId: "a-1", sessionId: "s-1", argsDigest: "digest-1", response: { outcome: { optionId: "allow_once" } } },
  ]);
  expect(playground.methods.slice(0, 2)).toEqual(["initialize", "initialized"]);
});

test("a question about settings is asked here, too, and answered", async () => {
  await playground.open();
  const { page, peer } = playground;
  await page.getByText("What should the agent do?").waitFor();
  peer.overrides.set("settings/consentResponse", () => ({ honoured: 1, ignored: 1 }));
  peer.tell("settings/consentRequest", consent());
  const panel = page.getByRole("group", { name: "Settings of this workspace" });
  await panel.getByRole("checkbox").first().check();
  // There is no editor to open the file in: its place is plain text.
  expect(await panel.getByRole("listitem").first().getByRole("button").count()).toBe(0);
  await panel.getByText(".vscode/settings.json:4").waitFor();
  await panel.locator('button[aria-disabled="false"]', { hasText: "Honour the selected" }).click();
  await panel.waitFor({ state: "detached" });
  expect(peer.called("settings/consentResponse")).toEqual([
    { consentId: "q-1", digest: "consent-digest-1", honour: ["e-1"] },
  ]);
});

test("a dropped connection is told, and the chat goes on after it", async () => {
  await playground.open();
  const { page, peer } = playground;
  await page.getByText("What should the agent do?").waitFor();
  peer.happen(event(1, "Prompt", { text: "write" }));
  peer.ask(request());
  await card().waitFor();
  playground.accepts = false;
  await playground.drop();
  await page.getByText("Connection lost, retrying.").waitFor();
  expect(await page.getByRole("button", { name: "Send", exact: true }).isDisabled()).toBe(true);
  peer.happen(text(2, "Meanwhile."), { lost: true });
  playground.accepts = true;
  await page.getByText("Meanwhile.").waitFor();
  await card().getByRole("button", { name: "Deny", exact: true }).click();
  await card().waitFor({ state: "detached" });
  expect(peer.called("session/new")).toHaveLength(1);
});

test("a server that is another one after a drop voids what waited", async () => {
  await playground.open();
  const { page, peer } = playground;
  await page.getByText("What should the agent do?").waitFor();
  peer.ask(request());
  await card().waitFor();
  playground.peer = new Peer("t");
  await playground.drop();
  await page.getByText("The server restarted; this call did not run.").waitFor();
  await card().waitFor({ state: "detached" });
  await page.getByText("A new chat begins here").waitFor();
});

test.each([
  ["there is no token", "", "lacks its token"],
  ["the token is none", "#a%20b", "lacks its token"],
])("says what to do when %s", async (_name, hash, words) => {
  await playground.open(hash);
  await playground.page.getByText(words).waitFor();
});

test("says what to do when it is not let in", async () => {
  playground.accepts = false;
  await playground.open();
  await playground.page
    .getByRole("status")
    .getByText(/Connect|let this page in|lost/)
    .first()
    .waitFor();
});

test("says what to do when it is not let in again and again after a drop", async () => {
  await playground.open();
  await playground.page.getByText("What should the agent do?").waitFor();
  playground.accepts = false;
  await playground.drop();
  await playground.page.getByText("If you started the playground again, open the address that it printed.").waitFor();
});

test("says that the server speaks another protocol", async () => {
  playground.handshake = { ...playground.handshake, version: 2 };
  await playground.open();
  await playground.page.getByText("speaks version 2 of the protocol").waitFor();
});

test("says that another page is connected, and comes back when asked to", async () => {
  await playground.open();
  await playground.page.getByText("What should the agent do?").waitFor();
  await playground.drop(4409);
  await playground.page.getByText("Another page is connected").waitFor();
  await playground.page.getByRole("button", { name: "Retry" }).click();
  await playground.page.getByText("Another page is connected").waitFor({ state: "detached" });
});

test("what is typed survives a reload", async () => {
  await playground.open();
  const composer = playground.page.getByRole("textbox", { name: "Message" });
  await composer.fill("half a thought");
  await playground.page.reload();
  await expect.poll(() => composer.inputValue()).toBe("half a thought");
});
