import { type AgentDefinition, loadAgent, openAgentProject } from "@bridle/agent";
import type { Redactor } from "@bridle/core";
import { namedCases } from "../plan/choose-cases.ts";
import type { RunTestsOptions } from "../plan/run-tests-options.ts";
import { openTestContext, type TestContext } from "../run/open-test-context.ts";
import type { TrialEnvironment } from "../run/run-trial.ts";

export type InvocationOption = "cases" | "parallel" | "trials" | "failFast" | "resume" | "signal" | "onProgress";

/** The options of `runTests`, except those about several cases. */
export interface AgentFixtureOptions extends Omit<RunTestsOptions, InvocationOption> {
  /** The values of `${NAME}` in the agent file. Default: `process.env`. */
  variables?: Readonly<Record<string, string | undefined>>;
}

/** An agent that is open for tests, with its metrics and judges. */
export interface AgentFixture {
  readonly definition: AgentDefinition;
  readonly context: TestContext & TrialEnvironment;
  readonly redactor: Redactor;
  /** Stops running turns and closes everything. */
  close(): Promise<void>;
}

/** The label of runs that belong to no invocation. */
const id = "vitest";
/** The number of concurrent runs, unless the project or the caller sets another number. */
const parallel = 8;

/** Opens the agent. If it throws ConfigError or AgentFileError, nothing is left open. */
export async function openAgentFixture(
  file: string,
  { variables = process.env, ...options }: AgentFixtureOptions,
): Promise<AgentFixture> {
  const definition = await loadAgent(file, { environment: variables });
  const project = await openAgentProject(definition, options);
  const { settings, redactor } = project;
  const plan = {
    allowSideEffects: options.allowSideEffects ?? false,
    parallel: settings.limits.maxConcurrency ?? parallel,
  };
  const prepared = { project, settings, options, plan, redactor, cases: namedCases(definition) };
  const context = await openTestContext(definition, prepared, { id: () => id, onEvent: () => {} });
  for (const warning of context.warnings) console.warn(redactor.text(warning));
  const running = new AbortController();
  return {
    definition,
    redactor,
    context: { ...context, id, signal: running.signal },
    async close() {
      running.abort("the tests have ended");
      await context.close();
    },
  };
}
