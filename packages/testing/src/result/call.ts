import { z } from "zod";

/** A tool call. `input` is the executed input, including edits by the user; `null` without input. */
const callSchema = z.strictObject({
  kind: z.literal("call"),
  callId: z.string(),
  tool: z.string(),
  input: z.unknown().default(null),
  state: z.enum(["succeeded", "failed", "denied", "unfinished"]),
  /** The text that the model received; `null` if it received none. */
  output: z.string().nullable(),
  /** The structured result of the tool. */
  structured: z.unknown().optional(),
  /** The rule that allowed or denied the call. */
  rule: z.string().nullable(),
  /** The number of the model response that contains the call, from 1 in each turn. */
  step: z.int().positive(),
  durationMs: z.number().nullable(),
});
export type Call = z.output<typeof callSchema>;

/** An entry of a transcript. */
export const entrySchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("user"), text: z.string(), attachments: z.array(z.string()) }),
  z.strictObject({ kind: z.literal("text"), text: z.string() }),
  z.strictObject({ kind: z.literal("reasoning"), text: z.string() }),
  callSchema,
]);
export type CallEntry = z.output<typeof entrySchema>;
