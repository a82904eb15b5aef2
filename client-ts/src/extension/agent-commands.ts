// “Add an Agent”: the well-known agents of others, how each is installed by its user, and its entry in the settings.
import * as vscode from "vscode";
import { type Server, toFault } from "../common/server.js";
import { visibleText } from "../common/visible-text.js";
import type { SuggestedAgent } from "../protocol/generated.js";
import type { ModelContext } from "./model-commands.js";
import { type Definition, freeName } from "./model-definitions.js";
import { withoutIcons } from "./quick-text.js";

const TITLE = "Assent: Add an Agent";
const ALL_THE_SAME = "Add It All the Same";

/** The command by its name. */
export function agentCommands(context: Omit<ModelContext, "keys">): Record<"assent.addAgent", () => unknown> {
  return {
    "assent.addAgent": async () => {
      const server = await context.server();
      const fault =
        server === undefined
          ? "The server of Assent does not run. “Assent: Show Log” says why."
          : await addAgent(server, context).catch((error: unknown) => toFault(error).message);
      if (fault !== undefined) void vscode.window.showErrorMessage(fault);
    },
  };
}

/** Answers with what went wrong. */
async function addAgent(server: Server, context: Omit<ModelContext, "keys">): Promise<string | undefined> {
  const { agents } = await server.request("agents/suggested", {});
  const items = agents.map((agent) => ({
    label: shown(agent.name),
    description: shown([agent.command, ...agent.args].join(" ")),
    detail: shown([agent.about, agent.advice ?? ""].join(" ").trim()),
    agent,
  }));
  const options = { title: TITLE, placeHolder: "Which agent is to ask through Assent?", matchOnDetail: true };
  const picked = await vscode.window.showQuickPick(items, options);
  if (picked === undefined || !(await isInstalled(picked.agent)) || !(await isWanted(picked.agent))) return undefined;
  const name = freeName(picked.agent.name, context.agents().names);
  const fault = await context.define(name, definitionOf(picked.agent));
  if (fault !== undefined) return `The agent was not written into your settings: ${fault}`;
  await context.openChat(name);
  return undefined;
}

/** What the settings say of it. */
export function definitionOf({ command, args }: SuggestedAgent): Definition {
  return args.length > 0 ? { command, args } : { command };
}

/** Assent installs nothing: the command is only put where its user can run it. */
async function isInstalled({ name, install, needs, command }: SuggestedAgent): Promise<boolean> {
  const typed = { label: "Type its install command into a terminal", detail: `${install} · needs ${needs}` };
  const copied = { label: "Copy its install command", detail: install };
  const there = { label: "It is installed", detail: `“${command}” starts it` };
  const picked = await vscode.window.showQuickPick([typed, copied, there], {
    title: `${TITLE}: ${shown(name)}`,
    placeHolder: "Assent installs nothing by itself",
  });
  if (picked === undefined || picked === there) return picked !== undefined;
  if (picked === copied) await vscode.env.clipboard.writeText(install);
  else {
    const terminal = vscode.window.createTerminal(`Install ${name}`);
    terminal.show();
    terminal.sendText(install, false);
  }
  const words = picked === copied ? "is on the clipboard" : "stands in the terminal: Enter runs it";
  const add = `Add ${name}`;
  const text = `The install command ${words}. When it has run, ${name} can be added.`;
  return (await vscode.window.showInformationMessage(visibleText(text), add)) === add;
}

/** What an agent does without asking, no gate can hold: its user is to know before. */
async function isWanted({ name, asks, advice }: SuggestedAgent): Promise<boolean> {
  if (asks) return true;
  const detail = advice ?? "It never asks: what it does, Assent does not see before it is done.";
  const options = { modal: true, detail: visibleText(detail) };
  const answer = await vscode.window.showWarningMessage(`${visibleText(name)} does not ask.`, options, ALL_THE_SAME);
  return answer === ALL_THE_SAME;
}

function shown(text: string): string {
  return withoutIcons(visibleText(text));
}
