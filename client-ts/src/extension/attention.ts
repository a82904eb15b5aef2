// Tells the user that something waits for an answer: a badge, an item in the status bar, and one notification while the view is hidden.
import * as vscode from "vscode";
import type { OpenConsent } from "../common/consent.js";
import { Disposables } from "../common/emitter.js";
import type { Waiting } from "../common/waiting.js";
import { attentionWords } from "./attention-words.js";
import { type ChatView, VIEW_ID } from "./view.js";

/** Watches what waits. */
export class Attention implements vscode.Disposable {
  private readonly owned = new Disposables();
  private readonly item: vscode.StatusBarItem;
  private before = 0;
  private notified = false;

  constructor(
    private readonly waiting: Waiting,
    private readonly consent: OpenConsent,
    private readonly view: ChatView,
  ) {
    this.item = this.owned.add(
      vscode.window.createStatusBarItem("assent.waiting", vscode.StatusBarAlignment.Left, 1000),
    );
    this.item.name = "Assent: waiting approvals";
    this.item.command = `${VIEW_ID}.focus`;
    this.owned.add(waiting.changed.on(() => this.show()));
    this.owned.add(consent.changed.on(() => this.show()));
    this.owned.add(view.onDidChange(() => this.show()));
  }

  dispose(): void {
    this.owned.dispose();
  }

  private show(): void {
    const count = this.waiting.count + (this.consent.isOpen ? 1 : 0);
    const text = attentionWords(this.waiting.count, this.consent.isOpen);
    this.view.setBadge(count, text);
    this.item.text = `$(bell-dot) Assent: ${text}`;
    this.item.tooltip = "Something waits for your answer. Click to review.";
    this.item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
    if (count > 0) this.item.show();
    else this.item.hide();
    if (count > this.before && !this.view.isVisible && !this.notified) void this.notify(text);
    this.before = count;
  }

  private async notify(text: string): Promise<void> {
    this.notified = true;
    try {
      const review = await vscode.window.showInformationMessage(
        `Assent: ${text}. Nothing is allowed until you answer.`,
        "Review",
      );
      if (review !== undefined) await vscode.commands.executeCommand(`${VIEW_ID}.focus`);
    } finally {
      this.notified = false;
    }
  }
}
