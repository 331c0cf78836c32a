import type { AgentDefinition } from "@bridle/agent";
import type { AuthMode, BackendName, CreateRuntimeOptions } from "@bridle/project";
import { isBridleError, type Logger, omitUndefined } from "@bridle/protocol";
import { type ExtendedTestsOptions, runExtendedTests, type TestProgress, type TestRun } from "@bridle/testing";
import type { ProjectContext } from "../context/project-context.ts";
import { UsageError } from "../context/usage-error.ts";
import { moduleOptions } from "../modules/load-tools.ts";
import { accountLimits } from "../runs/runtime-options.ts";

/** Which cases of an agent to run, and how. */
export interface TestPlanOptions {
  /** The names of the cases. Default: all. */
  readonly cases?: readonly string[] | undefined;
  readonly parallel?: number | undefined;
  readonly trials?: number | undefined;
  readonly backend?: BackendName | undefined;
  readonly auth?: AuthMode | undefined;
  /** The file of a rehearsal script. */
  readonly rehearse?: string | undefined;
  readonly failFast?: boolean | undefined;
  readonly allowSideEffects?: boolean | undefined;
  /** Whether to evaluate metrics that a model judges. Default: true. */
  readonly judges?: boolean | undefined;
  /** The id of a test run to resume, or `newest`. */
  readonly resume?: string | undefined;
  readonly onUsageLimit?: "wait" | "fail" | undefined;
  /** The time limit, in seconds. */
  readonly maxWait?: number | undefined;
}

export interface TestEffects extends Pick<ExtendedTestsOptions, "metricsOf" | "contents"> {
  readonly signal: AbortSignal;
  readonly logger: Logger;
  onProgress(progress: TestProgress): void;
  /** Whether no user is present. Trials then wait until used-up usage windows reset. */
  readonly unattended: boolean;
}

/** Runs the test cases of an agent. Throws UsageError if an option is invalid for the agent, and ConfigError. */
export async function runAgentTests(
  definition: AgentDefinition,
  plan: TestPlanOptions,
  context: ProjectContext,
  { signal, logger, onProgress, unattended, metricsOf, contents }: TestEffects,
): Promise<TestRun> {
  const { cases, parallel, trials, backend, auth, rehearse, failFast, allowSideEffects, judges, resume } = plan;
  const chosen = { cases, parallel, trials, backend, auth, rehearse, failFast, allowSideEffects, judges, resume };
  try {
    return await runExtendedTests(definition, {
      project: context.project,
      ...omitUndefined({ ...chosen, metricsOf, contents }),
      signal,
      logger,
      onProgress,
      unattended,
      limits: accountLimits(plan),
      loading: moduleOptions(context),
      createRuntime: (options: CreateRuntimeOptions = {}) => context.createRuntime(options),
    });
  } catch (error) {
    if (!isBridleError(error) || error.code !== "invalid_request") throw error;
    throw new UsageError(error.message, { cause: error });
  }
}
