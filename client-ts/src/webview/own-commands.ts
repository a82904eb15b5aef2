// The slash commands of the page itself: what it can do anyway, for whoever would rather write it.
import type { HostKind } from "../common/page-messages.js";
import type { Mode, SlashCommand } from "../protocol/generated.js";
import type { Actions } from "./actions.js";
import { MODES } from "./words.js";

/** What a command does, beside its words. */
interface OwnCommand extends SlashCommand {
  /** Only where there is an editor around the page. */
  inEditor?: boolean;
  run(actions: Actions): void;
}

const inWords: Record<Mode, string> = { plan: "plan", ask: "ask", default: "read-only", auto: "all" };

const ALL: readonly OwnCommand[] = [
  command("new", "Opens a new chat.", (actions) => actions.newChat()),
  command("stop", "Stops what goes on in this chat.", (actions) => actions.stop()),
  ...MODES.map(({ mode, label, description }) =>
    command(`mode ${inWords[mode]}`, `${label}. ${description}`, (actions) => {
      actions.setMode(mode, false);
      actions.say(`Mode chosen: ${label}.`);
    }),
  ),
  { ...command("model", "Chooses a model.", (actions) => actions.remedy("chooseModel")), inEditor: true },
  command("allowed", "Shows what is allowed, and what decides beside that.", (actions) => actions.showAllowed(false)),
  command("history", "Shows what was decided.", (actions) => actions.showAllowed(true)),
  command("background", "Shows the commands in the background.", (actions) => actions.openShells(true)),
  command("find", "Finds words in this chat.", (actions) => actions.find()),
  {
    ...command("review", "Shows what a run of this chat changed, to roll it back.", (actions) =>
      actions.host("reviewRun"),
    ),
    inEditor: true,
  },
  { ...command("settings", "Opens the settings.", (actions) => actions.host("openSettings")), inEditor: true },
  { ...command("log", "Opens the log.", (actions) => actions.host("showLog")), inEditor: true },
  command("help", "Lists these commands.", (actions) => actions.fillComposer("/")),
];

function command(name: string, description: string, run: (actions: Actions) => void): OwnCommand {
  return { name, description, hint: null, run };
}

/** Those that work where the page is. The same list each time. */
export function ownCommands(host: HostKind): readonly OwnCommand[] {
  return host === "editor" ? ALL : IN_BROWSER;
}

const IN_BROWSER = ALL.filter(({ inEditor }) => !inEditor);

/** The command that stands there in full, and nothing else: this is done, and never sent as a message. */
export function writtenCommand(text: string, host: HostKind): OwnCommand | undefined {
  const words = text.trim().toLowerCase();
  return ownCommands(host).find(({ name }) => words === `/${name}`);
}
