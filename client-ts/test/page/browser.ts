// The built page in a real browser, under the same policy as in the editor, with a host that the test plays.
import { accessSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import type { HostMessage, PageMessage } from "../../src/common/page-messages.js";
import { pageHtml } from "../../src/extension/page-html.js";
import type { ApprovalRequest } from "../../src/protocol/generated.js";
import { session } from "../support/examples.js";

const root = path.resolve(import.meta.dirname, "../..");
const scale = Number(process.env.ASSENT_TEST_SCALE ?? "1");
const CANDIDATES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];

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

/** A theme as the editor hands it over: its variables on the root element. */
export type Theme = "light" | "dark" | "high-contrast";

const THEMES: Record<Theme, Record<string, string>> = {
  light: {
    foreground: "#3b3b3b",
    descriptionForeground: "#3b3b3b",
    "sideBar-background": "#f8f8f8",
    "editorWidget-background": "#f8f8f8",
    "widget-border": "#e5e5e5",
    focusBorder: "#005fb8",
    "textLink-foreground": "#005fb8",
    "textCodeBlock-background": "#f2f2f2",
    "input-background": "#ffffff",
    "input-foreground": "#3b3b3b",
    "input-border": "#cecece",
    "input-placeholderForeground": "#767676",
    "button-background": "#005fb8",
    "button-foreground": "#ffffff",
    "button-secondaryBackground": "#e5e5e5",
    "button-secondaryForeground": "#3b3b3b",
    "editorWarning-foreground": "#bf8803",
    errorForeground: "#f85149",
    "menu-background": "#ffffff",
    "menu-foreground": "#3b3b3b",
    "menu-selectionBackground": "#005fb8",
    "menu-selectionForeground": "#ffffff",
    "inputValidation-warningBackground": "#f6f5d2",
    "inputValidation-errorBackground": "#f2dede",
    "diffEditor-insertedTextBackground": "rgba(156, 204, 44, 0.25)",
    "diffEditor-removedTextBackground": "rgba(255, 0, 0, 0.2)",
  },
  dark: {
    foreground: "#cccccc",
    descriptionForeground: "#9d9d9d",
    "sideBar-background": "#181818",
    "editorWidget-background": "#202020",
    "widget-border": "#313131",
    focusBorder: "#0078d4",
    "textLink-foreground": "#4daafc",
    "textCodeBlock-background": "#2b2b2b",
    "input-background": "#313131",
    "input-foreground": "#cccccc",
    "input-border": "#3c3c3c",
    "input-placeholderForeground": "#989898",
    "button-background": "#0078d4",
    "button-foreground": "#ffffff",
    "button-secondaryBackground": "#313131",
    "button-secondaryForeground": "#cccccc",
    "editorWarning-foreground": "#cca700",
    errorForeground: "#f85149",
    "menu-background": "#1f1f1f",
    "menu-foreground": "#cccccc",
    "menu-selectionBackground": "#0078d4",
    "menu-selectionForeground": "#ffffff",
    "inputValidation-warningBackground": "#352a05",
    "inputValidation-errorBackground": "#5a1d1d",
    "diffEditor-insertedTextBackground": "rgba(156, 204, 44, 0.2)",
    "diffEditor-removedTextBackground": "rgba(255, 0, 0, 0.2)",
  },
  "high-contrast": {
    foreground: "#ffffff",
    descriptionForeground: "rgba(255, 255, 255, 0.7)",
    "sideBar-background": "#000000",
    "editorWidget-background": "#0c141f",
    contrastBorder: "#6fc3df",
    focusBorder: "#f38518",
    "textLink-foreground": "#21a6ff",
    "textCodeBlock-background": "#000000",
    "input-background": "#000000",
    "input-foreground": "#ffffff",
    "button-background": "#000000",
    "button-foreground": "#ffffff",
    "button-secondaryBackground": "#000000",
    "button-secondaryForeground": "#ffffff",
    "editorWarning-foreground": "#ffd370",
    errorForeground: "#f48771",
    "menu-background": "#000000",
    "menu-foreground": "#ffffff",
    "menu-selectionBackground": "#000000",
    "menu-selectionForeground": "#ffffff",
    "inputValidation-warningBackground": "#000000",
    "inputValidation-errorBackground": "#000000",
  },
};

/** Serves the page's frame and script from loopback. */
export class PageServer {
  private constructor(
    private readonly server: Server,
    readonly address: string,
  ) {}

  static async open(): Promise<PageServer> {
    const html = pageHtml("/page.js", "dGVzdA==");
    const server = createServer(({ url }, response) => {
      const isScript = url === "/page.js" || url === "/later.js";
      response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html; charset=utf-8");
      response.end(isScript ? readFileSync(path.join(root, "dist", url)) : html);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new PageServer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** The page, with what it said to its host. */
export class EditorPage {
  readonly said: PageMessage[] = [];
  readonly faults: string[] = [];

  private constructor(readonly page: Page) {}

  static async open(browser: Browser, address: string, theme: Theme = "light", width = 420): Promise<EditorPage> {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    page.setDefaultTimeout(patience);
    const opened = new EditorPage(page);
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
    await page.goto(address);
    await opened.tell({ type: "connection", state: "ready", text: "", actions: [] });
    await opened.tell({ type: "chat", how: "replace", session: session(), events: [], pending: [] });
    return opened;
  }

  /** Each is a message of its own, and none waits for what the page makes of the one before. */
  async tell(...messages: readonly HostMessage[]): Promise<void> {
    await this.page.evaluate((all) => {
      for (const one of all) window.postMessage(one, "*");
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

  /** Waits until the page has done all that it was told to do: two frames, and what it said has arrived. */
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

function exists(file: string): boolean {
  try {
    accessSync(file);
    return true;
  } catch {
    return false;
  }
}
