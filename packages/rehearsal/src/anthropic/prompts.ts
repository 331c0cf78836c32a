import { ownWords } from "./host-notes.ts";
import type { AnthropicMessage, MessagesRequest, RequestBlock } from "./request.ts";

/**
 * Returns the user's own texts in a message, oldest first. Hosts also send tool results as user messages, and add texts of their own. After
 * an interrupted turn, one message contains results and the next prompt.
 */
export function findPrompts({ metadata }: MessagesRequest, { content }: AnthropicMessage): string[] {
  const isClaudeCode = metadata?.user_id?.includes("session_id") ?? false;
  const blocks = content.filter(isOfPerson);
  return (isClaudeCode ? divide(blocks) : [blocks])
    .filter((part) => part.length > 0)
    .map((part) => part.flatMap(({ text }) => ownWords(text ?? "") || []).join("\n"));
}

function isOfPerson({ type, text }: RequestBlock): boolean {
  return type === "text" ? ownWords(text ?? "") !== "" : type !== "tool_result";
}

/**
 * Divides blocks into prompts. After a failed turn, Claude Code 2.1.330 adds the next prompt to the same message, and a line break at the
 * end of the earlier text.
 */
function divide(blocks: readonly RequestBlock[]): RequestBlock[][] {
  const ends = blocks.flatMap(({ text }, index) => (text?.endsWith("\n") ? [index + 1] : []));
  const starts = [0, ...ends];
  return starts.map((start, order) => blocks.slice(start, starts[order + 1]));
}
