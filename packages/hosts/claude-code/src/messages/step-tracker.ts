/**
 * Converts the host's messages to the steps and tool results of our events. The tracker keeps state, but does no I/O.
 *
 * A response arrives as stream events, and as several `assistant` messages with the same id, one for each content block (observed on SDK
 * 0.3.330). A new id starts a step. Without stream events, the first message starts the step.
 *
 * If a response breaks off, the host closes it with the index of the first lost block (observed on Claude Code 2.1.330):
 * - If no block was complete, it sends `api_retry` and repeats the request.
 * - If a call was complete, it makes the call, and the step is over.
 * - If neither is true, it sends nothing, keeps the complete blocks, and lets the model continue from there, at most three times. The next
 *   response belongs to the same step.
 */
import { type BackendEvent, type Cost, omitUndefined, partialCost, type ToolCall } from "@bridle/protocol";
import { ourToolName, structuredOutputName } from "../tools/tool-names.ts";
import type { ContentBlock, HostMessage } from "./messages.ts";
import { noResponseUsage, type ResponseUsage, readUsage } from "./response-usage.ts";
import { StreamedInputs } from "./streamed-inputs.ts";

type Assistant = Extract<HostMessage, { type: "assistant" }>;
type StreamEvent = Extract<HostMessage, { type: "stream_event" }>["event"];
type ToolResult = Extract<ContentBlock, { type: "tool_result" }>;
type Retry = Extract<BackendEvent, { type: "retry.scheduled" }>;

/** A tool result that comes from the host: a refusal, or the result of one of the host's own tools. */
export interface HostToolResult {
  call: ToolCall;
  isError: boolean;
  output: string;
}

/** An attempt at structured output. `problem` is set if the host refused the attempt. */
export interface ObjectAttempt {
  input: unknown;
  problem?: string | undefined;
}

interface OpenStep {
  id: string;
  model: string;
  isStreaming: boolean;
  /** The usage of the newest response. Zero once a retry event has reported that usage. */
  spent: ResponseUsage;
  /** Why the newest response ended, if the host reports a reason. */
  finishReason: string | undefined;
  /** The complete blocks of the earlier responses. */
  keptBlocks: BackendEvent[];
  /** The complete blocks of this response, each with the events that were emitted for it. */
  blocks: BackendEvent[][];
  hasCalls: boolean;
  /** Whether a retry was emitted since this response broke off. */
  isRetried: boolean;
  /** How many times the host has let the model continue. */
  continuations: number;
}

/** How many times the host lets the model continue after a response that broke off. */
const maxContinuations = 3;

/** The model name of messages that the host wrote itself. */
const syntheticModel = "<synthetic>";

export class StepTracker {
  readonly #priceOf: (response: ResponseUsage, model: string) => Cost | undefined;
  readonly #calls = new Map<string, ToolCall>();
  readonly #inputs = new StreamedInputs();
  #step: OpenStep | undefined;
  #closedId: string | undefined;
  #wasCut = false;
  #lastObject: ObjectAttempt | undefined;

  /** Creates a tracker. `priceOf` returns the cost of a response, or undefined if the cost is unknown. */
  constructor(priceOf: (response: ResponseUsage, model: string) => Cost | undefined) {
    this.#priceOf = priceOf;
  }

  get isStreaming(): boolean {
    return this.#step?.isStreaming ?? false;
  }

  /** Whether the newest response ended at its token limit. */
  get wasCut(): boolean {
    return this.#wasCut;
  }

  /** The newest attempt at structured output. */
  get lastObject(): ObjectAttempt | undefined {
    return this.#lastObject;
  }

  /** Returns the events for a stream event. If the response broke off, `lostFrom` is the index of the first lost block. */
  onStream(event: StreamEvent, lostFrom?: number): BackendEvent[] {
    switch (event.type) {
      case "message_start":
        this.#inputs.startResponse();
        return this.#open(event.message, true);
      case "content_block_start":
        this.#inputs.start(event);
        return [];
      case "content_block_delta":
        return [...deltaEvents(event.delta), ...this.#inputs.eventsOf(event)];
      case "message_delta":
        this.#wasCut ||= event.delta?.stop_reason === "max_tokens";
        if (this.#step) {
          this.#step.spent = readUsage(event.usage, this.#step.spent);
          this.#step.finishReason = event.delta?.stop_reason ?? undefined;
        }
        return [];
      case "message_stop":
        return lostFrom === undefined ? this.closeStep() : this.#breakOff(lostFrom);
      default:
        return [];
    }
  }

  /**
   * Returns the events for a repeated request. Our retry event discards everything in the open step, so this emits the blocks that the host
   * keeps again.
   */
  onRetry(retry: Retry): BackendEvent[] {
    const step = this.#step;
    if (!step) return [retry];
    if (!isUnfinished(step)) return [...this.closeStep(), retry];
    const spent = step.isRetried ? {} : this.#breakOffCost(step);
    step.isRetried = true;
    step.spent = noResponseUsage;
    return [{ ...retry, ...spent }, ...step.keptBlocks, ...step.blocks.flat()];
  }

  onAssistant({ message }: Assistant): BackendEvent[] {
    if (message.model === syntheticModel) return [];
    const { id, content } = message;
    const isKnown = this.#step?.id === id || this.#closedId === id;
    const events = isKnown ? [] : this.#open(message, false);
    const blocks = content.map((block) => this.#onBlock(block));
    this.#step?.blocks.push(...blocks);
    return [...events, ...blocks.flat()];
  }

  /** Returns results that the host wrote, given the results of the model's calls, including calls of our tools. */
  onToolResults(results: readonly ToolResult[]): HostToolResult[] {
    return results.flatMap((result) => this.#onToolResult(result));
  }

  /** Ends the open step, if there is one: before its tools run, or when the turn is over. */
  closeStep(): BackendEvent[] {
    return this.#close((cost) => cost);
  }

  #close(toCost: (cost: Cost | undefined) => Cost | undefined): BackendEvent[] {
    if (!this.#step) return [];
    const { spent, model, id, finishReason } = this.#step;
    this.#closedId = id;
    this.#step = undefined;
    const cost = toCost(this.#priceOf(spent, model));
    return [omitUndefined({ type: "step.finished" as const, usage: spent.usage, cost, finishReason })];
  }

  /** Returns the tokens of a response that broke off, and the known part of its cost. */
  #breakOffCost({ spent, model }: OpenStep): Pick<Retry, "usage" | "cost"> {
    return omitUndefined({ usage: spent.usage, cost: partialCost(this.#priceOf(spent, model)) });
  }

  #open(
    { id, model, usage }: Pick<Assistant["message"], "id" | "model" | "usage">,
    isStreaming: boolean,
  ): BackendEvent[] {
    this.#wasCut = false;
    const spent = readUsage(usage);
    if (isUnfinished(this.#step)) return this.#continueStep(this.#step, { id, model, spent });
    const events = this.closeStep();
    this.#step = {
      id,
      model,
      isStreaming,
      spent,
      finishReason: undefined,
      keptBlocks: [],
      blocks: [],
      hasCalls: false,
      isRetried: false,
      continuations: 0,
    };
    return [...events, { type: "step.started", model }];
  }

  /** Continues the same step with another response. */
  #continueStep(step: OpenStep, next: Pick<OpenStep, "id" | "model" | "spent">): BackendEvent[] {
    const { continuations } = step;
    const events = step.isRetried ? [] : this.onRetry(continuationRetry(continuations + 1));
    this.#step = {
      ...step,
      ...next,
      keptBlocks: [...step.keptBlocks, ...step.blocks.flat()],
      blocks: [],
      isRetried: false,
      continuations: continuations + (events.length > 0 ? 1 : 0),
    };
    return events;
  }

  #breakOff(lostFrom: number): BackendEvent[] {
    if (!isUnfinished(this.#step)) return this.#close(partialCost);
    this.#step.blocks = this.#step.blocks.slice(0, lostFrom);
    return [];
  }

  #onBlock(block: ContentBlock): BackendEvent[] {
    if (block.type === "text" && block.text !== "") return [{ type: "text.completed", text: block.text }];
    if (block.type === "thinking" && block.thinking !== "") {
      return [{ type: "reasoning.completed", text: block.thinking }];
    }
    if (block.type === "tool_use") this.#noteCall(block);
    return [];
  }

  #noteCall({ id, name, input }: Extract<ContentBlock, { type: "tool_use" }>): void {
    if (name === structuredOutputName) this.#lastObject = { input };
    if (this.#step) this.#step.hasCalls = true;
    this.#calls.set(id, { callId: id, tool: ourToolName(name), input });
  }

  #onToolResult({ tool_use_id, content, is_error }: ToolResult): HostToolResult[] {
    const call = this.#calls.get(tool_use_id);
    if (!call) return [];
    const output = resultText(content);
    const isError = is_error ?? false;
    if (call.tool !== structuredOutputName) return [{ call, isError, output }];
    if (isError) this.#lastObject = { input: call.input, problem: output };
    return [];
  }
}

/** Whether the next response belongs to the step: the step is streamed, and no call was complete. */
function isUnfinished(step: OpenStep | undefined): step is OpenStep {
  return step?.isStreaming === true && !step.hasCalls;
}

function continuationRetry(attempt: number): Retry {
  const reason = "the answer broke off, and the model is asked to continue";
  return { type: "retry.scheduled", attempt, maxAttempts: maxContinuations, delayMs: 0, reason };
}

function deltaEvents({ text, thinking }: { text?: string | undefined; thinking?: string | undefined }): BackendEvent[] {
  if (text) return [{ type: "text.delta", text }];
  return thinking ? [{ type: "reasoning.delta", text: thinking }] : [];
}

/** Returns the text of a tool result, whose content is a string or a list of blocks. */
export function resultText(content: unknown): string {
  if (typeof content === "string") return content.replaceAll(/<\/?tool_use_error>/g, "");
  if (!Array.isArray(content)) return content === undefined ? "" : JSON.stringify(content);
  return content.map((block: { text?: unknown }) => (typeof block.text === "string" ? block.text : "")).join("\n");
}
