// The settings as the server wants them: by scope, because a merged value hides who said it.

/** The values of the settings, by the scope that says them. */
export type ScopedValues = Record<"user" | "workspace" | "folder", Record<string, unknown>>;

/** What the editor knows of one setting. */
export interface Inspected {
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

/** The settings that concern the server: all of the manifest but those about starting and tracing it. */
export function serverSettings(properties: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(properties)
    .map((name) => name.replace(/^assent\./, ""))
    .filter((key) => !key.startsWith("server.") && !key.startsWith("trace."));
}

/** The values by scope; a scope without values is an empty object. */
export function collectScopes(keys: readonly string[], inspect: (key: string) => Inspected | undefined): ScopedValues {
  const inspected = keys.map((key) => [key, inspect(key)] as const);
  const scope = (pick: (one: Inspected) => unknown) =>
    Object.fromEntries(
      inspected.map(([key, one]) => [key, one && pick(one)] as const).filter(([, value]) => value !== undefined),
    );
  return {
    user: scope((one) => one.globalValue),
    workspace: scope((one) => one.workspaceValue),
    folder: scope((one) => one.workspaceFolderValue),
  };
}
