import { availableParallelism } from "node:os";
import { type AgentDefinition, type AgentSettings, openAgentProject, openWhole } from "@bridle/agent";
import type { Redactor } from "@bridle/core";
import type { Project } from "@bridle/project";
import { ConfigError, InvalidRequestError } from "@bridle/protocol";
import { resumeTestLog, type TestLog } from "../log/test-log.ts";
import type { TestPlan } from "../result/test-plan.ts";
import type { TestRun } from "../result/test-run.ts";
import { chooseCases, type NamedCase } from "./choose-cases.ts";
import { makePlan } from "./make-plan.ts";
import { changedContents, requireSame, resumedHost } from "./resumed-options.ts";
import type { ExtendedTestsOptions, RunTestsOptions } from "./run-tests-options.ts";

/** Everything that is known about an invocation before its agent is opened. */
export interface Prepared {
  /** The agent with all files that it refers to. */
  readonly definition: AgentDefinition;
  readonly project: Project;
  readonly settings: AgentSettings;
  readonly redactor: Redactor;
  /** The folder of the results. */
  readonly folder: string;
  readonly cases: readonly NamedCase[];
  readonly plan: TestPlan;
  /** The caller's options, completed by those of the resumed invocation. */
  readonly options: ExtendedTestsOptions;
  /** The resumed invocation. */
  readonly earlier?: { readonly log: TestLog; readonly run: TestRun };
  /** Messages about a resumption. */
  readonly warnings?: readonly string[];
}

const defaultParallel = 4;
/**
 * The default number of parallel trials in a rehearsal. A script answers at once, so more runs than processors would only wait for each
 * other.
 */
const defaultRehearsed = Math.min(defaultParallel, availableParallelism());
/** The maximum number of trials, because all results of an invocation are in memory. */
const maxTrials = 1000;

/** Prepares an invocation. Throws InvalidRequestError for invalid options, ConfigError for invalid settings. */
export async function prepare(given: AgentDefinition, options: ExtendedTestsOptions): Promise<Prepared> {
  requireWhole("parallel", options.parallel);
  requireWhole("trials", options.trials, maxTrials);
  const { definition, project } = await openWhole(given, options);
  const cases = chooseCases(definition, options.cases);
  const { settings, testRunsFolder: folder } = project;
  if (options.resume === undefined) return withPlan(definition, { definition, project, folder, cases, options });
  const earlier = resumeTestLog({ folder, which: options.resume });
  try {
    const { plan, id } = earlier.run;
    const again = { ...inherited(plan), ...options, ...resumedHost(plan, options, settings) };
    const prepared = await withPlan(definition, { definition, project, folder, cases, options: again, earlier });
    requireSame(plan, prepared.plan, id);
    return dropChanged(prepared, earlier);
  } catch (error) {
    earlier.log.close();
    throw error;
  }
}

/** Drops the results of cases whose code, files or judges have changed, so that these cases run again. */
function dropChanged(prepared: Prepared, { log, run }: NonNullable<Prepared["earlier"]>): Prepared {
  const { what, cases } = changedContents(run.plan, prepared.plan);
  if (cases.length === 0) return prepared;
  const had = run.cases.filter(({ name, trials }) => cases.includes(name) && trials.length > 0);
  const replanned = log.replan(prepared.plan, cases);
  const shown = had.slice(0, maxNamed).map(({ name }) => `"${name}"`);
  const more = had.length > maxNamed ? ` and ${had.length - maxNamed} more` : "";
  const again = had.length === 0 ? "" : ` These cases run again: ${shown.join(", ")}${more}.`;
  const warning = `Since ${run.id} began, ${what.join(", ")} changed.${again}`;
  return { ...prepared, earlier: { log, run: replanned }, warnings: [warning] };
}

const maxNamed = 10;

/** Returns the options of a resumed invocation. Options that are given now replace them. */
function inherited({ trials, parallel, failFast, allowSideEffects }: TestPlan): RunTestsOptions {
  return { trials, parallel, failFast, allowSideEffects };
}

type Chosen = Omit<Prepared, "settings" | "redactor" | "plan">;

async function withPlan(definition: AgentDefinition, given: Chosen): Promise<Prepared> {
  const { options, earlier } = given;
  const project = await openAgentProject(definition, { ...options, project: given.project });
  const { settings, redactor } = project;
  const isWanted = ({ name }: NamedCase) => earlier?.run.plan.cases.includes(redactor.text(name)) ?? true;
  const cases = options.cases === undefined ? given.cases.filter(isWanted) : given.cases;
  const { failFast = false, allowSideEffects = false, rehearse, trials = 1 } = options;
  const atOnce = rehearse === undefined ? defaultParallel : defaultRehearsed;
  const { parallel = definition.config.execution?.parallel_test_cases ?? atOnce } = options;
  const chosen = { parallel, trials, failFast, allowSideEffects };
  requireNames(cases, redactor, definition);
  const plan = await makePlan({
    definition,
    settings,
    redactor,
    cases,
    rehearse,
    contents: options.contents,
    ...chosen,
  });
  return { ...given, project, settings, redactor, cases, plan };
}

/** Refuses equal names of cases. Results are found by the stored names, so a result would hide another. */
function requireNames(cases: readonly NamedCase[], redactor: Redactor, { file }: Pick<AgentDefinition, "file">): void {
  const names = cases.map(({ name }) => redactor.text(name));
  const same = names.find((name, index) => names.indexOf(name) !== index);
  if (same === undefined) return;
  const message = `${file} has two test cases with the name "${same}" in results. Give each a different name, without credentials.`;
  throw new ConfigError(message, { field: "test_cases" });
}

function requireWhole(field: "parallel" | "trials", value = 1, max = Number.MAX_SAFE_INTEGER): void {
  if (Number.isSafeInteger(value) && value >= 1 && value <= max) return;
  const range = max === Number.MAX_SAFE_INTEGER ? "from 1" : `from 1 to ${max}`;
  throw new InvalidRequestError(`${field} is ${value}, but must be a whole number ${range}.`);
}
