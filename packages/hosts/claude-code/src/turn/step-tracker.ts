/**
 * From the host's messages to events of the port. Pure but for its own memory: no input or output.
 *
 * One response arrives as stream events, and as several `assistant` messages with the same id, one for each content
 * block (observed on SDK 0.3.330). A step is a new id; where no stream events come, the first message begins it.
 *
 * A response that breaks off is closed by the host, with the index of the first block that is lost (observed on
 * Claude Code 2.1.330). Where none was complete it says `api_retry` and asks the same again. Else it says nothing, keeps
 * the complete ones, and has the model go on from there, at most three times. Where a call was complete it is made. Only
 * then is the step over; else the next response belongs to it.
 */
import { addUsage, type BackendEvent, noUsage, type ToolCall, type Usage } from "@bridle/protocol";
import { ourToolName, structuredOutputName } from "../tools/tool-names.ts";
import type { ContentBlock, HostMessage, WireUsage } from "./messages.ts";

type Assistant = Extract<HostMessage, { type: "assistant" }>;
type StreamEvent = Extract<HostMessage, { type: "stream_event" }>["event"];
type ToolResult = Extract<ContentBlock, { type: "tool_result" }>;

/** A tool result that the host wrote itself: a refusal, or the outcome of one of its own tools. */
export interface HostToolResult {
  call: ToolCall;
  isError: boolean;
  output: string;
}

export interface StepTracker {
  /** `lostFrom` is the index of the first block that is lost, where the response broke off. */
  onStream(event: StreamEvent, lostFrom?: number): BackendEvent[];
  /** The host asks again. What it keeps of the open step is told anew, since a retry voids all of it. */
  onRetry(retry: Retry): BackendEvent[];
  onAssistant(message: Assistant): BackendEvent[];
  /** Results of calls that the model made; ours are among them. */
  onToolResults(results: readonly ToolResult[]): HostToolResult[];
  /** The end of the step that is open, if one is: before its tools run, or when the turn is over. */
  closeStep(): BackendEvent[];
  readonly isStreaming: boolean;
  /** True when the newest response ended at the limit of its tokens. */
  readonly wasCut: boolean;
  /** The newest attempt at structured output, and what the host said of it when it was refused. */
  readonly lastObject: { input: unknown; problem?: string } | undefined;
}

type Retry = Extract<BackendEvent, { type: "retry.scheduled" }>;

interface OpenStep {
  id: string;
  streaming: boolean;
  usage: Usage;
  /** Of the responses before, which broke off. */
  usageBefore: Usage;
  /** Complete blocks of the responses before. */
  kept: BackendEvent[];
  /** Complete blocks of this response, each as it was told. */
  blocks: BackendEvent[][];
  hasCalls: boolean;
  /** Told since this response broke off. */
  retried: boolean;
  /** How often the model was made to go on. */
  resumed: number;
}

/** How often the host has the model go on after a response that broke off. */
const maxResumes = 3;

const synthetic = "<synthetic>";

export function createStepTracker(): StepTracker {
  const calls = new Map<string, ToolCall>();
  let step: OpenStep | undefined;
  let closedId: string | undefined;
  let wasCut = false;
  let lastObject: StepTracker["lastObject"];

  function open(id: string, model: string, usage: Usage, streaming: boolean): BackendEvent[] {
    wasCut = false;
    if (isUnfinished(step)) return goOn(step, id, usage);
    const before = closeStep();
    step = {
      ...{ id, streaming, usage, usageBefore: noUsage },
      ...{ kept: [], blocks: [], hasCalls: false, retried: false, resumed: 0 },
    };
    return [...before, { type: "step.started", model }];
  }

  /** The same step in another response. */
  function goOn(open: OpenStep, id: string, usage: Usage): BackendEvent[] {
    const { resumed } = open;
    const told = open.retried ? [] : onRetry(resumption(resumed + 1));
    const usageBefore = addUsage(open.usageBefore, open.usage);
    const kept = [...open.kept, ...open.blocks.flat()];
    const news = { id, usage, usageBefore, kept, blocks: [], retried: false };
    step = { ...open, ...news, resumed: resumed + (told.length > 0 ? 1 : 0) };
    return told;
  }

  function onRetry(retry: Retry): BackendEvent[] {
    if (!step) return [retry];
    if (!isUnfinished(step)) return [...closeStep(), retry];
    step.retried = true;
    return [retry, ...step.kept, ...step.blocks.flat()];
  }

  function breakOff(lostFrom: number): BackendEvent[] {
    if (!isUnfinished(step)) return closeStep();
    step.blocks = step.blocks.slice(0, lostFrom);
    return [];
  }

  function closeStep(): BackendEvent[] {
    if (!step) return [];
    const { usage, usageBefore, id } = step;
    closedId = id;
    step = undefined;
    return [{ type: "step.finished", usage: addUsage(usageBefore, usage) }];
  }

  function onBlock(block: ContentBlock): BackendEvent[] {
    if (block.type === "text" && block.text !== "") return [{ type: "text.completed", text: block.text }];
    if (block.type === "thinking" && block.thinking !== "")
      return [{ type: "reasoning.completed", text: block.thinking }];
    if (block.type === "tool_use") noteCall(block);
    return [];
  }

  function noteCall({ id, name, input }: Extract<ContentBlock, { type: "tool_use" }>): void {
    if (name === structuredOutputName) lastObject = { input };
    if (step) step.hasCalls = true;
    calls.set(id, { callId: id, tool: ourToolName(name), input });
  }

  return {
    closeStep,
    onRetry,
    get isStreaming() {
      return step?.streaming ?? false;
    },
    get wasCut() {
      return wasCut;
    },
    get lastObject() {
      return lastObject;
    },
    onStream(event, lostFrom) {
      switch (event.type) {
        case "message_start":
          return open(event.message.id, event.message.model, toUsage(event.message.usage), true);
        case "content_block_delta": {
          const { text, thinking } = event.delta;
          if (text) return [{ type: "text.delta", text }];
          return thinking ? [{ type: "reasoning.delta", text: thinking }] : [];
        }
        case "message_delta":
          wasCut ||= event.delta?.stop_reason === "max_tokens";
          if (step && event.usage) step.usage = { ...step.usage, ...finalUsage(event.usage) };
          return [];
        case "message_stop":
          return lostFrom === undefined ? closeStep() : breakOff(lostFrom);
        default:
          return [];
      }
    },
    onAssistant({ message }) {
      if (message.model === synthetic) return [];
      const { id, model, usage, content } = message;
      const begun = step?.id === id || closedId === id ? [] : open(id, model, toUsage(usage), false);
      const blocks = content.map(onBlock);
      step?.blocks.push(...blocks);
      return [...begun, ...blocks.flat()];
    },
    onToolResults: (results) =>
      results.flatMap(({ tool_use_id, content, is_error }) => {
        const call = calls.get(tool_use_id);
        if (!call) return [];
        const output = textOf(content);
        const isError = is_error ?? false;
        if (call.tool !== structuredOutputName) return [{ call, isError, output }];
        if (isError) lastObject = { input: call.input, problem: output };
        return [];
      }),
  };
}

/** A response that is still coming, or has broken off before it made a call. */
function isUnfinished(step: OpenStep | undefined): step is OpenStep {
  return step?.streaming === true && !step.hasCalls;
}

function resumption(attempt: number): Retry {
  const reason = "the answer broke off, and the model is asked to go on";
  return { type: "retry.scheduled", attempt, maxAttempts: maxResumes, delayMs: 0, reason };
}

function toUsage(usage: WireUsage | null | undefined): Usage {
  return {
    inputTokens: usage?.input_tokens ?? 0,
    outputTokens: usage?.output_tokens ?? 0,
    cacheReadTokens: usage?.cache_read_input_tokens ?? 0,
    cacheWriteTokens: usage?.cache_creation_input_tokens ?? 0,
  };
}

/** The last word on a response's usage; fields that it leaves out keep what the first word said. */
function finalUsage(usage: { [K in keyof WireUsage]?: WireUsage[K] | undefined }): Partial<Usage> {
  return {
    ...(usage.input_tokens ? { inputTokens: usage.input_tokens } : {}),
    ...(usage.output_tokens ? { outputTokens: usage.output_tokens } : {}),
    ...(usage.cache_read_input_tokens ? { cacheReadTokens: usage.cache_read_input_tokens } : {}),
    ...(usage.cache_creation_input_tokens ? { cacheWriteTokens: usage.cache_creation_input_tokens } : {}),
  };
}

/** The text of a tool result, whose content is a string or a list of blocks. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content.replaceAll(/<\/?tool_use_error>/g, "");
  if (!Array.isArray(content)) return content === undefined ? "" : JSON.stringify(content);
  return content.map((block: { text?: unknown }) => (typeof block.text === "string" ? block.text : "")).join("\n");
}
