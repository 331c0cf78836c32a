/** The test context: the agent, its judges and the cases with their metrics, for all trials of an invocation. */

import type { MetricConfig } from "@bridle/agent";
import { type AgentDefinition, effectiveFiles, type OpenAgent, type OpenAgentOptions, openAgent } from "@bridle/agent";
import { createToolbox } from "@bridle/core";
import { loadHost, rehearsedJudges } from "@bridle/project";
import { counted, type JsonSchema, type RunEvent } from "@bridle/protocol";
import { impossibleCalls, type KnownTools } from "../checks/check-calls.ts";
import { retrievingTools } from "../checks/retrieval-context.ts";
import { sideEffectsOptions } from "../checks/side-effects.ts";
import { createJudges } from "../judges/create-judges.ts";
import { createJudgeExpenses } from "../judges/expenses.ts";
import { MetricPlanner } from "../metrics/metric-planner.ts";
import { createScoringEmbedder } from "../metrics/scoring-embedder.ts";
import { type PlannedCase, planCases } from "../plan/plan-cases.ts";
import type { Prepared } from "../plan/prepare.ts";
import type { RunTestsOptions } from "../plan/run-tests-options.ts";
import type { PlannedMetric } from "../result/planned-metric.ts";
import { createArtifactReader } from "./artifact-reader.ts";
import { concurrencyOf } from "./concurrency.ts";
import type { TurnEnvironment } from "./run-turn.ts";

export interface TestContext extends Omit<TurnEnvironment, "signal"> {
  readonly agent: OpenAgent;
  readonly cases: readonly PlannedCase[];
  /** Prepares further metrics. */
  metricsOf(configs: readonly MetricConfig[]): PlannedMetric[];
  /** Messages about deviations from the files, and about limits of the results. */
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

/** The inputs for opening the context. */
interface ToOpen extends Pick<Prepared, "project" | "settings" | "cases" | "options" | "redactor"> {
  readonly plan: Pick<Prepared["plan"], "allowSideEffects" | "parallel">;
}

export interface TestContextParts {
  /** Returns the id of the invocation. Called for the first judge, when the id exists. */
  id(): string;
  /** Called with every event of every run, including those of judges. */
  onEvent(event: RunEvent): void;
}

/** Opens the agent with its tools. Judges are opened for their first question. If it throws ConfigError, nothing is left open. */
export async function openTestContext(
  definition: AgentDefinition,
  prepared: ToOpen,
  parts: TestContextParts,
): Promise<TestContext> {
  const { settings, plan, options, redactor } = prepared;
  const { warnings, ...shared } = sharedOptions(prepared, parts);
  const expenses = createJudgeExpenses();
  const { allowSideEffects } = plan;
  const agent = await openAgent(definition, {
    ...shared,
    ...sideEffectsOptions({ ...shared, definition, settings, allowSideEffects }),
    onEvent(event) {
      expenses.observe(event);
      shared.onEvent(event);
    },
  });
  const labels = () => ({ test: parts.id() });
  const judges = createJudges({ definition, agent, settings, options: shared, expenses, labels });
  const artifacts = createArtifactReader(prepared.project);
  const isRehearsed = options.rehearse !== undefined;
  const embedder = createScoringEmbedder(definition, prepared.project, { isRehearsed });
  const close = () => closeAll([judges, embedder, artifacts, agent]);
  try {
    const { baseDir, environment } = definition;
    const without = options.judges === false ? ("metrics" as const) : await judgesOfScript(options.rehearse);
    const planner = new MetricPlanner({
      folder: baseDir,
      trusted: await prepared.project.requireTrust(await effectiveFiles(definition, prepared.project)),
      judges,
      without,
      embedder,
      redactor,
      loading: options.loading,
      environment,
    });
    const metricsOf: TestContext["metricsOf"] = (configs) => planner.plan(configs);
    const cases = planCases(definition, prepared.cases, metricsOf, (turn) => options.metricsOf?.(turn) ?? []);
    const { builtinInputs } = await loadHost(settings.provider);
    const tools = toolsOf(agent, builtinInputs);
    const impossible = impossibleCalls(prepared.cases, tools);
    const leftOut =
      planner.leftOut === 0
        ? []
        : [`${counted(planner.leftOut, "metric")} of judges left out, because judges are off.`];
    return {
      agent,
      cases,
      metricsOf,
      close,
      baseDir,
      tools,
      redactor,
      stepBudget: agent.request.stepBudget,
      retrieving: retrievingTools(agent),
      artifact: artifacts.read,
      warnings: [...definition.warnings, ...agent.warnings, ...judges.warnings, ...warnings, ...impossible, ...leftOut],
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function judgesOfScript(rehearse: RunTestsOptions["rehearse"]): Promise<"pass" | "fail" | undefined> {
  const judges = rehearse === undefined ? "script" : await rehearsedJudges(rehearse);
  return judges === "script" ? undefined : judges;
}

/** Returns the options of the agent's runtime and of the judges' runtimes. */
function sharedOptions({ project, settings, plan, options }: ToOpen, { onEvent }: TestContextParts) {
  const {
    cases: _cases,
    parallel: _parallel,
    trials: _trials,
    resume: _resume,
    judges: _judges,
    onProgress: _onProgress,
    metricsOf: _metricsOf,
    contents: _contents,
    ...rest
  } = options;
  const { failFast: _failFast, allowSideEffects: _allowSideEffects, ...opening } = rest;
  const { maxConcurrency, warnings } = concurrencyOf(plan.parallel, settings);
  return {
    ...opening,
    project,
    eventLog: "project",
    limits: { ...opening.limits, maxConcurrency },
    warnings,
    onEvent(event: RunEvent) {
      onEvent(event);
      options.onEvent?.(event);
    },
  } satisfies OpenAgentOptions & { warnings: readonly string[] };
}

function toolsOf({ tools, request }: OpenAgent, inputs: Readonly<Record<string, readonly string[]>> = {}): KnownTools {
  const own = createToolbox(tools).declarations.map(({ name, inputSchema }) => [name, inputSchema] as const);
  return new Map([...own, ...(request.builtins ?? []).map((name) => [name, schemaWith(inputs[name])] as const)]);
}

/** Returns a schema with known names only. */
function schemaWith(names: readonly string[] | undefined): JsonSchema | null {
  if (names === undefined) return null;
  return { type: "object", properties: Object.fromEntries(names.map((name) => [name, {}])) };
}

/** Closes resources one after the other, even after an error. */
async function closeAll([first, ...rest]: readonly { close(): Promise<void> }[]): Promise<void> {
  try {
    await first?.close();
  } finally {
    if (rest.length > 0) await closeAll(rest);
  }
}
