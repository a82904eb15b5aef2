// An item in the status bar as long as somebody runs without asking. One press turns it off.
import * as vscode from "vscode";
import type { Bypassed } from "../common/bypassed.js";
import { Disposables } from "../common/emitter.js";
import { visibleText } from "../common/visible-text.js";
import { withoutIcons } from "./quick-text.js";

/** Watches the bypasses that count. */
export class BypassItem implements vscode.Disposable {
  private readonly owned = new Disposables();
  private readonly item: vscode.StatusBarItem;

  constructor(private readonly bypassed: Bypassed) {
    this.item = this.owned.add(vscode.window.createStatusBarItem("assent.bypass", vscode.StatusBarAlignment.Left, 999));
    this.item.name = "Assent: bypass";
    this.item.command = "assent.turnOffBypasses";
    this.item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
    this.owned.add(bypassed.changed.on(() => this.show()));
  }

  dispose(): void {
    this.owned.dispose();
  }

  private show(): void {
    const { agents } = this.bypassed;
    const names = withoutIcons(visibleText(agents.join(", ").slice(0, 60)));
    this.item.text = `$(warning) Bypass: ${names}`;
    this.item.tooltip = `${names} runs without asking. Click to turn it off.`;
    if (agents.length > 0) this.item.show();
    else this.item.hide();
  }
}
