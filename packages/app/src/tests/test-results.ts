import { resolve } from "node:path";
import { isBridleError, NotFoundError, suggestion } from "@bridle/protocol";
import {
  type CaseResult,
  type Comparison,
  compareTestRuns,
  idBefore,
  isResultFile,
  readTestRun,
  type TestRun,
} from "@bridle/testing";
import type { ProjectContext } from "../context/project-context.ts";

/** Reads a test run: `which` is an id or its beginning, `newest`, `previous`, or a file with results. Throws ConfigError and StoreError. */
export async function readTestResult(
  which: string,
  { project, cwd }: Pick<ProjectContext, "project" | "cwd">,
): Promise<TestRun> {
  await project.requireOwnState();
  return readTestRun(project.testRunsFolder, isResultFile(which) ? resolve(cwd, which) : which);
}

/** Returns the difference to the previous run of the same agent; `undefined` if none can be read. */
export async function compareWithPrevious(
  run: TestRun,
  { project }: Pick<ProjectContext, "project">,
): Promise<Comparison | undefined> {
  const folder = project.testRunsFolder;
  try {
    const before = idBefore(folder, { id: run.id, agent: run.plan.agent.name });
    return before === undefined ? undefined : compareTestRuns(readTestRun(folder, before), run);
  } catch (error) {
    if (isBridleError(error)) return undefined; // the report of this run must not fail because of an older file
    throw error;
  }
}

/** Returns the case with this name. Throws NotFoundError with the nearest name if there is none. */
export function findCase({ id, cases }: TestRun, name: string): CaseResult {
  const found = cases.find((each) => each.name === name);
  if (found) return found;
  const names = cases.map((each) => each.name);
  const near = suggestion(name, names) || ` It has ${names.map((each) => `"${each}"`).join(", ")}.`;
  throw new NotFoundError(`${id} has no case "${name}".${near}`);
}

/** Returns the case with only one trial. Throws NotFoundError if that trial has not run. */
export function selectTrial(result: CaseResult, number: number): CaseResult {
  const trials = result.trials.filter(({ trial }) => trial === number);
  if (trials.length > 0) return { ...result, trials };
  const ran = result.trials.map(({ trial }) => trial).join(", ");
  const known = ran === "" ? "No trial has run." : `Trials that have run: ${ran}.`;
  throw new NotFoundError(`"${result.name}" has no trial ${number}. ${known}`);
}
