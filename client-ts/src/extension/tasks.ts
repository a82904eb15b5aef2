// The tasks of the editor, for the server: what each would run, and running one to its end.
import { homedir } from "node:os";
import { sep } from "node:path";
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
  const known = execution instanceof vscode.ShellExecution || execution instanceof vscode.ProcessExecution;
  const options: vscode.ShellExecutionOptions = (known ? execution.options : undefined) ?? {};
  const text = known ? resolved(lineOf(execution), folder) : undefined;
  const directory = options.cwd === undefined ? folder : resolved(options.cwd, folder);
  return {
    taskId: JSON.stringify([source, folder, name]),
    label: labelOf(task),
    ...(text !== undefined && text.length <= LONGEST ? { text } : {}),
    ...(directory === "" ? {} : { directory }),
    ...(options.executable === undefined
      ? {}
      : { shell: [options.executable, ...(options.shellArgs ?? [])].join(" ") }),
    variables: Object.entries(options.env ?? {}).map(([variable, value]) => `${variable}=${value}`),
    first: before(task),
  };
}

/** With what the editor will put in for certain. What it puts in besides stays, and makes the line one that is not known. */
function resolved(text: string, folder: string): string {
  return text.replace(/\$\{(workspaceFolder|userHome|pathSeparator|\/|env:\w+)\}/g, (all, name: string) => {
    if (name === "workspaceFolder") return folder === "" ? all : folder;
    if (name === "userHome") return homedir();
    return name.startsWith("env:") ? (process.env[name.slice(4)] ?? "") : sep;
  });
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

/** The labels of the tasks that are run before this one, the first one first; an empty one for each that is not known. */
function before(task: vscode.Task): string[] {
  const entries = configured(task.scope);
  const own = labelOf(task);
  const seen = new Set([own, task.name]);
  const order: string[] = [];
  const visit = (labels: readonly string[], isProvided: boolean) => {
    const found = entries.filter(({ label, taskName }) => labels.some((one) => one === label || one === taskName));
    // An entry may speak of a task by what that is, without its name: whether it means this one is not known.
    const unnamed = entries.filter(({ label, taskName }) => label === undefined && taskName === undefined);
    if ((isProvided || found.length === 0) && unnamed.some((one) => one.dependsOn !== undefined)) order.push("");
    for (const one of found.flatMap(needed)) {
      if (one === "") order.push("");
      else if (!seen.has(one)) {
        seen.add(one);
        visit([one], false);
        order.push(one);
      }
    }
  };
  visit([own, task.name], task.source !== "Workspace");
  return order;
}

/** What the settings of all scopes say of tasks: which of them counts is the editor's to know. */
function configured(scope: vscode.Task["scope"]): Entry[] {
  const found = vscode.workspace.getConfiguration("tasks", typeof scope === "object" ? scope.uri : null);
  const all = found.inspect<unknown>("tasks");
  const lists = [all?.globalValue, all?.workspaceValue, all?.workspaceFolderValue, found.get<unknown>("tasks")];
  return lists.flatMap((one) => (Array.isArray(one) ? (one as Entry[]) : []));
}

function needed({ dependsOn }: Entry): string[] {
  const all: unknown[] = Array.isArray(dependsOn) ? dependsOn : dependsOn === undefined ? [] : [dependsOn];
  return all.map((one) => (typeof one === "string" ? one : ""));
}

function same(one: EditorTask, other: EditorTask): boolean {
  return spelled(one) === spelled(other);
}

function spelled({ taskId, label, text, directory, shell, variables, first }: EditorTask): string {
  return JSON.stringify([taskId, label, text ?? null, directory ?? null, shell ?? null, variables ?? [], first ?? []]);
}
