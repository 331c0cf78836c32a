import { z } from "zod";
import { isPlainObject } from "../text/json.ts";
import { imagePartSchema, type PromptPart, partSchema } from "./prompt.ts";

/** A tool call by the model. `callId` is unique in a history and contains only letters, digits, `_` and `-`. */
const toolCallPartSchema = z.strictObject({
  type: z.literal("tool-call"),
  callId: z.string(),
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
});

/** The reply to a tool call, as the model got it. */
const toolResultPartSchema = z.strictObject({
  type: z.literal("tool-result"),
  callId: z.string(),
  output: z.string(),
  isError: z.boolean(),
  /** The images of the reply, which follow its text. */
  images: z.array(imagePartSchema).readonly().optional(),
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
 * A message of an earlier conversation. The assistant's messages contain its tool calls, and the user's messages contain
 * their results. Each call has its result in the next message.
 */
export interface HistoryMessage {
  role: "user" | "assistant";
  content: readonly HistoryPart[];
}

/**
 * Begins a message with the images of tool results, for a host that accepts no images in a result. The message is not a
 * prompt.
 */
export const resultImagesLabel = "The images of the tool results above, in their order:";

/** Returns a call's input as an object, because hosts accept only objects. Wraps any other value in `{ malformed }`. */
export function historyInput(input: unknown): Record<string, unknown> {
  return isPlainObject(input) ? input : { malformed: input };
}
