// Which slash commands fit what stands in the composer.
import type { SlashCommand } from "../protocol/generated.js";

/** More than this are not drawn: whoever looks for another one writes on. */
export const MOST_OFFERED = 50;

/** Those that the draft may become; what begins as it does comes first. None where it is no command, or is one already. */
export function commandsOffered(draft: string, commands: readonly SlashCommand[]): readonly SlashCommand[] {
  if (!isCommandLike(draft)) return [];
  const begun = draft.slice(1).toLowerCase();
  const places = commands.map((command) => ({ command, at: command.name.toLowerCase().indexOf(begun) }));
  const fits = places.filter(({ at }) => at >= 0).sort((one, other) => Number(one.at > 0) - Number(other.at > 0));
  return fits.map(({ command }) => command);
}

/** Whether it is written as commands are: a slash at the beginning, and one line. */
export function isCommandLike(draft: string): boolean {
  return draft.startsWith("/") && !draft.includes("\n");
}

/** Whether the draft is this command as it stands. */
export function isWritten(draft: string, command: SlashCommand | undefined): boolean {
  return command !== undefined && draft === `/${command.name}`;
}
