// Keys that answer the card in view: the page says which card that is, and looks again when a key comes.
import * as vscode from "vscode";
import type { Bridge } from "../common/bridge.js";
import type { CardInView, CardKey } from "../common/page-messages.js";

let inView: CardInView = {};

/** Whether the user lets keys answer. */
export function answersKeys(): boolean {
  return vscode.workspace.getConfiguration("assent").get<unknown>("keys.approve") === true;
}

/** What the conditions of the keys look at. */
export function setCardInView(card: CardInView, hasKeyboard: boolean): void {
  inView = card;
  void vscode.commands.executeCommand("setContext", "assent.cardInView", card.approvalId !== undefined);
  void vscode.commands.executeCommand("setContext", "assent.chatHasKeyboard", hasKeyboard);
}

/**
 * A key was pressed: it means what was in view then, however long it was on its way. Keys that mean something else
 * outside of the chat say so with their arguments.
 */
export function press(bridge: Bridge, key: CardKey, given: unknown): void {
  const onPage = (given as { inChat?: unknown } | undefined)?.inChat === true;
  if (answersKeys() && inView.approvalId !== undefined) bridge.press(key, inView, onPage);
}
