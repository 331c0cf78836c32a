/**
 * What the host holds of a turn, put together from what it says itself and from nothing that we know besides. Where this
 * is the same as what our events tell of, a process may go on with it as it is; where anything was heard that may have
 * left more in the host's own memory, it is not known.
 */
import type { HistoryMessage, HistoryPart } from "@bridle/protocol";
import { z } from "zod";
import { ourToolName } from "../tools/tool-names.ts";
import type { ContentBlock, HostMessage } from "../turn/messages.ts";

export interface HeardHistory {
  take(message: HostMessage): void;
  /** What followed the message that was sent; undefined while the model has not answered, and where it is not known. */
  readonly messages: readonly HistoryMessage[] | undefined;
}

interface Heard extends HistoryMessage {
  content: HistoryPart[];
}

type Response = Extract<HostMessage, { type: "assistant" }>["message"];

export function createHeardHistory(): HeardHistory {
  const heard: Heard[] = [];
  let isKnown = true;
  let responseId: string | undefined;
  /** A response has begun of which no block was heard: an empty one leaves a note of the host's own behind. */
  let hasBegun = false;

  function follow(message: HostMessage): boolean {
    switch (message.type) {
      case "stream_event":
        return isOwn(message) && !message.abandoned_blocks && (message.event.type !== "message_start" || begin());
      case "assistant":
        return isOwn(message) && message.error === undefined && addResponse(message.message);
      case "user":
        return isOwn(message) && Array.isArray(message.message.content) && addResults(message.message.content);
      default:
        return true;
    }
  }

  /** Two responses in a row: the host made the model go on, with words of its own. */
  function begin(): boolean {
    if (hasBegun || heard.at(-1)?.role === "assistant") return false;
    hasBegun = true;
    return true;
  }

  /** One response comes in several messages with the same id. */
  function addResponse({ id, content }: Response): boolean {
    hasBegun = false;
    const last = heard.at(-1);
    if (id !== responseId && last?.role !== "assistant") heard.push({ role: "assistant", content: [] });
    else if (id !== responseId || last?.role !== "assistant") return false;
    responseId = id;
    return content.every((block) => addBlock(block));
  }

  function addBlock(block: ContentBlock): boolean {
    if (block.type === "thinking" || block.type === "redacted_thinking") return true; // is in no history of ours
    const part = toPart(block);
    if (part) heard.at(-1)?.content.push(part);
    return part !== undefined;
  }

  function addResults(blocks: readonly ContentBlock[]): boolean {
    const results = blocks.map(toResult);
    if (heard.at(-1)?.role === "assistant") heard.push({ role: "user", content: [] });
    return results.every((result) => {
      if (result && heard.at(-1)?.role === "user") heard.at(-1)?.content.push(result);
      return result !== undefined && heard.length > 0;
    });
  }

  return {
    take(message) {
      isKnown = isKnown && follow(message);
    },
    get messages() {
      return isKnown && !hasBegun && isAnswer(heard.at(-1)) ? heard : undefined;
    },
  };
}

/** Whether it is of the conversation itself, and not of an agent of the host's own. */
function isOwn({ parent_tool_use_id }: { parent_tool_use_id?: string | null | undefined }): boolean {
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

const resultContent = z.union([
  z.string(),
  z.tuple([z.looseObject({ type: z.literal("text"), text: z.string() })]).transform(([{ text }]) => text),
]);

function toResult(block: ContentBlock): HistoryPart | undefined {
  if (block.type !== "tool_result") return undefined;
  const output = resultContent.safeParse(block.content);
  if (!output.success) return undefined;
  return { type: "tool-result", callId: block.tool_use_id, output: output.data, isError: block.is_error ?? false };
}
