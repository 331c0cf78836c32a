import { z } from "zod";
import { isPlainObject } from "../text/json.ts";
import { type PromptPart, partSchema } from "./prompt.ts";

/** A call that the model made. `callId` is unique within a history, and of letters, digits, `_` and `-` only. */
const toolCallPartSchema = z.strictObject({
  type: z.literal("tool-call"),
  callId: z.string(),
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
});

/** What the model was told of a call. */
const toolResultPartSchema = z.strictObject({
  type: z.literal("tool-result"),
  callId: z.string(),
  output: z.string(),
  isError: z.boolean(),
});

export type ToolCallPart = z.infer<typeof toolCallPartSchema>;
export type ToolResultPart = z.infer<typeof toolResultPartSchema>;
export type HistoryPart = PromptPart | ToolCallPart | ToolResultPart;

export const historyMessageSchema = z.strictObject({
  role: z.enum(["user", "assistant"]),
  content: z
    .array(z.discriminatedUnion("type", [...partSchema.options, toolCallPartSchema, toolResultPartSchema]))
    .min(1)
    .readonly(),
});

/**
 * A message of a conversation that went before: of the assistant with its calls, of the user with their results.
 * Every call is followed by its result, in the next message.
 */
export interface HistoryMessage {
  role: "user" | "assistant";
  content: readonly HistoryPart[];
}

/** A call's input as hosts take it back: an object; what is none is kept inside of one. */
export function historyInput(input: unknown): Record<string, unknown> {
  return isPlainObject(input) ? input : { malformed: input };
}
