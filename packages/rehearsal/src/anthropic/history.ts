/** The faults in a request that the real API refuses, in its own words, so that clients do not depend on leniency. */
import type { AnthropicMessage, MessagesRequest, RequestBlock } from "./request.ts";

/** The first fault, or `undefined`. */
export function findAnthropicFault(request: MessagesRequest): string | undefined {
  return faultInTools(request.tools) ?? faultInHistory(request.messages.filter(({ role }) => role !== "system"));
}

function faultInTools(tools: MessagesRequest["tools"]): string | undefined {
  const names = tools.map(({ name }) => name);
  const odd = names.findIndex((name) => !/^[a-zA-Z0-9_-]{1,128}$/.test(name));
  if (odd >= 0) return `tools.${odd}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
  return new Set(names).size < names.length ? "tools: Tool names must be unique." : undefined;
}

function faultInHistory(messages: readonly AnthropicMessage[]): string | undefined {
  if (messages[0]?.role === "assistant") return "messages: first message must use the user role";
  for (const [index, message] of messages.entries()) {
    const fault =
      missingResults(message, messages[index + 1], index) ?? strayResults(message, messages[index - 1], index);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function missingResults(
  message: AnthropicMessage,
  next: AnthropicMessage | undefined,
  index: number,
): string | undefined {
  const answered = resultIds(next);
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
  const stray = resultIds(message).find((id) => !asked.includes(id));
  if (stray === undefined) return undefined;
  return `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
}

function callIds({ role, content }: AnthropicMessage): string[] {
  return role === "assistant" ? content.filter(isCall).flatMap(({ id }) => id ?? []) : [];
}

function resultIds(message: AnthropicMessage | undefined): string[] {
  return (message?.content ?? [])
    .filter(({ type }) => type === "tool_result")
    .flatMap(({ tool_use_id: id }) => id ?? []);
}

function isCall({ type }: RequestBlock): boolean {
  return type === "tool_use";
}
