// The chat's view: draws the page, connects it with the bridge, and ends with it.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { Bridge, PagePort } from "../common/bridge.js";
import { Disposables } from "../common/emitter.js";
import { setCardInView } from "./card-keys.js";
import { pageHtml } from "./page-html.js";

export const VIEW_ID = "assent.chat";

/** Provides the view. The page is thrown away when hidden and rebuilt from the server. */
export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  private view: vscode.WebviewView | undefined;
  private readonly owned = new Disposables();
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly bridge: Bridge,
    private readonly onOpened: () => void,
  ) {
    this.owned.add(this.changed);
  }

  get isVisible(): boolean {
    return this.view?.visible ?? false;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const assets = vscode.Uri.joinPath(this.extension, "dist");
    view.webview.options = { enableScripts: true, localResourceRoots: [assets] };
    const parts = new Disposables();
    this.view = view;
    parts.add(this.bridge.attach(portOf(view.webview)));
    parts.add(view.onDidChangeVisibility(() => this.visibilityChanged(view)));
    parts.add(
      view.onDidDispose(() => {
        if (this.view === view) this.view = undefined;
        setCardInView({}, false);
        parts.dispose();
        this.changed.fire();
      }),
    );
    const script = view.webview.asWebviewUri(vscode.Uri.joinPath(assets, "page.js"));
    view.webview.html = pageHtml(script.toString(), randomBytes(16).toString("base64"));
    this.changed.fire();
    this.onOpened();
  }

  /** The number on the view's icon. */
  setBadge(waiting: number, tooltip: string): void {
    if (this.view) this.view.badge = waiting === 0 ? undefined : { value: waiting, tooltip };
  }

  dispose(): void {
    this.owned.dispose();
  }

  private visibilityChanged(view: vscode.WebviewView): void {
    if (!view.visible) setCardInView({}, false);
    this.bridge.setVisible(view.visible);
    this.changed.fire();
  }
}

function portOf(webview: vscode.Webview): PagePort {
  return {
    post: (message) => void webview.postMessage(message),
    onMessage: (listener) => webview.onDidReceiveMessage(listener),
  };
}
