// What stands in rows of a chat, as one plain text: also of those that are not drawn, and of what is folded.
import { exactJson } from "./exact-json.js";
import type { Item, ToolItem } from "./state.js";
import type { Inside } from "./tree.js";
import { STATUS_WORDS } from "./words.js";

/** All of these rows and what belongs to them, one below the other, each as it came. */
export function chatText(items: readonly Item[], inside: Inside): string {
  return withInside(items, inside)
    .map(textOf)
    .filter((text) => text !== "")
    .join("\n\n");
}

function withInside(items: readonly Item[], inside: Inside): readonly Item[] {
  return items.flatMap((item) => {
    const below = item.kind === "tool" ? inside.get(item.callId) : undefined;
    return below === undefined ? [item] : [item, ...withInside(below, inside)];
  });
}

function textOf(item: Item): string {
  switch (item.kind) {
    case "user":
      return `You: ${item.text}`;
    case "thinking":
      return `Thoughts: ${item.text}`;
    case "plan":
      return item.entries.map(({ content }) => `- ${content}`).join("\n");
    case "tool":
      return textOfCall(item);
    default:
      return item.text;
  }
}

function textOfCall({ tool, headline, status, args, notes, cards, liveOutput, result }: ToolItem): string {
  const asked = cards.map(({ request }) => request.headline).filter((one) => one !== headline);
  const made = result && [result.path, result.content].filter((one) => one !== undefined && one !== result.output);
  const output = result?.output || liveOutput;
  return [
    `${tool}: ${headline} (${STATUS_WORDS[status]})`,
    ...asked,
    ...notes,
    exactJson(args),
    output,
    ...(made ?? []),
  ]
    .filter(Boolean)
    .join("\n");
}
