/** Runs the application's port on a runtime of Bridle: on any host, with the same results and the same failures. */
import {
  AbortError,
  type AgentRuntime,
  type AnyTool,
  type BridleError,
  defineTool,
  isBridleError,
  type TextRequest,
  type TextResult,
  type Usage,
} from "bridle";
import type { CallMetrics, LlmRuntimePort, LoopParams, LoopResult, ObjectInput, TextInput, ToolSet } from "./port.ts";

export class BridleLlmRuntime implements LlmRuntimePort {
  readonly #runtime: AgentRuntime;

  constructor(runtime: AgentRuntime) {
    this.#runtime = runtime;
  }

  async generateText(input: TextInput): Promise<string> {
    const { text } = await withMetrics(input, this.#runtime.generateText(toRequest(input)));
    return text;
  }

  async generateObject<T>(input: ObjectInput<T>): Promise<T> {
    const { schema } = input;
    const { object } = await withMetrics(input, this.#runtime.generateObject<T>({ ...toRequest(input), schema }));
    return object;
  }

  async runAgentLoop(params: LoopParams): Promise<LoopResult> {
    const startedAt = performance.now();
    const stepBoundariesMs: number[] = [];
    try {
      const { stopReason, error, steps, usage } = await this.#runtime.runAgentLoop({
        role: params.modelRole,
        system: params.systemPrompt,
        prompt: params.userPrompt,
        tools: toTools(params.toolSet),
        stepBudget: params.stepBudget,
        labels: params.telemetryTags,
        signal: params.abortSignal,
        onStep: ({ index, budget }) => {
          stepBoundariesMs.push(performance.now() - startedAt);
          return params.onStepFinish?.({ stepIndex: index, stepBudget: budget });
        },
      }).result;
      if (error instanceof AbortError) throw error; // its name is AbortError, as everywhere in JavaScript
      const metrics = { ...toMetrics(usage, performance.now() - startedAt), stepCount: steps, stepBoundariesMs };
      return { stopReason: stopReason === "stopped" ? "error" : stopReason, metrics, ...(error && { error }) };
    } catch (error) {
      if (error instanceof AbortError || !isBridleError(error)) throw error;
      const metrics = { ...toMetrics(undefined, performance.now() - startedAt), stepCount: 0, stepBoundariesMs };
      return { stopReason: "error", error, metrics }; // the request itself is invalid, so nothing ran
    }
  }

  /** Bridle ends the processes of a host itself, even if this process is killed. */
  subprocessForkSpec(): null {
    return null;
  }
}

type Failed = Pick<BridleError, "usage" | "durationMs">;

/** Reports the usage of a call, even if it failed. */
async function withMetrics<R extends TextResult>({ onMetrics }: TextInput, call: Promise<R>): Promise<R> {
  try {
    const result = await call;
    onMetrics?.(toMetrics(result.usage, result.durationMs));
    return result;
  } catch (error) {
    const { usage, durationMs = 0 }: Failed = isBridleError(error) ? error : {};
    onMetrics?.(toMetrics(usage, durationMs));
    throw error;
  }
}

function toRequest({ role, prompt, system, tools = {}, temperature, abortSignal }: TextInput): TextRequest {
  return { role, prompt, system, temperature, signal: abortSignal, tools: toTools(tools) };
}

/** The key of a tool is its name. Bridle validates the input before it calls `execute`. */
function toTools(tools: ToolSet): AnyTool[] {
  return Object.entries(tools).map(([name, tool]) => {
    const { description, inputSchema: input } = tool;
    return defineTool({ name, description, input, execute: (given) => tool.execute(given) });
  });
}

function toMetrics(usage: Usage | undefined, totalMs: number): CallMetrics {
  if (!usage) return { totalMs, usage: {} };
  const inputTokens = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const { outputTokens } = usage;
  return { totalMs, usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens } };
}
