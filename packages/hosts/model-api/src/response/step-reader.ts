/**
 * Reads one streamed response: converts stream parts to events, and returns the response when the stream is complete. The reader does no
 * I/O itself.
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
import { type BackendEvent, omitUndefined } from "@bridle/protocol";
import { messageStart, readFirstUsage, readRawUsage } from "./usage.ts";

type AnswerPart = Extract<Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number], { type: string }>;

/** A call as the model wrote it. `text` should be JSON, but may be anything. */
export interface WrittenCall {
  callId: string;
  /** The host's id of the call, if the call has another id here. */
  streamId?: string | undefined;
  tool: string;
  text: string;
  providerOptions?: SharedV4ProviderOptions | undefined;
}

export interface StepResponse {
  /** Text and reasoning in the form in which the host expects them back, without the calls. */
  content: readonly AnswerPart[];
  calls: readonly WrittenCall[];
  text: string;
  model: string | undefined;
  usage: LanguageModelV4Usage;
  finishReason: LanguageModelV4FinishReason;
  providerMetadata: SharedV4ProviderMetadata | undefined;
}

type BlockKind = "text" | "reasoning";

interface Block {
  kind: BlockKind;
  text: string;
  metadata: SharedV4ProviderMetadata;
}

export interface StepReaderOptions {
  /** Whether to hold text back, because it may be a structured output. */
  holdText: boolean;
  /** Whether to emit the inputs of calls while the model writes them. */
  streamsInput?: boolean | undefined;
  /** Whether an earlier response of the same step has emitted events. */
  hasEmitted: boolean;
}

export class StepReader {
  readonly #holdText: boolean;
  readonly #streamsInput: boolean;
  /** The tools of calls whose input is unfinished, by call id. */
  readonly #inputs = new Map<string, string>();
  readonly #blocks = new Map<string, Block>();
  readonly #content: AnswerPart[] = [];
  readonly #calls: WrittenCall[] = [];
  #model: string | undefined;
  #warnings: readonly SharedV4Warning[] = [];
  #hasBegun = false;
  #firstUsage: LanguageModelV4Usage | undefined;
  #hasEmitted: boolean;
  #response: StepResponse | undefined;

  constructor({ holdText, hasEmitted, streamsInput = false }: StepReaderOptions) {
    this.#streamsInput = streamsInput;
    this.#holdText = holdText;
    this.#hasEmitted = hasEmitted;
  }

  /** Whether a part of an answer has arrived, emitted or not. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** The tokens that the host reported when the answer began. Anthropic's protocol reports them then; others only at the end. */
  get firstUsage(): LanguageModelV4Usage | undefined {
    return this.#firstUsage;
  }

  get model(): string | undefined {
    return this.#model;
  }

  /** Whether this response, or an earlier one of the same step, has emitted events, so that the step has started. */
  get hasEmitted(): boolean {
    return this.#hasEmitted;
  }

  get warnings(): readonly SharedV4Warning[] {
    return this.#warnings;
  }

  /** The response; `undefined` until the host reports that it is complete. */
  get response(): StepResponse | undefined {
    return this.#response;
  }

  /** Returns the events for one part. Throws the error of an `error` part. */
  read(part: LanguageModelV4StreamPart): BackendEvent[] {
    this.#hasBegun ||= !["stream-start", "raw", "error", "finish"].includes(part.type);
    switch (part.type) {
      case "stream-start":
        this.#warnings = part.warnings;
        return [];
      case "response-metadata":
        this.#model = part.modelId ?? this.#model;
        return [];
      case "text-start":
      case "reasoning-start":
        return this.#startBlock(kindOf(part.type), part.id, part.providerMetadata);
      case "text-delta":
      case "reasoning-delta":
        return this.#extendBlock(kindOf(part.type), part.id, part.delta, part.providerMetadata);
      case "text-end":
      case "reasoning-end":
        return this.#completeBlock(kindOf(part.type), part.id, part.providerMetadata);
      case "tool-input-start":
        this.#inputs.set(part.id, part.toolName);
        return [];
      case "tool-input-delta":
        return this.#extendInput(part.id, part.delta);
      case "tool-call":
        return this.#addCall(part);
      case "raw":
        this.#firstUsage ??= readRawUsage(part.rawValue);
        return [];
      case "custom":
        this.#firstUsage ??= readFirstUsage(part);
        if (part.kind !== messageStart)
          this.#content.push({ type: "custom", kind: part.kind, ...asOptions(part.providerMetadata) });
        return [];
      case "finish":
        return this.#finish(part);
      case "error":
        throw part.error;
      default:
        return [];
    }
  }

  #startBlock(kind: BlockKind, id: string, metadata: SharedV4ProviderMetadata = {}): BackendEvent[] {
    this.#blocks.set(`${kind} ${id}`, { kind, text: "", metadata });
    return [];
  }

  #extendBlock(kind: BlockKind, id: string, text: string, metadata?: SharedV4ProviderMetadata): BackendEvent[] {
    const block = this.#blocks.get(`${kind} ${id}`);
    if (!block) return [];
    block.text += text;
    block.metadata = merge(block.metadata, metadata);
    return this.#isHeld(kind, text) ? [] : this.#emit({ type: `${kind}.delta`, text, block: id });
  }

  #completeBlock(kind: BlockKind, id: string, metadata?: SharedV4ProviderMetadata): BackendEvent[] {
    const block = this.#blocks.get(`${kind} ${id}`);
    if (!block) return [];
    this.#blocks.delete(`${kind} ${id}`);
    const { text } = block;
    const options = asOptions(merge(block.metadata, metadata));
    if (text !== "" || options.providerOptions) this.#content.push({ type: kind, text, ...options });
    return this.#isHeld(kind, text) ? [] : this.#emit({ type: `${kind}.completed`, text, block: id });
  }

  #extendInput(callId: string, text: string): BackendEvent[] {
    const tool = this.#inputs.get(callId);
    const isShown = this.#streamsInput && tool !== undefined && text !== "";
    return isShown ? this.#emit({ type: "input.delta", callId, tool, text }) : [];
  }

  #isHeld(kind: BlockKind, text: string): boolean {
    return text === "" || (kind === "text" && this.#holdText);
  }

  #addCall(part: Extract<LanguageModelV4StreamPart, { type: "tool-call" }>): BackendEvent[] {
    const { toolCallId: callId, toolName: tool, input: text, providerMetadata } = part;
    this.#calls.push({ callId, tool, text, ...asOptions(providerMetadata) });
    return [];
  }

  #finish(part: Extract<LanguageModelV4StreamPart, { type: "finish" }>): BackendEvent[] {
    const { usage = noTokens, finishReason, providerMetadata } = part;
    if (finishReason.unified === "interrupted") return []; // the stream ended before the answer was complete
    const events = [...this.#blocks].flatMap(([key, { kind }]) => {
      return this.#completeBlock(kind, key.slice(kind.length + 1));
    });
    const text = this.#content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
    const [content, calls, model] = [this.#content, this.#calls, this.#model];
    this.#response = { content, calls, text, model, usage, finishReason, providerMetadata };
    return [...events, ...this.#startStep()];
  }

  #emit(event: BackendEvent): BackendEvent[] {
    return [...this.#startStep(), event];
  }

  /** Returns `step.started`, once per step. */
  #startStep(): BackendEvent[] {
    if (this.#hasEmitted) return [];
    this.#hasEmitted = true;
    return [{ type: "step.started", model: this.#model }];
  }
}

/** The usage of a response without usage. The gateway's parts arrive unchecked, and may lack the usage that the types promise. */
const noTokens: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

function kindOf(type: `${BlockKind}-${string}`): BlockKind {
  return type.startsWith("text") ? "text" : "reasoning";
}

function merge(a: SharedV4ProviderMetadata, b: SharedV4ProviderMetadata = {}): SharedV4ProviderMetadata {
  const merged = { ...a };
  for (const [provider, fields] of Object.entries(b)) merged[provider] = { ...merged[provider], ...fields };
  return merged;
}

/** Returns the options that send the host's metadata about a block back with the block: signatures of reasoning, ids of items. */
function asOptions(metadata: SharedV4ProviderMetadata = {}): { providerOptions?: SharedV4ProviderOptions } {
  const isEmpty = Object.keys(metadata).length === 0;
  return omitUndefined({ providerOptions: isEmpty ? undefined : metadata });
}
