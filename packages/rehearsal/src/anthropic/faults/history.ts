import type { AnthropicMessage } from "../request.ts";

/** Finds a fault in the order of messages, or in the pairs of calls and results. */
export function faultInHistory(messages: readonly AnthropicMessage[]): string | undefined {
  if (messages[0]?.role === "assistant") return "messages: first message must use the user role";
  const seen = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const fault =
      repeatedCall(message, seen, index) ??
      missingResults(message, messages[index + 1], index) ??
      strayResults(message, messages[index - 1], index);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function repeatedCall(message: AnthropicMessage, seen: Set<string>, index: number): string | undefined {
  for (const id of callIds(message)) {
    if (seen.has(id)) return `messages.${index}: \`tool_use\` ids must be unique`;
    seen.add(id);
  }
  return undefined;
}

function missingResults(
  message: AnthropicMessage,
  next: AnthropicMessage | undefined,
  index: number,
): string | undefined {
  const answered = firstResultIds(next);
  const open = callIds(message).filter((id) => !answered.includes(id));
  if (open.length === 0) return undefined;
  return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
}

function strayResults(
  message: AnthropicMessage,
  previous: AnthropicMessage | undefined,
  index: number,
): string | undefined {
  const asked = previous === undefined ? [] : callIds(previous);
  const stray = message.content.flatMap(toResultId).find((id) => !asked.includes(id));
  if (stray === undefined) return undefined;
  return `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
}

function callIds({ role, content }: AnthropicMessage): string[] {
  return role === "assistant" ? content.filter(({ type }) => type === "tool_use").flatMap(({ id }) => id ?? []) : [];
}

/** Returns the ids of the results at the beginning of a message. Results must come before everything else. */
function firstResultIds(message: AnthropicMessage | undefined): string[] {
  const content = message?.content ?? [];
  const end = content.findIndex(({ type }) => type !== "tool_result");
  return content.slice(0, end < 0 ? undefined : end).flatMap(toResultId);
}

function toResultId({ type, tool_use_id: id }: AnthropicMessage["content"][number]): string[] {
  return type === "tool_result" && id !== undefined ? [id] : [];
}
