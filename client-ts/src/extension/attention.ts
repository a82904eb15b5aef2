// Tells the user that something waits for an answer: a badge, an item in the status bar, and one notification while the view is hidden.
import * as vscode from "vscode";
import type { OpenConsent } from "../common/consent.js";
import { Disposables } from "../common/emitter.js";
import type { OpenForms } from "../common/forms.js";
import type { Server } from "../common/server.js";
import type { Waiting } from "../common/waiting.js";
import { attentionWords } from "./attention-words.js";
import { type ChatView, VIEW_ID } from "./view.js";

/** Watches what waits. */
export class Attention implements vscode.Disposable {
  private readonly owned = new Disposables();
  private readonly item: vscode.StatusBarItem;
  private before = 0;
  /** The notification that stands there, until it is closed or has been of use. One that only fades is closed by nobody. */
  private standing: object | undefined;
  /** All that waits was told of, and nobody has looked since. */
  private isTold = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly waiting: Waiting,
    private readonly consent: OpenConsent,
    private readonly forms: OpenForms,
    private readonly view: ChatView,
    private readonly server: () => Server | undefined,
  ) {
    this.item = this.owned.add(
      vscode.window.createStatusBarItem("assent.waiting", vscode.StatusBarAlignment.Left, 1000),
    );
    this.item.name = "Assent: waiting approvals";
    this.item.command = `${VIEW_ID}.focus`;
    this.owned.add(waiting.changed.on(() => this.show()));
    this.owned.add(consent.changed.on(() => this.show()));
    this.owned.add(forms.changed.on(() => this.show()));
    this.owned.add(view.onDidChange(() => this.show()));
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.owned.dispose();
  }

  private show(): void {
    const count = this.waiting.count + this.forms.count + (this.consent.isOpen ? 1 : 0);
    const text = attentionWords(this.waiting.count, this.consent.isOpen, this.forms.count);
    this.view.setBadge(count, text);
    this.item.text = `$(bell-dot) Assent: ${text}`;
    this.item.tooltip = "Something waits for your answer. Click to review.";
    this.item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
    if (count > 0) this.item.show();
    else this.item.hide();
    this.expect(count);
    this.before = count;
  }

  /** Once nobody has seen for a while that something waits. What is seen meanwhile is not told of. */
  private expect(count: number): void {
    if (count > this.before || this.view.isVisible) this.isTold = false;
    if (count === 0 || this.view.isVisible) {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.standing = undefined;
    } else if (!this.isTold && this.timer === undefined && this.standing === undefined) {
      this.timer = setTimeout(() => void this.notify(), delaySeconds() * 1000);
    }
  }

  private async notify(): Promise<void> {
    this.timer = undefined;
    this.isTold = true;
    const own = {};
    this.standing = own;
    try {
      const { notifyWaiting } = await import("./rare.js");
      await notifyWaiting({
        waiting: this.waiting,
        asksAboutSettings: () => this.consent.isOpen,
        forms: () => this.forms.count,
        server: this.server,
        review: () => vscode.commands.executeCommand(`${VIEW_ID}.focus`),
      });
    } finally {
      if (this.standing === own) this.standing = undefined;
    }
    this.show();
  }
}

const USUAL_SECONDS = 5;
const MOST_SECONDS = 3600;

function delaySeconds(): number {
  const seconds = vscode.workspace.getConfiguration("assent").get<unknown>("notifyAfterSeconds");
  return typeof seconds === "number" && seconds >= 0 && seconds <= MOST_SECONDS ? seconds : USUAL_SECONDS;
}
