import { resolve } from "node:path";
import { resolveSettings } from "@bridle/project";
import { ConfigError, suggestion } from "@bridle/protocol";
import { type CaseResult, isResultFile, readTestRun, type TestRun, testRunsFolder } from "@bridle/testing";
import type { Cli } from "../cli/cli.ts";
import { type ProjectFlagValues, whereabouts } from "../cli/project-flag.ts";

export const resultOperand = {
  name: "id",
  description: 'an invocation by its id or the beginning of it, "newest", "previous", or a file of results',
};

/** Where the project keeps the results of its tests. */
export async function resultsFolder(flags: ProjectFlagValues, cli: Pick<Cli, "environment" | "cwd">): Promise<string> {
  return testRunsFolder(await resolveSettings(whereabouts(flags, cli), cli.cwd));
}

/** An invocation of the project, or one whose file is named. Throws ConfigError and StoreError. */
export function readResult(folder: string, which: string, { cwd }: Pick<Cli, "cwd">): TestRun {
  return readTestRun(folder, isResultFile(which) ? resolve(cwd, which) : which);
}

/** Throws ConfigError, with the nearest name, for a case that the invocation has not. */
export function findCase({ id, cases }: TestRun, name: string): CaseResult {
  const found = cases.find((each) => each.name === name);
  if (found) return found;
  const names = cases.map((each) => each.name);
  const near = suggestion(name, names) || ` It has ${names.map((each) => `"${each}"`).join(", ")}.`;
  throw new ConfigError(`${id} has no case "${name}".${near}`);
}

/** The case with that trial alone. Throws ConfigError where it has not run. */
export function withTrial(result: CaseResult, number: number): CaseResult {
  const trials = result.trials.filter(({ trial }) => trial === number);
  if (trials.length > 0) return { ...result, trials };
  const ran = result.trials.map(({ trial }) => trial).join(", ");
  throw new ConfigError(
    `"${result.name}" has no trial ${number}. ${ran === "" ? "None has run." : `There are ${ran}.`}`,
  );
}
