// “Choose a Model”: asks a server which models it has, and makes an agent of the one that is picked.
import * as vscode from "vscode";
import { type Server, toFault } from "../common/server.js";
import { visibleText } from "../common/visible-text.js";
import type { ModelInfo, ModelsList, ModelsListParams } from "../protocol/generated.js";
import { enteredKey, type KeyContext } from "./key-commands.js";
import {
  addressFault,
  addressOf,
  type Definition,
  freeName,
  inOrder,
  modelWords,
  noModelsWords,
  type OwnAgent,
  ownAgents,
  SERVER_KINDS,
  type ServerKind,
  withModel,
} from "./model-definitions.js";
import { withoutIcons } from "./quick-text.js";

/** What the command needs. */
export interface ModelContext extends KeyContext {
  /** The agents of the user's settings, and the names of all agents. */
  agents(): { ofUser: unknown; names: ReadonlySet<string> };
  /** Writes the agent into the user's settings, and makes it the one of new chats. Answers with what went wrong. */
  define(name: string, definition: Definition): Promise<string | undefined>;
  openChat(agent: string): Promise<void>;
}

/** An agent as far as it is known: all but its model. */
interface Begun {
  name: string;
  definition: Definition;
}

const TITLE = "Assent: Choose a Model";
const AGAIN = "Try Again";
const ADDRESS = "Another Address…";
const KEY = "Another Key…";
const BY_NAME = "Enter Its Name…";

/** The command by its name. */
export function modelCommands(context: ModelContext): Record<"assent.chooseModel", () => unknown> {
  return {
    "assent.chooseModel": () => chooseModel(context),
  };
}

async function chooseModel(context: ModelContext): Promise<void> {
  const server = await context.server();
  if (server === undefined) return failed("The server of Assent does not run. “Assent: Show Log” says why.");
  try {
    const begun = await pickedServer(context);
    const chosen = begun && (await chosenModel(begun, server, context));
    if (chosen === undefined) return;
    const fault = await context.define(chosen.name, chosen.definition);
    if (fault !== undefined) return failed(`The model was not written into your settings: ${fault}`);
    await context.openChat(chosen.name);
  } catch (error) {
    failed(toFault(error).message);
  }
}

interface ServerItem extends vscode.QuickPickItem {
  agent?: OwnAgent;
  server?: ServerKind;
}

async function pickedServer(context: ModelContext): Promise<Begun | undefined> {
  const { ofUser, names } = context.agents();
  const own = ownAgents(ofUser);
  const picked = await vscode.window.showQuickPick(serverItems(own), {
    title: TITLE,
    placeHolder: "Where does the model run?",
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked?.agent !== undefined) return picked.agent;
  if (picked?.server === undefined) return undefined;
  return newAgent(picked.server, names);
}

function serverItems(own: readonly OwnAgent[]): ServerItem[] {
  const separator = (label: string): ServerItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const servers = SERVER_KINDS.map((server) => ({ label: server.label, detail: server.detail, server }));
  if (own.length === 0) return servers;
  const agents = own.map((agent) => ({
    label: shown(agent.name),
    description: shown(agent.model),
    detail: "Another model for this agent",
    agent,
  }));
  return [separator("Your agents"), ...agents, separator("A new agent"), ...servers];
}

async function newAgent(kind: ServerKind, taken: ReadonlySet<string>): Promise<Begun | undefined> {
  const definition: Record<string, unknown> = { provider: kind.provider };
  if (kind.addressLike !== undefined) {
    const address = await enteredAddress(kind.addressLike, "");
    if (address === undefined) return undefined;
    definition.baseUrl = address;
  }
  const name = taken.has(kind.name) ? await enteredName(freeName(kind.name, taken), taken) : kind.name;
  return name === undefined ? undefined : { name, definition };
}

async function enteredAddress(like: string, before: string): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title: TITLE,
    prompt: "The address of the model's server. It is sent what you write and what the agent reads.",
    placeHolder: like,
    value: before,
    ignoreFocusOut: true,
    validateInput: (text) => (text === "" ? undefined : addressFault(text)),
  });
  return typed === undefined || typed.trim() === "" ? undefined : addressOf(typed);
}

async function enteredName(suggested: string, taken: ReadonlySet<string>): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title: TITLE,
    prompt: "What is the agent to be called?",
    value: suggested,
    ignoreFocusOut: true,
    validateInput: (text) => (taken.has(text.trim()) ? "There is an agent of this name already." : undefined),
  });
  return typed?.trim() || undefined;
}

/** Asks the server until the user has picked one of its models, or gives up. */
async function chosenModel(begun: Begun, server: Server, context: ModelContext): Promise<Begun | undefined> {
  let agent = begun;
  let keyTyped: string | undefined;
  for (;;) {
    const found = await asked(server, agent);
    if (found === undefined) return undefined;
    if (found.models.length > 0) {
      const model = await pickedModel(found.models, agent, found.baseUrl);
      return model && { ...agent, definition: withModel(agent.definition, model) };
    }
    if (found.needsKey && keyTyped === undefined) {
      keyTyped = found.keyName;
      if (!(await keyFor(agent, found, context))) return undefined;
      continue;
    }
    // A key that is not accepted is none to keep.
    if (found.needsKey && keyTyped === found.keyName) await context.keys.remove(found.keyName);
    const next = await whatNext(agent, found, keyTyped === found.keyName);
    if (next === BY_NAME) return enteredModel(agent);
    if (next === undefined) return undefined;
    if (next === KEY) {
      keyTyped = found.keyName;
      if (!(await keyFor(agent, found, context))) return undefined;
    }
    if (next === ADDRESS) {
      const baseUrl = await enteredAddress(found.baseUrl, found.baseUrl);
      if (baseUrl === undefined) return undefined;
      agent = { ...agent, definition: { ...agent.definition, baseUrl } };
      keyTyped = undefined;
    }
  }
}

function keyFor({ name }: Begun, { keyName, baseUrl }: ModelsList, { keys }: ModelContext): Promise<boolean> {
  return enteredKey(keys, { agent: name, name: keyName, origin: new URL(baseUrl).origin });
}

/** What the server says, or undefined where the user did not want to wait for it. */
async function asked(server: Server, { name, definition }: Begun): Promise<ModelsList | undefined> {
  const { provider, baseUrl, apiKeyEnv } = definition;
  const params: ModelsListParams = { agent: name, provider: String(provider) };
  if (typeof baseUrl === "string") params.baseUrl = baseUrl;
  if (typeof apiKeyEnv === "string") params.apiKeyEnv = apiKeyEnv;
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: `Asking ${visibleText(params.baseUrl ?? name)} for its models…`,
    cancellable: true,
  };
  return vscode.window.withProgress(options, (_progress, stop) => {
    const stopped = new Promise<undefined>((resolve) => stop.onCancellationRequested(() => resolve(undefined)));
    return Promise.race([server.request("models/list", params), stopped]);
  });
}

async function pickedModel(models: readonly ModelInfo[], { definition }: Begun, address: string) {
  const byName = { label: "Another one…", detail: "Enter its name", alwaysShow: true, model: undefined };
  const items = inOrder(models).map((model) => ({
    label: shown(model.name),
    description: [model.name === definition.model ? "in use" : "", modelWords(model)].filter(Boolean).join(" · "),
    model,
  }));
  const picked = await vscode.window.showQuickPick([...items, byName], {
    title: TITLE,
    placeHolder: `The models of ${visibleText(address)}`,
    matchOnDescription: true,
  });
  if (picked === undefined || picked.model !== undefined) return picked?.model;
  const name = await enteredModelName();
  return name === undefined ? undefined : { name };
}

async function enteredModel(agent: Begun): Promise<Begun | undefined> {
  const name = await enteredModelName();
  return name === undefined ? undefined : { ...agent, definition: withModel(agent.definition, { name }) };
}

async function enteredModelName(): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title: TITLE,
    prompt: "The model's name, exactly as its server spells it",
    ignoreFocusOut: true,
  });
  return typed?.trim() || undefined;
}

async function whatNext({ definition }: Begun, { problem, needsKey, baseUrl }: ModelsList, keyTyped: boolean) {
  const text = problem ?? noModelsWords(String(definition.provider), baseUrl);
  // A key that may not list models may still be good for talking to one.
  const ways = needsKey ? [KEY, BY_NAME] : keyTyped ? [BY_NAME, KEY, ADDRESS, AGAIN] : [AGAIN, ADDRESS, BY_NAME];
  return vscode.window.showErrorMessage(visibleText(text), ...ways);
}

function shown(text: string): string {
  return withoutIcons(visibleText(text));
}

function failed(text: string): void {
  void vscode.window.showErrorMessage(text);
}
