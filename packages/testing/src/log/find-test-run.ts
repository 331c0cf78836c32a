import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, NotFoundError, suggestion } from "@bridle/protocol";
import { readEnds } from "./file-ends.ts";
import { whileReading } from "./file-failures.ts";
import { readBeginning } from "./read-events.ts";
import { testRunIdPattern } from "./test-run-id.ts";

/** A file with the results of an invocation: an event file, or a JSON report. */
export interface Found {
  readonly path: string;
  readonly form: "log" | "report";
}

/**
 * Finds the result file of an invocation. `which` is an id, an unambiguous beginning of an id, `newest`, `previous` (the one before the
 * newest of the same agent), or a path, which contains a slash or ends with `.jsonl` or `.json`.
 *
 * @throws ConfigError that lists the existing ids if no file or more than one matches.
 */
export function findTestRun(folder: string, which: string): Found {
  if (isResultFile(which)) return given(which);
  const ids = idsIn(folder);
  const id = which === "newest" || which === "previous" ? ofTime(folder, ids, which) : ofName(folder, ids, which);
  return { path: join(folder, `${id}.jsonl`), form: "log" };
}

/** Returns the id of the previous invocation of the same agent; `undefined` if there is none. */
export function idBefore(
  folder: string,
  { id, agent }: { readonly id: string; readonly agent: string },
): string | undefined {
  return idsIn(folder).find((each) => each < id && readAgent(join(folder, `${each}.jsonl`)) === agent);
}

/** Whether a word is a path, and not the id of an invocation. */
export function isResultFile(which: string): boolean {
  return /[/\\]|\.jsonl?$/.test(which);
}

/** Finds a file like `findTestRun`, but only if its tests can be resumed. */
export function findLog(folder: string, which: string): string {
  const { path, form } = findTestRun(folder, which);
  if (form === "log") return path;
  throw new ConfigError(
    `${path} is a report, and reports cannot be resumed. Give the id of an invocation of this project.`,
  );
}

/** Lists the invocations, the newest first. */
export function idsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = whileReading(folder, () => readdirSync(folder));
  const ids = names.filter((name) => name.endsWith(".jsonl")).map((name) => name.slice(0, -".jsonl".length));
  return ids.filter((id) => testRunIdPattern.test(id)).sort((a, b) => (a < b ? 1 : -1));
}

function given(path: string): Found {
  if (existsSync(path)) return { path, form: path.endsWith(".json") ? "report" : "log" };
  throw new NotFoundError(
    `There are no results in ${path}. Give a file that bridle test wrote, or the id of an invocation.`,
  );
}

function ofTime(folder: string, ids: readonly string[], which: "newest" | "previous"): string {
  const agentOf = (id: string) => readAgent(join(folder, `${id}.jsonl`));
  const newest = ids.find((id) => agentOf(id) !== undefined);
  if (newest === undefined)
    throw new NotFoundError(`No tests were run yet: ${folder} has no results. Run bridle test.`);
  if (which === "newest") return newest;
  const agent = agentOf(newest);
  const previous = ids.find((id) => id < newest && agentOf(id) === agent);
  if (previous !== undefined) return previous;
  const reason = `There is no invocation of the tests of ${agent} before ${newest}.`;
  throw new NotFoundError(`${reason} ${listed(ids)} Run bridle test once more, or give an id.`);
}

/** Reads the beginning of an invocation. `undefined` if the process ended before it wrote anything. */
function readAgent(path: string): string | undefined {
  const { first } = whileReading(path, () => readEnds(path));
  return first === undefined ? undefined : readBeginning(first, path).plan.agent.name;
}

function ofName(folder: string, ids: readonly string[], which: string): string {
  if (ids.includes(which)) return which;
  const [only, ...others] = ids.filter((id) => which !== "" && id.startsWith(which));
  if (only !== undefined && others.length === 0) return only;
  const meant = only === undefined ? [] : [only, ...others];
  if (meant.length > 0)
    throw new ConfigError(`"${which}" matches several invocations. ${listed(meant)} Give more of the id.`);
  throw new NotFoundError(
    `There is no invocation "${which}" in ${folder}.${suggestion(which, [...ids, "newest", "previous"])} ${listed(ids)}`.trimEnd(),
  );
}

const maxListed = 5;

function listed(ids: readonly string[]): string {
  if (ids.length === 0) return "There is none yet: run bridle test.";
  const more = ids.length > maxListed ? ` and ${ids.length - maxListed} more` : "";
  return `There ${ids.length === 1 ? "is" : "are"} ${ids.slice(0, maxListed).join(", ")}${more}.`;
}
