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

  /** Where the editor finds this text until it closes it. */
  keep(title: string, text: string): vscode.Uri {
    this.shown += 1;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title}`, query: String(this.shown) });
    this.texts.set(uri.toString(), text);
    return uri;
  }

  async show(title: string, text: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.keep(title, text));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  dispose(): void {
    this.owned.dispose();
  }
}
