/** All that the trials of an invocation use: the agent, its judges, the cases with their metrics. */

import type { MetricConfig } from "@bridle/agent";
import { type AgentDefinition, type OpenAgent, type OpenAgentOptions, openAgent } from "@bridle/agent";
import { normaliseToolName } from "@bridle/core";
import type { RunEvent } from "@bridle/protocol";
import { unknownTools } from "../checks/check-calls.ts";
import { retrievingTools } from "../checks/retrieval-context.ts";
import { sideEffectsOptions } from "../checks/side-effects.ts";
import { createJudges } from "../judges/create-judges.ts";
import { createJudgeExpenses } from "../judges/expenses.ts";
import { MetricPlanner } from "../metrics/metric-planner.ts";
import type { PlannedMetric } from "../metrics/planned-metric.ts";
import { type PlannedCase, planCases } from "../plan/plan-cases.ts";
import type { Prepared } from "../plan/prepare.ts";
import { createArtifactReader } from "./artifact-reader.ts";
import { concurrencyOf } from "./concurrency.ts";
import type { TurnStage } from "./run-turn.ts";

export interface TestContext extends Omit<TurnStage, "signal"> {
  readonly agent: OpenAgent;
  readonly cases: readonly PlannedCase[];
  /** Further metrics, ready to be used. */
  metricsOf(configs: readonly MetricConfig[]): PlannedMetric[];
  /** What is otherwise than the files say, and what results have to be read with, in sentences. */
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

/** What is known before. */
interface ToOpen extends Pick<Prepared, "project" | "settings" | "cases" | "options" | "redactor"> {
  readonly plan: Pick<Prepared["plan"], "allowSideEffects" | "parallel">;
}

export interface StageParts {
  /** The id of the invocation, once it has one: nothing is judged before. */
  id(): string;
  /** Is told every event of every run, those of judges too. */
  onEvent(event: RunEvent): void;
}

/** Opens the agent with its tools. Judges are opened when they are asked. Throws ConfigError, and leaves nothing open then. */
export async function openStage(
  definition: AgentDefinition,
  prepared: ToOpen,
  parts: StageParts,
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
  const close = () => closeAll([judges, artifacts, agent]);
  try {
    const { baseDir } = definition;
    const planner = new MetricPlanner({ folder: baseDir, judges, redactor, loading: options.loading });
    const metricsOf: TestContext["metricsOf"] = (configs) => planner.plan(configs);
    const cases = planCases(definition, prepared.cases, metricsOf);
    const tools = toolsOf(agent);
    const unknown = unknownTools(prepared.cases, tools);
    return {
      ...{ agent, cases, metricsOf, close, baseDir, tools, redactor },
      stepBudget: agent.request.stepBudget,
      retrieving: retrievingTools(agent),
      artifact: artifacts.read,
      warnings: [...definition.warnings, ...agent.warnings, ...judges.warnings, ...warnings, ...unknown],
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What the agent's runtime and those of judges have in common. */
function sharedOptions({ project, settings, plan, options }: ToOpen, { onEvent }: StageParts) {
  const {
    cases: _cases,
    parallel: _parallel,
    trials: _trials,
    resume: _resume,
    onProgress: _onProgress,
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

function toolsOf({ tools, request }: OpenAgent): string[] {
  return [...tools.map(({ name }) => normaliseToolName(name)), ...(request.builtins ?? [])];
}

/** One after the other, whatever happens. */
async function closeAll([first, ...rest]: readonly { close(): Promise<void> }[]): Promise<void> {
  try {
    await first?.close();
  } finally {
    if (rest.length > 0) await closeAll(rest);
  }
}
