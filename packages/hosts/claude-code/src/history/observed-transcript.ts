import { type HistoryMessage, type HistoryPart, imagePartSchema } from "@bridle/protocol";
import { z } from "zod";
import type { ContentBlock, HostMessage } from "../messages/messages.ts";
import { ourToolName } from "../tools/tool-names.ts";

interface ObservedMessage extends HistoryMessage {
  content: HistoryPart[];
}

type Response = Extract<HostMessage, { type: "assistant" }>["message"];

/**
 * The part of a turn that the host keeps in its memory, built only from the host's own messages. If the transcript equals the history in
 * our events, the process can continue the session. If a message may have left anything else in the host's memory, the transcript is
 * unknown.
 */
export class ObservedTranscript {
  readonly #messages: ObservedMessage[] = [];
  #isKnown = true;
  #responseId: string | undefined;
  /** Whether a response has begun but has no block yet. If a response stays empty, the host adds a note to its memory. */
  #hasBegunResponse = false;

  /** The messages after the input. Undefined if they are unknown or the model has not answered yet. */
  get messages(): readonly HistoryMessage[] | undefined {
    return this.#isKnown && !this.#hasBegunResponse && isAnswer(this.#messages.at(-1)) ? this.#messages : undefined;
  }

  observe(message: HostMessage): void {
    this.#isKnown = this.#isKnown && this.#add(message);
  }

  /** Adds a message. This and the following methods return false if the host's own history may contain something that they did not add. */
  #add(message: HostMessage): boolean {
    switch (message.type) {
      case "stream_event":
        if (!isOfMainAgent(message) || message.abandoned_blocks) return false;
        return message.event.type !== "message_start" || this.#beginResponse();
      case "assistant":
        return isOfMainAgent(message) && message.error === undefined && this.#addResponse(message.message);
      case "user":
        if (!isOfMainAgent(message) || !Array.isArray(message.message.content)) return false;
        return this.#addResults(message.message.content);
      default:
        return true;
    }
  }

  /** Begins a response. If a response directly follows another one, the host has added its own instruction to continue. */
  #beginResponse(): boolean {
    if (this.#hasBegunResponse || this.#messages.at(-1)?.role === "assistant") return false;
    this.#hasBegunResponse = true;
    return true;
  }

  /** Adds a part of a response, which arrives in several messages with the same id. */
  #addResponse({ id, content }: Response): boolean {
    this.#hasBegunResponse = false;
    const isContinued = this.#messages.at(-1)?.role === "assistant";
    if ((id === this.#responseId) !== isContinued) return false;
    if (!isContinued) this.#messages.push({ role: "assistant", content: [] });
    this.#responseId = id;
    return content.every((block) => this.#addBlock(block));
  }

  #addBlock(block: ContentBlock): boolean {
    if (block.type === "thinking" || block.type === "redacted_thinking") return true; // our histories contain no thinking
    const part = toPart(block);
    if (part) this.#messages.at(-1)?.content.push(part);
    return part !== undefined;
  }

  #addResults(blocks: readonly ContentBlock[]): boolean {
    const results = blocks.map(toResult);
    if (this.#messages.at(-1)?.role === "assistant") this.#messages.push({ role: "user", content: [] });
    return results.every((result) => {
      const last = this.#messages.at(-1);
      if (result && last?.role === "user") last.content.push(result);
      return result !== undefined && last !== undefined;
    });
  }
}

/** Whether the message belongs to the main agent. False for messages of subagents. */
function isOfMainAgent({ parent_tool_use_id }: { parent_tool_use_id?: string | null | undefined }): boolean {
  return !parent_tool_use_id;
}

function isAnswer(last: HistoryMessage | undefined): boolean {
  return last?.role === "assistant" && last.content.length > 0 && last.content.every(({ type }) => type === "text");
}

const inputSchema = z.record(z.string(), z.unknown());

function toPart(block: ContentBlock): HistoryPart | undefined {
  if (block.type === "text") return { type: "text", text: block.text };
  if (block.type !== "tool_use") return undefined;
  const input = inputSchema.safeParse(block.input);
  return input.success
    ? { type: "tool-call", callId: block.id, tool: ourToolName(block.name), input: input.data }
    : undefined;
}

const textBlock = z.looseObject({ type: z.literal("text"), text: z.string() });
const imageBlock = z
  .looseObject({ type: z.literal("image"), source: z.looseObject({ media_type: z.string(), data: z.string() }) })
  .transform(({ source: { media_type: mediaType, data } }) => ({ type: "image", mediaType, data }))
  .pipe(imagePartSchema);

/** A result's content: a string, or a text block followed by images. */
const resultContent = z.union([
  z.string().transform((output) => ({ output })),
  z.tuple([textBlock]).transform(([{ text }]) => ({ output: text })),
  z.tuple([textBlock], imageBlock).transform(([{ text }, ...images]) => ({ output: text, images })),
  z.tuple([imageBlock], imageBlock).transform((images) => ({ output: "", images })),
]);

function toResult(block: ContentBlock): HistoryPart | undefined {
  if (block.type !== "tool_result") return undefined;
  const content = resultContent.safeParse(block.content);
  if (!content.success) return undefined;
  return { type: "tool-result", callId: block.tool_use_id, ...content.data, isError: block.is_error ?? false };
}
