// From what a user picks to an agent in the settings: which servers there are, what they are called, how they are defined.
import { visibleText } from "../common/visible-text.js";
import { isRecord } from "../protocol/check.js";
import type { ModelInfo } from "../protocol/generated.js";

/** A kind of model server as a person knows it. */
export interface ServerKind {
  label: string;
  detail: string;
  provider: string;
  /** The agent's name, where it is still free. */
  name: string;
  /** Asked for where it is set; what stands here is what such an address looks like. */
  addressLike?: string;
}

const OLLAMA_ROOM = 16_384;

export const SERVER_KINDS: readonly ServerKind[] = [
  { label: "Ollama on this machine", detail: "http://127.0.0.1:11434", provider: "ollama", name: "Ollama" },
  {
    label: "Ollama elsewhere…",
    detail: "At an address that you enter",
    provider: "ollama",
    name: "Ollama",
    addressLike: "http://192.168.1.20:11434",
  },
  {
    label: "OpenAI-compatible server…",
    detail: "llama.cpp, vLLM, LM Studio and most others, at an address that you enter",
    provider: "openai-compatible",
    name: "Model",
    addressLike: "http://127.0.0.1:8000/v1",
  },
  { label: "Anthropic", detail: "api.anthropic.com, with your key", provider: "anthropic", name: "Anthropic" },
  { label: "OpenAI", detail: "api.openai.com, with your key", provider: "openai-responses", name: "OpenAI" },
  {
    label: "Google Gemini",
    detail: "generativelanguage.googleapis.com, with your key",
    provider: "gemini",
    name: "Gemini",
  },
];

/** An agent as `assent.agents` defines it. */
export type Definition = Readonly<Record<string, unknown>>;

/** An agent of the user's settings that has a model behind an address. */
export interface OwnAgent {
  name: string;
  provider: string;
  model: string;
  definition: Definition;
}

const PROVIDERS: ReadonlySet<unknown> = new Set(SERVER_KINDS.map((kind) => kind.provider));

/** The agents in the user's `assent.agents` whose model can be chosen. */
export function ownAgents(agents: unknown): OwnAgent[] {
  return Object.entries(isRecord(agents) ? agents : {}).flatMap(([name, definition]) => {
    if (!isRecord(definition) || !PROVIDERS.has(definition.provider)) return [];
    return [{ name, provider: String(definition.provider), model: textOf(definition.model) ?? "", definition }];
  });
}

/** The name if it is free, else the first one with a number that is. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  let number = 2;
  while (taken.has(`${wanted} ${number}`)) number += 1;
  return `${wanted} ${number}`;
}

/** The definition with this model: the user's other words on the agent stay. */
export function withModel(before: Definition, { name, contextWindow }: ModelInfo): Definition {
  const { contextWindow: old, ...rest } = before;
  if (old !== undefined && before.model === name) return before;
  const room = roomFor(before.provider, contextWindow ?? undefined, typeof old === "number" ? old : undefined);
  return { ...rest, model: name, ...(room === undefined ? {} : { contextWindow: room }) };
}

/** Ollama gives a model little room where nobody says how much; all that the model could take may be too much memory. */
function roomFor(provider: unknown, known: number | undefined, before: number | undefined): number | undefined {
  if (provider !== "ollama") return known;
  return Math.min(before ?? OLLAMA_ROOM, known ?? Number.POSITIVE_INFINITY);
}

/** The address as it is meant: a host by itself is one of the plain web. */
export function addressOf(typed: string): string {
  const address = typed.trim().replace(/(?<=[^:/])\/+$/, "");
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`;
}

/** What is wrong with an address as it was typed; undefined where nothing is. */
export function addressFault(typed: string): string | undefined {
  if (typed.trim() === "") return "Enter the address of the server.";
  if (/\s/.test(typed.trim())) return "An address has no blanks.";
  const address = addressOf(typed);
  if (!URL.canParse(address)) return "This is no address.";
  const { protocol, username, password } = new URL(address);
  if (protocol !== "http:" && protocol !== "https:") return "The address begins with http:// or https://.";
  return username || password ? "A key does not belong into the address: it is asked for next." : undefined;
}

/** What there is to say of a model in a list. */
export function modelWords({ contextWindow, tools }: ModelInfo): string {
  const room = contextWindow ? `${shortCount(contextWindow)} tokens of context` : "";
  return [room, tools === false ? "cannot call tools" : ""].filter((words) => words !== "").join(" · ");
}

/** Those that an agent can work with come first, else they stay as the server told them. */
export function inOrder(models: readonly ModelInfo[]): ModelInfo[] {
  return [...models.filter((one) => one.tools !== false), ...models.filter((one) => one.tools === false)];
}

/** Why a server has nothing to choose, and what to do. */
export function noModelsWords(provider: string, address: string): string {
  const fetch = provider === "ollama" ? " Get one in a terminal there, for example: ollama pull qwen3" : "";
  return `${visibleText(address)} has no models.${fetch}`;
}

function shortCount(count: number): string {
  return count < 10_000 ? String(count) : `${Math.round(count / 1000)}k`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
