/** Finds the faults that the real API refuses, with its error messages, so that clients do not rely on a lenient server. */
import type { MessagesRequest } from "../request.ts";
import { faultInContent } from "./content.ts";
import { faultInHistory } from "./history.ts";
import { faultInSettings, faultInTools } from "./settings.ts";

/** Returns the first fault, or `undefined`. */
export function findAnthropicFault(request: MessagesRequest): string | undefined {
  const messages = request.messages.filter(({ role }) => role !== "system");
  return faultInTools(request) ?? faultInSettings(request) ?? faultInContent(messages) ?? faultInHistory(messages);
}
