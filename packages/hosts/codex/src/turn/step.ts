import { costOfUsage, type PriceTable, parseObject } from "@bridle/host-shared";
import {
  addCost,
  addUsage,
  type BackendEvent,
  type Cost,
  noUsage,
  omitUndefined,
  type ToolCall,
  type Usage,
} from "@bridle/protocol";
import { applyPatch } from "../boundary/opened-tools.ts";
import type { HostTokens, RawItem } from "../messages/messages.ts";

export interface StepOptions {
  model: string;
  prices: PriceTable;
  /** Whether a subscription pays, so that costs are estimates. */
  isEstimate: boolean;
  /** Whether the answer is an object. If so, its text is held back until the response is complete. */
  isObject: boolean;
}

/** The model's call, and the call's kind. The host itself refuses calls of the kind `other`, such as one whose input is not JSON. */
export interface StepCall extends ToolCall {
  kind: "function" | "patch" | "other";
}

/** Follows the responses of a turn, and turns their items into events. */
export class CodexSteps {
  /** The number of complete responses. */
  count = 0;
  usage: Usage = noUsage;
  cost: Cost | undefined;
  /** The size of the model's window in tokens, once the host has reported it. */
  contextWindow: number | undefined;
  /** The object of the newest response, if one was requested. */
  object: unknown;
  readonly #options: StepOptions;
  #hasStarted = false;
  #texts: string[] = [];
  #calls: StepCall[] = [];

  constructor(options: StepOptions) {
    this.#options = options;
  }

  /** Whether the model has sent anything of its next response. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  delta(type: "text.delta" | "reasoning.delta", text: string): BackendEvent[] {
    const begun = this.#begin();
    if (text === "" || (type === "text.delta" && this.#options.isObject)) return begun;
    return [...begun, { type, text }];
  }

  /** Returns the events for an item that the model has completed. */
  item(item: RawItem): BackendEvent[] {
    const begun = this.#begin();
    if (item.type === "reasoning") {
      const text = joined(item.summary) || joined(item.content);
      return text === "" ? begun : [...begun, { type: "reasoning.completed", text }];
    }
    if (item.type !== "message") {
      const call = toCall(item);
      if (call) this.#calls.push(call);
      return begun;
    }
    const text = joined(item.content);
    if (text !== "") this.#texts.push(text);
    return this.#options.isObject || text === "" ? begun : [...begun, { type: "text.completed", text }];
  }

  /** Finishes a response. Returns its calls, in the model's order. */
  finish(tokens: HostTokens | null | undefined): { events: BackendEvent[]; calls: readonly StepCall[] } {
    const begun = this.#begin();
    const calls = this.#calls;
    const usage = tokens ? toUsage(tokens) : noUsage;
    const cost = tokens ? this.#costOf(usage) : undefined;
    const held = this.#options.isObject ? this.#readObject() : [];
    this.usage = addUsage(this.usage, usage);
    this.cost = this.count === 0 ? cost : addCost(this.cost, cost);
    this.count += 1;
    this.reset();
    this.#hasStarted = false;
    return { events: [...begun, ...held, omitUndefined({ type: "step.finished" as const, usage, cost })], calls };
  }

  /** Returns the event with the usage of all responses. */
  usageReport(): BackendEvent[] {
    const { count, usage, cost, contextWindow } = this;
    return count === 0 ? [] : [omitUndefined({ type: "usage.reported" as const, usage, cost, contextWindow })];
  }

  /** Discards a response that broke off, because it is requested again. */
  reset(): void {
    this.#texts = [];
    this.#calls = [];
  }

  #begin(): BackendEvent[] {
    if (this.#hasStarted) return [];
    this.#hasStarted = true;
    return [{ type: "step.started", model: this.#options.model }];
  }

  /** Reads the object. If the text is not an object, returns it as the answer's text. */
  #readObject(): BackendEvent[] {
    this.object = this.#calls.length > 0 ? undefined : parseObject(this.#texts.join(""));
    if (this.object !== undefined) return [];
    return this.#texts.flatMap((text): BackendEvent[] => [
      { type: "text.delta", text },
      { type: "text.completed", text },
    ]);
  }

  #costOf(usage: Usage): Cost | undefined {
    const { model, prices, isEstimate } = this.#options;
    return costOfUsage(usage, [model], prices, isEstimate);
  }
}

/** Converts usage. OpenAI counts cached tokens as a part of the input. */
function toUsage({ inputTokens, cachedInputTokens, cacheWriteInputTokens, outputTokens }: HostTokens): Usage {
  return {
    inputTokens: Math.max(0, inputTokens - cachedInputTokens - cacheWriteInputTokens),
    outputTokens,
    cacheReadTokens: cachedInputTokens,
    cacheWriteTokens: cacheWriteInputTokens,
  };
}

function joined(parts: RawItem["content"]): string {
  return (parts ?? []).map(({ text }) => text ?? "").join("");
}

/** Returns the call in an item; undefined if the item contains no call. */
function toCall({ type, name, namespace, call_id, id, arguments: given, input }: RawItem): StepCall | undefined {
  if (!type.endsWith("_call")) return undefined;
  const callId = call_id ?? id ?? "";
  const tool = name ?? type.replace(/_call$/, "");
  const written = given ?? input;
  const isPatch = type === "custom_tool_call" && tool === applyPatch && ["", "functions"].includes(namespace ?? "");
  if (isPatch) return { callId, tool, input: { patch: written }, kind: "patch" };
  if (type !== "function_call" || typeof written !== "string") return { callId, tool, input: written, kind: "other" };
  try {
    return { callId, tool, input: JSON.parse(written), kind: "function" };
  } catch {
    return { callId, tool, input: written, kind: "other" };
  }
}
