/**
 * From the host's messages to events of the port. Pure but for its own memory: no input or output.
 *
 * One response arrives as stream events, and as several `assistant` messages with the same id, one for each content
 * block (observed on SDK 0.3.330). A step is a new id; where no stream events come, the first message begins it.
 */
import type { BackendEvent, ToolCall, Usage } from "@bridle/core";
import type { ContentBlock, HostMessage, WireUsage } from "./messages.ts";
import { ourToolName, structuredOutputName } from "./names.ts";

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
  onStream(event: StreamEvent): BackendEvent[];
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

interface OpenStep {
  id: string;
  streaming: boolean;
  usage: Usage;
}

const synthetic = "<synthetic>";

export function createStepTracker(): StepTracker {
  const calls = new Map<string, ToolCall>();
  let step: OpenStep | undefined;
  let closedId: string | undefined;
  let wasCut = false;
  let lastObject: StepTracker["lastObject"];

  function open(id: string, model: string, usage: Usage, streaming: boolean): BackendEvent[] {
    const before = closeStep();
    step = { id, streaming, usage };
    wasCut = false;
    return [...before, { type: "step.started", model }];
  }

  function closeStep(): BackendEvent[] {
    if (!step) return [];
    const { usage, id } = step;
    closedId = id;
    step = undefined;
    return [{ type: "step.finished", usage }];
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
    calls.set(id, { callId: id, tool: ourToolName(name), input });
  }

  return {
    closeStep,
    get isStreaming() {
      return step?.streaming ?? false;
    },
    get wasCut() {
      return wasCut;
    },
    get lastObject() {
      return lastObject;
    },
    onStream(event) {
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
          return closeStep();
        default:
          return [];
      }
    },
    onAssistant({ message }) {
      if (message.model === synthetic) return [];
      const blocks = message.content.flatMap(onBlock);
      if (step?.id === message.id || closedId === message.id) return blocks;
      return [...open(message.id, message.model, toUsage(message.usage), false), ...blocks];
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
