/** What `useChat` sends, as far as Bridle reads it. */
import type { Prompt, PromptPart } from "@bridle/protocol";
import { z } from "zod";
import { RequestProblem } from "../../http/problem.ts";
import type { GivenAnswer } from "../shared/answer-questions.ts";
import { toPartOfUrl } from "../shared/prompt-parts.ts";

const part = z.looseObject({ type: z.string() });
const message = z.looseObject({ id: z.string().optional(), role: z.string(), parts: z.array(part) });

/** Accepts unknown fields, because transports may add some. */
export const chatRequestSchema = z.looseObject({
  id: z.string(),
  messages: z.array(message).min(1),
  trigger: z.enum(["submit-message", "regenerate-message"]).optional(),
  /** Inputs that a person entered instead of the model's, by the id of the approval: the AI SDK has no field for them. */
  edits: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});
export type UiChatRequest = z.infer<typeof chatRequestSchema>;

const textPart = z.looseObject({ type: z.literal("text"), text: z.string() });
const filePart = z.looseObject({ type: z.literal("file"), url: z.string(), filename: z.string().optional() });
const answeredPart = z.looseObject({
  state: z.literal("approval-responded"),
  approval: z.looseObject({ id: z.string(), approved: z.boolean(), reason: z.string().optional() }),
});

/** The newest user message: of the others, the event log has its own. @throws RequestProblem if there is none. */
export function readChatPrompt({ messages }: UiChatRequest): Prompt {
  const newest = messages.findLast(({ role }) => role === "user");
  const content = (newest?.parts ?? []).flatMap(toPromptPart);
  if (content.length > 0) return [{ role: "user", content }];
  throw new RequestProblem(422, "no-prompt", "The messages have no message of a user with a text or a file. Add one.");
}

function toPromptPart(given: z.infer<typeof part>): PromptPart[] {
  const text = textPart.safeParse(given);
  if (text.success) return [{ type: "text", text: text.data.text }];
  const file = filePart.safeParse(given);
  return file.success ? [toPartOfUrl(file.data.url, file.data.filename)] : [];
}

/** The answers in an assistant's message, which is then the newest. Undefined if a user's message is. */
export function readChatAnswers({ messages, edits = {} }: UiChatRequest): ReadonlyMap<string, GivenAnswer> | undefined {
  const newest = messages.at(-1);
  if (newest?.role !== "assistant") return undefined;
  const answers = new Map<string, GivenAnswer>();
  for (const each of newest.parts) {
    const answered = answeredPart.safeParse(each);
    if (!answered.success) continue;
    const { id, approved, reason } = answered.data.approval;
    const text = reason === undefined ? {} : { message: reason };
    const input = Object.hasOwn(edits, id) ? { input: edits[id] } : {};
    answers.set(id, approved ? { decision: "allow", ...text, ...input } : { decision: "deny", ...text });
  }
  return answers;
}
