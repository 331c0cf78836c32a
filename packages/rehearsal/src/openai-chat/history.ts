/**
 * The faults in a request that the API itself refuses. Many servers speak this protocol, so only what all of them
 * refuse is a fault here.
 */
import { findToolFault } from "../openai/tool-names.ts";
import { callsOf } from "./conversation.ts";
import type { ChatMessage, ChatRequest } from "./request.ts";

/** The first fault, or `undefined`. */
export function findFault({ tools, messages }: ChatRequest): string | undefined {
  const names = tools.map((tool) => tool.function.name);
  return findToolFault(names, "function.name") ?? faultInHistory(messages);
}

function faultInHistory(messages: readonly ChatMessage[]): string | undefined {
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") {
      if (!open.includes(message.tool_call_id)) return strayResult(index, message.tool_call_id);
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    if (open.length > 0) return missingResults(open);
    open = callsOf(message).map(({ id }) => id);
  }
  return open.length > 0 ? missingResults(open) : undefined;
}

function strayResult(index: number, id: string): string {
  return `Invalid parameter: messages.${index} with role 'tool' must be a response to a preceding message with 'tool_calls'; there is no open call '${id}'.`;
}

function missingResults(ids: readonly string[]): string {
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(", ")}`;
}
