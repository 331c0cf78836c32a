/** Notices in the event log about results that were not stored or were changed before sending. */
import type { EventDraft } from "@bridle/protocol";
import { maxStoredChars } from "./cut-results.ts";

interface NamedCall {
  readonly callId: string;
  readonly tool: string;
}

export function structuredDataLost({ callId, tool }: NamedCall): EventDraft {
  const message = `The structured data of the call ${callId} of ${tool} has more than ${maxStoredChars.toLocaleString("en")} characters, and was not kept. The model received the text. Return less, or write a file and return its name.`;
  return { type: "notice", level: "warning", code: "structured-data-too-large", message };
}

export function imageNotSent({ callId, tool }: NamedCall, note: string): EventDraft {
  const message = `The model gets a note instead of an image that the call ${callId} of ${tool} returned: ${note}`;
  return { type: "notice", level: "warning", code: "image-not-sent", message };
}
