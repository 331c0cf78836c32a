/** The parts of an AG-UI request that Bridle reads. Other parts have no effect. */
import { isPlainObject, type Prompt, type PromptPart } from "@bridle/protocol";
import { z } from "zod";
import { RequestProblem } from "../../http/problem.ts";
import type { GivenAnswer } from "../shared/answer-questions.ts";
import { toDataPart } from "../shared/prompt-parts.ts";
import type { AgUiMessage } from "./ag-ui-events.ts";

const source = z.looseObject({ type: z.string(), value: z.string(), mimeType: z.string().optional() });
const part = z.union([
  z.looseObject({ type: z.literal("text"), text: z.string() }),
  z.looseObject({ type: z.enum(["image", "document", "audio", "video"]), source }),
]);
const content = z.union([z.string(), z.array(part)]);
type Content = z.infer<typeof content>;

const message = z.looseObject({ id: z.string(), role: z.string() });
const userMessage = z.looseObject({ id: z.string(), role: z.literal("user"), content });

const resumeEntry = z.looseObject({
  interruptId: z.string(),
  status: z.enum(["resolved", "cancelled"]),
  payload: z.unknown().optional(),
});

/** Accepts unknown fields, because newer clients may send more. */
export const runAgentInputSchema = z.looseObject({
  threadId: z.string(),
  runId: z.string().max(200),
  parentRunId: z.string().max(200).optional(),
  messages: z.array(message),
  tools: z.array(z.unknown()).optional(),
  resume: z.array(resumeEntry).optional(),
});
export type RunAgentInput = z.infer<typeof runAgentInputSchema>;

const payloadSchema = z.strictObject({
  approved: z.boolean(),
  message: z.string().optional(),
  editedArgs: z.record(z.string(), z.unknown()).optional(),
});

/** Reads the newest user message. @throws RequestProblem if it does not exist, or if a part cannot be sent to a model. */
export function readAgUiPrompt(messages: RunAgentInput["messages"]): Prompt {
  const newest = userMessage.safeParse(messages.findLast(({ role }) => role === "user"));
  if (!newest.success) throw new RequestProblem(422, "no-prompt", "The messages have no message of a user. Add one.");
  return [{ role: "user", content: toParts(newest.data.content) }];
}

function toParts(given: Content): PromptPart[] {
  if (typeof given === "string") return [{ type: "text", text: given }];
  return given.map((each) => {
    if ("text" in each) return { type: "text", text: String(each.text) };
    const { type, value, mimeType = "" } = source.parse(each.source);
    if (type === "data") return toDataPart(mimeType, value);
    throw new RequestProblem(422, "remote-file", "Files are not fetched from an address. Send the content as data.");
  });
}

/** Returns the client's messages, so that a snapshot can repeat them. They have no effect on the model. */
export function echoMessages(messages: RunAgentInput["messages"]): readonly AgUiMessage[] {
  return messages.filter(({ role }) => role !== "activity") as unknown as AgUiMessage[]; // only sent back unchanged
}

/** Reads the answers. @throws RequestProblem if an answer does not match the schema of its question. */
export function readAnswers(resume: readonly z.infer<typeof resumeEntry>[]): ReadonlyMap<string, GivenAnswer> {
  return new Map(resume.map((entry, index) => [entry.interruptId, readAnswer(entry, index)]));
}

/** Reads an answer. A cancelled question counts as denied, because the run must not wait for an answer that will never come. */
function readAnswer({ status, payload }: z.infer<typeof resumeEntry>, index: number): GivenAnswer {
  if (status === "cancelled") return { decision: "deny", message: "The question was cancelled." };
  const parsed = payloadSchema.safeParse(payload);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const pointer = ["", "resume", index, "payload", ...(issue?.path ?? [])].join("/");
    const text = `The answer ${index + 1} does not fit the schema of its question. ${pointer}: ${issue?.message}.`;
    throw new RequestProblem(422, "invalid-answer", text, { errors: [{ pointer, message: issue?.message }] });
  }
  const { approved, message: text, editedArgs } = parsed.data;
  const more = {
    ...(text !== undefined && { message: text }),
    ...(isPlainObject(editedArgs) && { input: editedArgs }),
  };
  if (approved) return { decision: "allow", ...more };
  return { decision: "deny", ...(text !== undefined && { message: text }) };
}
