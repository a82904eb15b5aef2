// What the page may ask of the editor, each request checked once more before it is done.
import { randomUUID } from "node:crypto";
import path from "node:path";
import * as vscode from "vscode";
import type { BridgeHost } from "../common/bridge.js";
import type { HostAction, HostRequest } from "../common/page-messages.js";
import { answersKeys, setCardInView } from "./card-keys.js";
import type { Texts } from "./texts.js";

const LINK_SCHEMES = new Set(["https", "http", "mailto"]);

/** The editor as the bridge's surroundings. */
export function editorHost(log: vscode.LogOutputChannel, texts: Texts, act: (action: HostAction) => void): BridgeHost {
  return {
    kind: "editor",
    answersKeys,
    randomId: randomUUID,
    after: (milliseconds, action) => {
      const timer = setTimeout(action, milliseconds);
      return { dispose: () => clearTimeout(timer) };
    },
    perform: (request) => perform(request, log, act),
    showText: (title, text) => void texts.show(title, text),
    copy: async (text) => vscode.env.clipboard.writeText(text),
    compare: async (files, as) => {
      const { compareFiles } = await import("./rare.js");
      return compareFiles(files, as, texts);
    },
    pickFiles: async () => {
      const { pickFiles } = await import("./rare.js");
      return pickFiles();
    },
    log: (level, text) => {
      if (level === "error") log.error(text);
      else if (level === "warning") log.warn(text);
      else log.info(text);
    },
  };
}

function perform(request: HostRequest, log: vscode.LogOutputChannel, act: (action: HostAction) => void): void {
  switch (request.type) {
    case "hostAction":
      act(request.action);
      break;
    case "openLink":
      openLink(request.url, log);
      break;
    case "openFile":
      void openFile(request.path, request.line, log);
      break;
    case "setKey":
      void vscode.commands.executeCommand("assent.setKey", request.agent);
      break;
    case "chooseModel":
      void vscode.commands.executeCommand("assent.chooseModel");
      break;
    case "cardInView":
      setCardInView({ approvalId: request.approvalId, argsDigest: request.argsDigest }, request.hasKeyboard);
  }
}

function openLink(url: string, log: vscode.LogOutputChannel): void {
  const address = vscode.Uri.parse(url);
  if (LINK_SCHEMES.has(address.scheme)) void vscode.env.openExternal(address);
  else log.warn(`did not open a link of the scheme ${address.scheme.slice(0, 40)}`);
}

async function openFile(file: string, line: number | undefined, log: vscode.LogOutputChannel): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (!path.isAbsolute(file) && folder === undefined) return;
  const place =
    path.isAbsolute(file) || folder === undefined ? vscode.Uri.file(file) : vscode.Uri.joinPath(folder, file);
  try {
    const at = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
    const selection = line === undefined ? {} : { selection: new vscode.Range(at, at) };
    await vscode.window.showTextDocument(place, { preview: true, ...selection });
  } catch (error) {
    log.warn(`could not open a file: ${String(error)}`);
    void vscode.window.showWarningMessage(
      `${file} cannot be opened: ${error instanceof Error ? error.message : error}`,
    );
  }
}
