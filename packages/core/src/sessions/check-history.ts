import { type HistoryMessage, type HistoryPart, historyMessageSchema, InvalidRequestError } from "@bridle/protocol";
import { z } from "zod";

/**
 * Throws InvalidRequestError for a history that hosts do not accept: malformed, with a call without a result in the next
 * message, with a result without its call, or with two calls of one id.
 */
export function checkHistory(history: readonly HistoryMessage[]): readonly HistoryMessage[] {
  const parsed = z.array(historyMessageSchema).safeParse(history);
  if (!parsed.success) throw new InvalidRequestError(`The history is not valid: ${z.prettifyError(parsed.error)}`);
  const seen = new Set<string>();
  for (const [index, message] of parsed.data.entries()) {
    const asked = idsOf(parsed.data[index - 1], "tool-call");
    const answered = idsOf(message, "tool-result");
    const missing = asked.find((id) => !answered.includes(id)) ?? answered.find((id) => !asked.includes(id));
    if (missing !== undefined) throw wrong(index, `the call ${missing} and its result do not stand side by side`);
    for (const id of idsOf(message, "tool-call")) {
      if (seen.has(id)) throw wrong(index, `the call ${id} has the id of an earlier one`);
      seen.add(id);
    }
  }
  const open = idsOf(parsed.data.at(-1), "tool-call")[0];
  if (open !== undefined) throw wrong(parsed.data.length - 1, `the call ${open} has no result`);
  return parsed.data;
}

function wrong(index: number, problem: string): InvalidRequestError {
  return new InvalidRequestError(`The history is not valid: in message ${index}, ${problem}.`);
}

function idsOf(message: HistoryMessage | undefined, type: "tool-call" | "tool-result"): string[] {
  if (message?.role !== (type === "tool-call" ? "assistant" : "user")) return [];
  return message.content.flatMap((part: HistoryPart) => (part.type === type ? [part.callId] : []));
}
