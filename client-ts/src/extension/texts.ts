// Texts to read, in an editor of their own that cannot be changed and asks nobody to save it.
import * as vscode from "vscode";
import { Disposables } from "../common/emitter.js";

const SCHEME = "assent-text";

/** Shows texts. What is closed is forgotten. */
export class Texts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly owned = new Disposables();
  private shown = 0;

  constructor() {
    this.owned.add(vscode.workspace.registerTextDocumentContentProvider(SCHEME, this));
    this.owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  async show(title: string, text: string): Promise<void> {
    this.shown += 1;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title}`, query: String(this.shown) });
    this.texts.set(uri.toString(), text);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  dispose(): void {
    this.owned.dispose();
  }
}
