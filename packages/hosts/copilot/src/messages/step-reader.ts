/** Converts the host's events to the steps of our events. The reader keeps state, but does no I/O. */
import { type BackendEvent, type Cost, omitUndefined, type Usage } from "@bridle/protocol";
import type { CopilotEvent, ModelUsage, ToolRequest } from "./session-events.ts";

/** A response that is complete. */
export interface CompleteStep {
  readonly calls: readonly ToolRequest[];
  readonly usage: Usage;
  readonly cost: Cost | undefined;
  readonly finishReason: string | undefined;
  /** The model's answer. */
  readonly text: string;
}

/**
 * Returns the cost of a response in US dollars, or undefined if it is unknown. `credits` is GitHub's count for the response, in the AI
 * credits of a Copilot plan.
 */
export type PriceResponse = (usage: Usage, model: string, credits: number | undefined) => Cost | undefined;

const nanosPerCredit = 1e9;

const notReported: ModelUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

export class CopilotStepReader {
  readonly #model: string;
  readonly #priceOf: PriceResponse;
  /** The name of a tool whose calls are not part of the stream. */
  readonly #hiddenTool: string | undefined;
  #isOpen = false;
  #usage = notReported;

  constructor(model: string, priceOf: PriceResponse, hiddenTool?: string) {
    this.#model = model;
    this.#priceOf = priceOf;
    this.#hiddenTool = hiddenTool;
  }

  /** Whether a response is arriving. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Returns the events for a part of a response. */
  read(event: CopilotEvent): BackendEvent[] {
    switch (event.type) {
      case "assistant.message_start":
        return this.#open();
      case "assistant.message_delta":
        return this.#delta("text.delta", event.data.deltaContent);
      case "assistant.reasoning_delta":
        return this.#delta("reasoning.delta", event.data.deltaContent);
      case "assistant.tool_call_delta":
        return this.#inputDelta(event.data);
      case "assistant.usage":
        this.#usage = event.data;
        return [];
      default:
        return [];
    }
  }

  /** Completes a response, and returns its last events and its end. */
  complete({ data }: Extract<CopilotEvent, { type: "assistant.message" }>): [BackendEvent[], CompleteStep] {
    const model = this.#usage.model ?? this.#model;
    const usage = toUsage(this.#usage);
    const nanos = this.#usage.copilotUsage?.totalNanoAiu;
    const cost = this.#priceOf(usage, model, nanos === undefined ? undefined : nanos / nanosPerCredit);
    const finishReason = this.#usage.finishReason ?? undefined;
    const events = this.#open();
    if (data.reasoningText) events.push({ type: "reasoning.completed", text: data.reasoningText });
    if (data.content !== "") events.push({ type: "text.completed", text: data.content });
    events.push(omitUndefined({ type: "step.finished" as const, usage, cost, finishReason }));
    this.#isOpen = false;
    this.#usage = notReported;
    return [events, { calls: data.toolRequests, usage, cost, finishReason, text: data.content }];
  }

  #open(): BackendEvent[] {
    if (this.#isOpen) return [];
    this.#isOpen = true;
    return [{ type: "step.started", model: this.#model }];
  }

  #delta(type: "text.delta" | "reasoning.delta", text: string): BackendEvent[] {
    return text === "" ? [] : [...this.#open(), { type, text }];
  }

  #inputDelta(delta: Extract<CopilotEvent, { type: "assistant.tool_call_delta" }>["data"]): BackendEvent[] {
    const { toolCallId: callId, toolName, inputDelta: text } = delta;
    if (!toolName || toolName === this.#hiddenTool) return this.#open();
    return [...this.#open(), { type: "input.delta", callId, tool: toolName, text }];
  }
}

/** Converts usage. The host's prompt tokens include those that were read from or written to a cache. */
function toUsage({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: ModelUsage): Usage {
  const uncached = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  return { inputTokens: uncached, outputTokens, cacheReadTokens, cacheWriteTokens };
}
