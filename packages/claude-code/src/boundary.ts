import { type Query, query, type SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { type HostParts, hostOptions } from "./boundary-options.ts";

/** Starts Claude Code within the boundary. Nothing else in the sources calls the SDK's entry points. */
export function startHost(prompt: AsyncIterable<SDKUserMessage>, parts: HostParts): Query {
  return query({ prompt, options: hostOptions(parts) });
}
