/**
 * Finds the faults in a request that the real API refuses. Many servers use this protocol, so only faults that all of them refuse count.
 */
import { findUnpaired } from "../engine/unpaired.ts";
import { findToolFault } from "../openai/tool-names.ts";
import { toChatEntries } from "./conversation.ts";
import type { ChatRequest } from "./request.ts";

/** Returns the first fault, or `undefined`. */
export function findChatFault({ tools, messages }: ChatRequest): string | undefined {
  const names = tools.map((tool) => tool.function.name);
  return findToolFault(names, "function.name") ?? faultInHistory(messages);
}

function faultInHistory(messages: ChatRequest["messages"]): string | undefined {
  const unpaired = findUnpaired(messages.flatMap(toChatEntries));
  if (unpaired?.kind === "stray")
    return `Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'; there is no open call '${unpaired.id}'.`;
  if (unpaired?.kind === "missing")
    return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${unpaired.ids.join(", ")}`;
  return undefined;
}
