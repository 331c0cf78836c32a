/**
 * One streamed response: what is shown of it while it comes, and what it is when it is complete. No input or output
 * of its own; a host's parts go in, events come out.
 */
import type {
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
  SharedV4ProviderOptions,
  SharedV4Warning,
} from "@ai-sdk/provider";
import type { BackendEvent } from "@bridle/protocol";

type AnswerPart = Extract<Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number], { type: string }>;

/** A call as the model wrote it: `text` is meant to be JSON. */
export interface WrittenCall {
  callId: string;
  tool: string;
  text: string;
  providerOptions?: SharedV4ProviderOptions;
}

export interface StepResponse {
  /** Text and reasoning as the host wants them back, without the calls. */
  content: AnswerPart[];
  calls: WrittenCall[];
  text: string;
  model?: string;
  usage: LanguageModelV4Usage;
  finishReason: LanguageModelV4FinishReason;
  providerMetadata?: SharedV4ProviderMetadata | undefined;
}

export interface StepReader {
  /** The events of one part. Throws the error that a part is. */
  take(part: LanguageModelV4StreamPart): BackendEvent[];
  /** True once a part of an answer came, whether it was shown or not. */
  readonly begun: boolean;
  /** True once something was shown of this response, or of one before it that broke off: the step has begun. */
  readonly shown: boolean;
  readonly warnings: readonly SharedV4Warning[];
  /** The response, once the host has said that it is complete. */
  readonly response: StepResponse | undefined;
}

interface Block {
  kind: "text" | "reasoning";
  text: string;
  metadata: SharedV4ProviderMetadata;
}

export interface StepReaderOptions {
  /** Text is not shown: it may be an object, which is no text. */
  holdText: boolean;
  /** Whether something of an earlier response was shown in the same step. */
  shown: boolean;
}

export function createStepReader({ holdText, shown: hasBegun }: StepReaderOptions): StepReader {
  const blocks = new Map<string, Block>();
  const content: AnswerPart[] = [];
  const calls: WrittenCall[] = [];
  let model: string | undefined;
  let warnings: readonly SharedV4Warning[] = [];
  let begun = false;
  let shown = hasBegun;
  let response: StepResponse | undefined;

  function show(...events: BackendEvent[]): BackendEvent[] {
    if (shown || events.length === 0) return events;
    shown = true;
    return [{ type: "step.started", model }, ...events];
  }

  function begin(kind: Block["kind"], id: string, metadata: SharedV4ProviderMetadata = {}): BackendEvent[] {
    blocks.set(`${kind} ${id}`, { kind, text: "", metadata });
    return [];
  }

  function grow(kind: Block["kind"], id: string, text: string, metadata?: SharedV4ProviderMetadata): BackendEvent[] {
    const block = blocks.get(`${kind} ${id}`);
    if (!block) return [];
    block.text += text;
    block.metadata = merge(block.metadata, metadata);
    const silent = text === "" || (kind === "text" && holdText);
    return silent ? [] : show({ type: `${kind}.delta`, text });
  }

  function complete(kind: Block["kind"], id: string, metadata?: SharedV4ProviderMetadata): BackendEvent[] {
    const block = blocks.get(`${kind} ${id}`);
    if (!block) return [];
    blocks.delete(`${kind} ${id}`);
    const { text } = block;
    const options = optionsOf(merge(block.metadata, metadata));
    if (text !== "" || options !== undefined) content.push({ type: kind, text, ...providerOptions(options) });
    const silent = text === "" || (kind === "text" && holdText);
    return silent ? [] : show({ type: `${kind}.completed`, text });
  }

  function finish(part: Extract<LanguageModelV4StreamPart, { type: "finish" }>): BackendEvent[] {
    const { usage = noTokens, finishReason, providerMetadata } = part;
    if (finishReason.unified === "interrupted") return []; // the stream ended, the answer did not
    const open = [...blocks].flatMap(([key, { kind }]) => complete(kind, key.slice(kind.length + 1)));
    const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
    response = {
      content,
      calls,
      text,
      usage,
      finishReason,
      providerMetadata,
      ...(model === undefined ? {} : { model }),
    };
    const begun: BackendEvent[] = shown ? [] : [{ type: "step.started", model }];
    shown = true;
    return [...open, ...begun];
  }

  function take(part: LanguageModelV4StreamPart): BackendEvent[] {
    begun ||= !["stream-start", "error", "finish"].includes(part.type);
    switch (part.type) {
      case "stream-start":
        warnings = part.warnings;
        return [];
      case "response-metadata":
        model = part.modelId ?? model;
        return [];
      case "text-start":
      case "reasoning-start":
        return begin(kindOf(part.type), part.id, part.providerMetadata);
      case "text-delta":
      case "reasoning-delta":
        return grow(kindOf(part.type), part.id, part.delta, part.providerMetadata);
      case "text-end":
      case "reasoning-end":
        return complete(kindOf(part.type), part.id, part.providerMetadata);
      case "tool-call": {
        const { toolCallId: callId, toolName: tool, input: text, providerMetadata } = part;
        calls.push({ callId, tool, text, ...providerOptions(optionsOf(providerMetadata ?? {})) });
        return [];
      }
      case "custom":
        content.push({ type: "custom", kind: part.kind, ...providerOptions(part.providerMetadata) });
        return [];
      case "finish":
        return finish(part);
      case "error":
        throw part.error;
      default:
        return [];
    }
  }

  return {
    take,
    get begun() {
      return begun;
    },
    get shown() {
      return shown;
    },
    get warnings() {
      return warnings;
    },
    get response() {
      return response;
    },
  };
}

/** The gateway's parts are handed on as they came: one may lack what the types promise. */
const noTokens: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

function kindOf(type: `${Block["kind"]}-${string}`): Block["kind"] {
  return type.startsWith("text") ? "text" : "reasoning";
}

function merge(a: SharedV4ProviderMetadata, b: SharedV4ProviderMetadata = {}): SharedV4ProviderMetadata {
  const merged = { ...a };
  for (const [provider, fields] of Object.entries(b)) merged[provider] = { ...merged[provider], ...fields };
  return merged;
}

/** What the host said of a block goes back with it: signatures of reasoning, ids of items. */
function optionsOf(metadata: SharedV4ProviderMetadata): SharedV4ProviderOptions | undefined {
  return Object.keys(metadata).length === 0 ? undefined : metadata;
}

function providerOptions(options: SharedV4ProviderOptions | undefined): { providerOptions?: SharedV4ProviderOptions } {
  return options === undefined ? {} : { providerOptions: options };
}
