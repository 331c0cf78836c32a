/** All that the trials of an invocation use: the agent, its judges, the cases with their metrics. */
import { type AgentDefinition, type OpenAgent, type OpenAgentOptions, openAgent } from "@bridle/agent";
import { normaliseToolName, type RunEvent } from "@bridle/core";
import { planMetrics } from "../checks/plan-metrics.ts";
import { retrievingTools } from "../checks/retrieval-context.ts";
import { sideEffectsOptions } from "../checks/side-effects.ts";
import { createJudges, type Judges } from "../judges/create-judges.ts";
import { createJudgeExpenses } from "../judges/expenses.ts";
import { type PlannedCase, planCases } from "../plan/plan-cases.ts";
import type { Prepared } from "../plan/prepare.ts";
import { concurrencyOf } from "./concurrency.ts";
import type { TurnStage } from "./run-turn.ts";

export interface Stage extends Omit<TurnStage, "signal"> {
  readonly agent: OpenAgent;
  readonly cases: readonly PlannedCase[];
  /** What is otherwise than the files say, and what results have to be read with, in sentences. */
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

export interface StageParts {
  /** The id of the invocation, once it has one: nothing is judged before. */
  id(): string;
  /** Is told every event of every run, those of judges too. */
  onEvent(event: RunEvent): void;
}

/** Opens the agent with its tools. Judges are opened when they are asked. Throws ConfigError, and leaves nothing open then. */
export async function openStage(definition: AgentDefinition, prepared: Prepared, parts: StageParts): Promise<Stage> {
  const { settings, plan, options } = prepared;
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
  const close = () => closeAll(agent, judges);
  try {
    const { baseDir } = definition;
    const loading = options.loading === undefined ? {} : { loading: options.loading };
    const cases = planCases(definition, prepared.cases, (configs) =>
      planMetrics(configs, { baseDir, judges, ...loading }),
    );
    return {
      ...{ agent, cases, close, baseDir },
      stepBudget: agent.request.stepBudget,
      tools: toolsOf(agent),
      retrieving: retrievingTools(agent),
      warnings: [...definition.warnings, ...agent.warnings, ...judges.warnings, ...warnings],
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What the agent's runtime and those of judges have in common. */
function sharedOptions({ settings, plan, options }: Prepared, { onEvent }: StageParts) {
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
    record: "project",
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

async function closeAll(agent: OpenAgent, judges: Judges): Promise<void> {
  try {
    await judges.close();
  } finally {
    await agent.close();
  }
}
