// The built page in a real browser, under the same policy as in the editor, with a host that the test plays.
import { accessSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { LitElement } from "lit";
import { type Browser, chromium, type Page } from "playwright-core";
import type { HostMessage, PageMessage } from "../../src/common/page-messages.js";
import { pageHtml } from "../../src/extension/page-html.js";
import type { ApprovalRequest } from "../../src/protocol/generated.js";
import { session } from "../support/examples.js";
import { THEMES, type Theme } from "./themes.js";

const root = path.resolve(import.meta.dirname, "../..");
const scale = Number(process.env.ASSENT_TEST_SCALE ?? "1");
// The shell has no window of its own to draw: a page costs a third of the processor's time in it.
const CANDIDATES = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];

/** A page whose frames and messages come late, as on a machine that has too much to do: what a test takes for granted shows. */
const comesLate = process.env.ASSENT_TEST_LATE === "1";

const [USUAL_WIDTH, HEIGHT] = [420, 900];

/** How long to wait for something before it counts as missing. */
export const patience = 15_000 * scale;

export function chromiumPath(): string {
  const named = process.env.CHROMIUM ?? process.env.ASSENT_CHROMIUM;
  const found = [named, ...CANDIDATES].find((file) => file !== undefined && exists(file));
  if (found === undefined) throw new Error("No Chromium was found. Name one in the environment variable CHROMIUM.");
  return found;
}

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox"] });
}

/** Serves the page's frame and script from loopback, until this process ends. */
export async function servePage(): Promise<{ address: string }> {
  const html = pageHtml("/page.js", "dGVzdA==");
  const server = createServer(({ url }, response) => {
    const isScript = url === "/page.js" || url === "/later.js";
    response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html; charset=utf-8");
    response.end(isScript ? readFileSync(path.join(root, "dist", url)) : html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** The page, with what it said to its host. */
export class EditorPage {
  readonly said: PageMessage[] = [];
  readonly faults: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly address: string,
  ) {}

  static async open(
    browser: Browser,
    address: string,
    theme: Theme = "light",
    width = USUAL_WIDTH,
  ): Promise<EditorPage> {
    const page = await browser.newPage({ viewport: { width, height: HEIGHT } });
    page.setDefaultTimeout(patience);
    const opened = new EditorPage(page, address);
    page.on("pageerror", (error) => opened.faults.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") opened.faults.push(message.text());
    });
    page.on("dialog", (dialog) => {
      opened.faults.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.exposeFunction("__said", (message: PageMessage) => void opened.said.push(message));
    await page.addInitScript(playHost, THEMES[theme]);
    if (comesLate) await page.addInitScript(beLate);
    await opened.begin();
    return opened;
  }

  /** Loads it anew, as it was opened first: for the next test. */
  async again(): Promise<void> {
    const { page } = this;
    // What the old one had to say is here by then.
    await page.goto("about:blank");
    for (const heard of [this.said, this.faults]) heard.length = 0;
    for (const event of ["request", "response"] as const) page.removeAllListeners(event);
    await page.mouse.move(0, 0);
    await page.setViewportSize({ width: USUAL_WIDTH, height: HEIGHT });
    await page.emulateMedia({ forcedColors: null, colorScheme: null, reducedMotion: null });
    await this.begin();
  }

  private async begin(): Promise<void> {
    await this.page.goto(this.address);
    await this.tell({ type: "connection", state: "ready", text: "", actions: [] });
    await this.tell({ type: "chat", how: "replace", session: session(), events: [], pending: [] });
  }

  /** Puts on another theme, as the editor does it while the page is open. */
  async wear(theme: Theme): Promise<void> {
    await this.page.evaluate(putOn, THEMES[theme]);
    await this.drawn();
  }

  /** Each is a message of its own, and none waits for what the page makes of the one before; the test, for all of it. */
  async tell(...messages: readonly HostMessage[]): Promise<void> {
    await this.page.evaluate(async (all) => {
      let missing = all.length;
      const heard = new Promise<void>((resolve) => {
        const count = () => {
          missing -= 1;
          if (missing > 0) return;
          window.removeEventListener("message", count);
          resolve();
        };
        if (missing > 0) window.addEventListener("message", count);
        else resolve();
      });
      for (const one of all) window.postMessage(one, "*");
      await heard;
      await (document.querySelector("assent-app") as LitElement | null)?.updateComplete;
    }, messages);
  }

  async ask(request: ApprovalRequest): Promise<void> {
    await this.tell({ type: "approval", request });
    await this.card().waitFor();
  }

  card(about = "") {
    return this.page.getByRole("group", { name: new RegExp(`^Approval: .*${about}`) });
  }

  button(name: string) {
    return this.card().first().getByRole("button", { name, exact: true });
  }

  get composer() {
    return this.page.getByRole("textbox", { name: "Message" });
  }

  answers(): PageMessage[] {
    return this.said.filter((message) => message.type === "answer");
  }

  /** Waits until the page has drawn what was done to it: two frames, and what it said has arrived. */
  async drawn(): Promise<void> {
    await this.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0)))),
    );
  }

  /** From now on time passes only when the test says so. */
  async stopClock(): Promise<void> {
    await this.page.evaluate(() => {
      const stopped = performance.now();
      Object.assign(window, { __passed: 0 });
      performance.now = () => stopped + (window as unknown as { __passed: number }).__passed;
    });
  }

  async passes(milliseconds: number): Promise<void> {
    await this.page.evaluate((more) => {
      (window as unknown as { __passed: number }).__passed += more;
    }, milliseconds);
  }

  async armed(): Promise<void> {
    await this.page.locator('assent-card button[data-kind="reject_once"][aria-disabled="false"]').first().waitFor();
  }
}

function playHost(variables: Record<string, string>): void {
  const said = (window as unknown as { __said(message: unknown): void }).__said;
  const heard = window as unknown as { __heard?(message: unknown): void };
  const postMessage = (message: unknown) => {
    said(message);
    heard.__heard?.(message);
  };
  const api = { postMessage, getState: () => undefined, setState: () => {} };
  Object.assign(window, { acquireVsCodeApi: () => api });
  document.addEventListener("DOMContentLoaded", () => {
    for (const [name, value] of Object.entries(variables)) {
      document.documentElement.style.setProperty(`--vscode-${name}`, value);
    }
    document.body.style.background = "var(--vscode-sideBar-background)";
  });
}

function beLate(): void {
  const [draw, post] = [window.requestAnimationFrame.bind(window), window.postMessage.bind(window)];
  window.requestAnimationFrame = (then) => window.setTimeout(() => draw(then), 200);
  let before = Promise.resolve();
  window.postMessage = (message: unknown) => {
    before = before.then(async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      post(message, "*");
    });
  };
}

function putOn(variables: Record<string, string>): void {
  const { style } = document.documentElement;
  for (const name of [...style].filter((one) => one.startsWith("--vscode-"))) style.removeProperty(name);
  for (const [name, value] of Object.entries(variables)) style.setProperty(`--vscode-${name}`, value);
}

function exists(file: string): boolean {
  try {
    accessSync(file);
    return true;
  } catch {
    return false;
  }
}
