import type { AnthropicMessage, RequestBlock } from "../request.ts";

const idPattern = "^[a-zA-Z0-9_-]+$";
const namePattern = "^[a-zA-Z0-9_-]{1,200}$";

/** The role that may send a kind of block. */
const roles: Readonly<Record<string, string>> = { tool_use: "assistant", tool_result: "user" };

/** Finds a fault in one block, or in a message as a whole. */
export function faultInContent(messages: readonly AnthropicMessage[]): string | undefined {
  for (const [index, { role, content }] of messages.entries()) {
    const isLast = index === messages.length - 1;
    if (content.length === 0 && !(isLast && role === "assistant"))
      return `messages.${index}: all messages must have non-empty content except for the optional final assistant message`;
    for (const [at, block] of content.entries()) {
      const fault = faultInBlock(block, role, `messages.${index}.content.${at}`);
      if (fault !== undefined) return fault;
    }
  }
  return faultAtEnd(messages.at(-1));
}

function faultInBlock(block: RequestBlock, role: string, place: string): string | undefined {
  const { type, text, id, name, tool_use_id: callId } = block;
  if (type === "text" && text === "") return "messages: text content blocks must be non-empty";
  if (type === "text" && text?.trim() === "") return "messages: text content blocks must contain non-whitespace text";
  const allowed = Object.hasOwn(roles, type) ? roles[type] : undefined;
  if (allowed !== undefined && role !== allowed)
    return `${place}: \`${type}\` blocks can only be in \`${allowed}\` messages`;
  if (type === "tool_use")
    return misfit(id, idPattern, `${place}.tool_use.id`) ?? misfit(name, namePattern, `${place}.tool_use.name`);
  return type === "tool_result"
    ? misfit(callId, idPattern, `${place}.tool_result.tool_use_id`)
    : faultInImage(block, place);
}

function misfit(value: string | undefined, pattern: string, place: string): string | undefined {
  if (value === undefined) return `${place}: Field required`;
  return new RegExp(pattern).test(value) ? undefined : `${place}: String should match pattern '${pattern}'`;
}

const imageTypes = ["image/jpeg", "image/png", "image/gif", "image/webp"];

function faultInImage({ type, source }: RequestBlock, place: string): string | undefined {
  if (type !== "image" || source?.type !== "base64") return undefined;
  const { media_type: mediaType = "", data = "" } = source;
  if (!imageTypes.includes(mediaType))
    return `${place}.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`;
  if (data === "") return `${place}.image.source.base64: image cannot be empty`;
  return /^[A-Za-z0-9+/]+={0,2}$/.test(data) ? undefined : `${place}.image.source.base64.data: invalid base64 data`;
}

/** Finds a space at the end of an unfinished answer. The API refuses it, because the model would continue after the space. */
function faultAtEnd(last: AnthropicMessage | undefined): string | undefined {
  const text = last?.role === "assistant" ? last.content.at(-1)?.text : undefined;
  return text === undefined || text === text.trimEnd()
    ? undefined
    : "messages: final assistant content cannot end with trailing whitespace";
}
