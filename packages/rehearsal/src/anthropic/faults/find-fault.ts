/** The faults in a request that the real API refuses, in its own words, so that clients do not depend on leniency. */
import type { MessagesRequest } from "../request.ts";
import { faultInContent } from "./content.ts";
import { faultInHistory } from "./history.ts";
import { faultInSettings, faultInTools } from "./settings.ts";

/** The first fault, or `undefined`. */
export function findAnthropicFault(request: MessagesRequest): string | undefined {
  const messages = request.messages.filter(({ role }) => role !== "system");
  return faultInTools(request) ?? faultInSettings(request) ?? faultInContent(messages) ?? faultInHistory(messages);
}
