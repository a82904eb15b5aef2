// The tasks of the editor, for the server: what each would run, and running one to its end.
import * as vscode from "vscode";
import type { EditorTask, EditorTaskEnd, EditorTaskParams, EditorTasks } from "../protocol/generated.js";

const MOST = 1_000;
const LONGEST = 64 * 1024;
const PLAIN = /^[\w./:=@%+,-]+$/;

type Entry = { label?: unknown; taskName?: unknown; dependsOn?: unknown };

/** All tasks that the editor knows, each with the command line that it would run. */
export async function listTasks(): Promise<EditorTasks> {
  return { tasks: (await vscode.tasks.fetchTasks()).slice(0, MOST).map(told) };
}

/** Runs the task, if it still is as it was told. Being cancelled ends it. */
export async function runTask(
  { task: wanted }: EditorTaskParams,
  token: vscode.CancellationToken,
): Promise<EditorTaskEnd> {
  const found = (await vscode.tasks.fetchTasks()).slice(0, MOST).find((one) => same(told(one), wanted));
  if (found === undefined) return { fault: "it is another task by now" };
  if (token.isCancellationRequested) return { fault: "it was stopped before" };
  return await ended(found, token);
}

async function ended(task: vscode.Task, token: vscode.CancellationToken): Promise<EditorTaskEnd> {
  const listening: vscode.Disposable[] = [];
  try {
    return await new Promise<EditorTaskEnd>((resolve, reject) => {
      let execution: vscode.TaskExecution | undefined;
      let exitCode: number | undefined;
      // It may end before the editor says that it has begun.
      const ends: vscode.TaskExecution[] = [];
      const over = (one: vscode.TaskExecution) => {
        ends.push(one);
        if (one === execution) resolve(exitCode === undefined ? {} : { exitCode });
      };
      listening.push(
        vscode.tasks.onDidEndTaskProcess((end) => {
          if (execution === undefined ? isOf(end.execution, task) : end.execution === execution)
            exitCode = end.exitCode;
        }),
        vscode.tasks.onDidEndTask((end) => over(end.execution)),
        token.onCancellationRequested(() => execution?.terminate()),
      );
      vscode.tasks.executeTask(task).then((begun) => {
        execution = begun;
        if (token.isCancellationRequested) begun.terminate();
        const early = ends.find((one) => one === begun);
        if (early !== undefined) over(early);
      }, reject);
    });
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  } finally {
    for (const one of listening) one.dispose();
  }
}

function isOf(execution: vscode.TaskExecution, { name, source, scope }: vscode.Task): boolean {
  return execution.task.name === name && execution.task.source === source && execution.task.scope === scope;
}

function told(task: vscode.Task): EditorTask {
  const { execution, name, source, scope } = task;
  const folder = typeof scope === "object" ? scope.uri.fsPath : "";
  const label = labelOf(task);
  const known = execution instanceof vscode.ShellExecution || execution instanceof vscode.ProcessExecution;
  const options: vscode.ShellExecutionOptions = (known ? execution.options : undefined) ?? {};
  const text = known ? lineOf(execution) : undefined;
  const directory = options.cwd ?? (folder || undefined);
  return {
    taskId: JSON.stringify([source, folder, name]),
    label,
    ...(text !== undefined && text.length <= LONGEST ? { text } : {}),
    ...(directory === undefined ? {} : { directory }),
    ...(options.executable === undefined
      ? {}
      : { shell: [options.executable, ...(options.shellArgs ?? [])].join(" ") }),
    variables: Object.keys(options.env ?? {}),
    first: before(label, scope),
  };
}

/** As the editor's own lists have it: with its source where an extension found it. */
function labelOf({ name, source }: vscode.Task): string {
  return source === "Workspace" || source === "" ? name : `${source}: ${name}`;
}

function lineOf(execution: vscode.ShellExecution | vscode.ProcessExecution): string {
  if (execution instanceof vscode.ProcessExecution) return [execution.process, ...execution.args].map(quoted).join(" ");
  if (execution.commandLine !== undefined) return execution.commandLine;
  // The command itself may be several words; the editor quotes what has to be quoted in what follows.
  const words = execution.args ?? [];
  const command = execution.command;
  return [typeof command === "string" ? command : quoted(command?.value ?? ""), ...words.map(argument)].join(" ");
}

function argument(one: string | vscode.ShellQuotedString): string {
  return quoted(typeof one === "string" ? one : one.value);
}

function quoted(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The tasks that are run before this one, the first one first, as the settings of tasks have it. */
function before(label: string, scope: vscode.Task["scope"]): string[] {
  const folder = typeof scope === "object" ? scope.uri : null;
  const entries: unknown = vscode.workspace.getConfiguration("tasks", folder).get("tasks");
  const known = Array.isArray(entries) ? (entries as Entry[]) : [];
  const seen = new Set([label]);
  const order: string[] = [];
  const visit = (name: string) => {
    for (const one of known.flatMap((entry) => needed(entry, name))) {
      if (seen.has(one)) continue;
      seen.add(one);
      visit(one);
      order.push(one);
    }
  };
  visit(label);
  return order;
}

function needed(entry: Entry, label: string): string[] {
  if (entry.label !== label && entry.taskName !== label) return [];
  const { dependsOn } = entry;
  // A task that is named by what it is, not by its label, is none that is known here.
  return (Array.isArray(dependsOn) ? dependsOn : dependsOn === undefined ? [] : [dependsOn]).map((one: unknown) =>
    typeof one === "string" ? one : JSON.stringify(one),
  );
}

function same(one: EditorTask, other: EditorTask): boolean {
  return spelled(one) === spelled(other);
}

function spelled({ taskId, label, text, directory, shell, variables, first }: EditorTask): string {
  return JSON.stringify([taskId, label, text ?? null, directory ?? null, shell ?? null, variables ?? [], first ?? []]);
}
