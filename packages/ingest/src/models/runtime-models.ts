import { type AgentRuntime, type BridleError, isBridleError, StoppedError } from "@bridle/protocol";
import type { CallUse, IngestModels, IngestRole, LoopCall, LoopEnd, ObjectCall, TokenPrice } from "./ingest-models.ts";

export interface RuntimeModelsOptions {
  /** The names of models by role, as in `llm.models`. Missing roles use `default`. */
  readonly models: Readonly<Record<string, string>>;
  /** Returns the price of a model. Default: unknown, so that a budget is based on the cost of earlier calls. */
  readonly priceOf?: ((model: string) => TokenPrice | undefined) | undefined;
}

/**
 * Calls models through a runtime. Every call is a run with the labels `operation`, `stage` and `unit`.
 *
 * @example
 * const runtime = await createRuntime();
 * const models = createRuntimeModels(runtime, { models: { default: "claude-sonnet-5-5" } });
 */
export function createRuntimeModels(runtime: AgentRuntime, options: RuntimeModelsOptions): IngestModels {
  return new RuntimeModels(runtime, options);
}

class RuntimeModels implements IngestModels {
  readonly #runtime: AgentRuntime;
  readonly #options: RuntimeModelsOptions;

  constructor(runtime: AgentRuntime, options: RuntimeModelsOptions) {
    this.#runtime = runtime;
    this.#options = options;
  }

  modelOf(role: IngestRole): string {
    const { models } = this.#options;
    return models[role] ?? models.default ?? "";
  }

  priceOf(role: IngestRole): TokenPrice | undefined {
    return this.#options.priceOf?.(this.modelOf(role));
  }

  async object<T>({
    role,
    system,
    prompt,
    schema,
    signal,
    ...call
  }: ObjectCall<T>): Promise<{ readonly object: T } & CallUse> {
    const labels = labelsOf(call);
    const { object, usage, cost } = await this.#runtime.generateObject<T>({
      role,
      system,
      prompt,
      schema,
      signal,
      labels,
    });
    return { object, usage, costUsd: cost?.partial ? undefined : cost?.usd };
  }

  async loop({
    role,
    system,
    prompt,
    tools,
    stepBudget,
    maxCostUsd,
    onStep,
    signal,
    ...call
  }: LoopCall): Promise<LoopEnd> {
    const run = this.#runtime.runAgentLoop({
      role,
      system,
      prompt,
      tools,
      stepBudget,
      maxCostUsd,
      signal,
      labels: labelsOf(call),
      onStep: ({ index, budget }) => onStep?.({ index, budget }),
    });
    const { stopReason, steps, usage, cost, error } = await run.result;
    return { stopReason, steps, usage, costUsd: cost?.partial ? undefined : cost?.usd, error: asBridleError(error) };
  }
}

function labelsOf({ stage, unit }: Pick<LoopCall, "stage" | "unit">): Record<string, string> {
  return { operation: "ingest", stage, ...(unit === undefined ? {} : { unit: unit.slice(0, 200) }) };
}

function asBridleError(error: unknown): BridleError | undefined {
  if (error === undefined || isBridleError(error)) return error;
  return new StoppedError("The run ended without an answer.");
}
