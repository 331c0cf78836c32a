import { type AgentDefinition, loadAgent, openAgentProject } from "@bridle/agent";
import type { Redactor } from "@bridle/core";
import { namedCases } from "../plan/choose-cases.ts";
import { openStage, type TestContext } from "../run/open-stage.ts";
import type { RunTestsOptions } from "../run/run-tests-options.ts";
import type { TrialStage } from "../run/run-trial.ts";

type OfInvocations = "cases" | "parallel" | "trials" | "failFast" | "resume" | "signal" | "onProgress";

/** As of `runTests`, but for what concerns many cases. */
export interface DeskOptions extends Omit<RunTestsOptions, OfInvocations> {
  /** What `${NAME}` in the agent's file is looked up in. Default: `process.env`. */
  variables?: Readonly<Record<string, string | undefined>>;
}

/** An agent that is open for tests, with all that judges its runs. */
export interface Desk {
  readonly definition: AgentDefinition;
  readonly stage: TestContext & TrialStage;
  readonly redactor: Redactor;
  /** Stops what runs, and lets go of everything. */
  close(): Promise<void>;
}

/** Runs have labels with the id of their invocation; these have none. */
const id = "vitest";
/** So many runs go on at a time, unless the project or the caller says otherwise. */
const parallel = 8;

/** Throws ConfigError and AgentFileError, and leaves nothing open then. */
export async function openDesk(file: string, { variables = process.env, ...options }: DeskOptions): Promise<Desk> {
  const definition = await loadAgent(file, { environment: variables });
  const project = await openAgentProject(definition, options);
  const { settings, redactor } = project;
  const plan = {
    allowSideEffects: options.allowSideEffects ?? false,
    parallel: settings.limits.maxConcurrency ?? parallel,
  };
  const prepared = { project, settings, options, plan, redactor, cases: namedCases(definition) };
  const stage = await openStage(definition, prepared, { id: () => id, onEvent: () => {} });
  for (const warning of stage.warnings) console.warn(redactor.text(warning));
  const running = new AbortController();
  return {
    definition,
    redactor,
    stage: { ...stage, id, signal: running.signal },
    async close() {
      running.abort("the tests have ended");
      await stage.close();
    },
  };
}
