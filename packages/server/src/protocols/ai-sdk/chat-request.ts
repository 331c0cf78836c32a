/** The parts of a `useChat` request that Bridle reads. */
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
  /** Inputs that replace the model's inputs, by the id of the approval. The AI SDK has no field for edited inputs. */
  edits: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});
export type UiChatRequest = z.infer<typeof chatRequestSchema>;

const textPart = z.looseObject({ type: z.literal("text"), text: z.string() });
const filePart = z.looseObject({ type: z.literal("file"), url: z.string(), filename: z.string().optional() });
const answeredPart = z.looseObject({
  state: z.literal("approval-responded"),
  approval: z.looseObject({ id: z.string(), approved: z.boolean(), reason: z.string().optional() }),
});

/** Reads the newest user message. Earlier messages come from the event log. @throws RequestProblem if it does not exist. */
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

/** Reads the answers in the newest message, if it is an assistant message; `undefined` if it is a user message. */
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
