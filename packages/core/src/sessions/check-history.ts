/** Converts the caller's history to a form that every host accepts. */
import {
  createCallIds,
  type HistoryMessage,
  type HistoryPart,
  historyMessageSchema,
  InvalidRequestError,
} from "@bridle/protocol";
import { z } from "zod";
import { normaliseToolName } from "../tools/toolbox.ts";

/**
 * Returns the history in the form that hosts accept, with the same content. Call ids become short, plain and unique, and tools get the
 * names that the model sees. Blank strings are removed from messages with other parts, and results are moved to the beginning of their
 * message.
 *
 * Throws InvalidRequestError, with the position of the message, if the content would have to change.
 */
export function checkHistory(history: readonly HistoryMessage[]): readonly HistoryMessage[] {
  const parsed = z.array(historyMessageSchema).safeParse(history);
  if (!parsed.success) throw new InvalidRequestError(`The history is not valid: ${z.prettifyError(parsed.error)}`);
  const messages = parsed.data;
  if (messages[0]?.role === "assistant")
    throw wrong(0, "is the assistant's, but a conversation begins with the user. Add the user's message before it");
  for (const [index, message] of messages.entries()) {
    for (const part of message.content) requirePart(index, message.role, part);
    requirePairs(index, messages[index - 1], message);
  }
  const [open] = idsIn(messages.at(-1), "tool-call");
  if (open !== undefined)
    throw wrong(messages.length - 1, `has the call ${open} without a result. Add it in the next message`);
  return withPlainIds(messages.map(withoutBlanks));
}

function wrong(index: number, problem: string): InvalidRequestError {
  return new InvalidRequestError(`The history is not valid: messages[${index}] ${problem}.`);
}

function requirePart(index: number, role: HistoryMessage["role"], part: HistoryPart): void {
  const owner = part.type === "tool-call" ? "assistant" : part.type === "text" ? role : "user";
  if (role !== owner)
    throw wrong(index, `of the ${role} has a part of type ${part.type}, which only the ${owner} can have`);
  const text = part.type === "text" ? part.text : part.type === "tool-result" ? part.output : "";
  if (!text.isWellFormed()) throw wrong(index, "contains half of a surrogate pair, which cannot be sent. Remove it");
  if (part.type === "tool-call" && part.tool.trim() === "")
    throw wrong(index, "has a call without the name of its tool");
}

/** Checks that each call has one result in the next message, and each result its call in the previous message. */
function requirePairs(index: number, before: HistoryMessage | undefined, message: HistoryMessage): void {
  const calls = idsIn(before, "tool-call");
  const results = idsIn(message, "tool-result");
  const twice = findRepeated(idsIn(message, "tool-call")) ?? findRepeated(results);
  if (twice !== undefined) throw wrong(index, `has the id ${JSON.stringify(twice)} twice. Give each call its own`);
  const unanswered = calls.find((id) => !results.includes(id));
  if (unanswered !== undefined)
    throw wrong(
      index - 1,
      `has the call ${JSON.stringify(unanswered)}, but the next message has no result for it. Add the result`,
    );
  const uncalled = results.find((id) => !calls.includes(id));
  if (uncalled !== undefined)
    throw wrong(
      index,
      `has a result of ${JSON.stringify(uncalled)}, but the message before has no such call. Remove it, or add the call`,
    );
}

function findRepeated(ids: readonly string[]): string | undefined {
  return ids.find((id, index) => ids.indexOf(id) !== index);
}

function idsIn(message: HistoryMessage | undefined, type: "tool-call" | "tool-result"): string[] {
  return (message?.content ?? []).flatMap((part) => (part.type === type ? [part.callId] : []));
}

/** Removes blank strings and moves results to the beginning, because hosts refuse blank strings, and results after other parts. */
function withoutBlanks({ role, content }: HistoryMessage, index: number): HistoryMessage {
  const filled = content.filter((part) => part.type !== "text" || part.text.trim() !== "");
  if (filled.length === 0) throw wrong(index, "has no text. Add one, or remove the message");
  const isResult = ({ type }: HistoryPart) => type === "tool-result";
  return { role, content: [...filled.filter(isResult), ...filled.filter((part) => !isResult(part))] };
}

function withPlainIds(messages: readonly HistoryMessage[]): HistoryMessage[] {
  const newId = createCallIds(new Set());
  let ids = new Map<string, string>();
  return messages.map((message) => {
    if (message.role === "assistant") ids = new Map(idsIn(message, "tool-call").map((id) => [id, newId(id)]));
    return { ...message, content: message.content.map((part) => withPlainId(part, ids)) };
  });
}

function withPlainId(part: HistoryPart, ids: ReadonlyMap<string, string>): HistoryPart {
  if (part.type !== "tool-call" && part.type !== "tool-result") return part;
  const callId = ids.get(part.callId) ?? part.callId;
  return part.type === "tool-call" ? { ...part, callId, tool: normaliseToolName(part.tool) } : { ...part, callId };
}
