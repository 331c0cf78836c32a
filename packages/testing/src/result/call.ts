import { z } from "zod";

/** A call of a tool, as it went. `input` is what ran: what a person put in its place, where one did; `null` of none. */
const callSchema = z.strictObject({
  kind: z.literal("call"),
  callId: z.string(),
  tool: z.string(),
  input: z.unknown().default(null),
  state: z.enum(["succeeded", "failed", "denied", "unfinished"]),
  /** What the model was told; `null` where it was told nothing. */
  output: z.string().nullable(),
  /** What the tool returned beside its text. */
  structured: z.unknown().optional(),
  /** What decided that it may run, or may not. */
  rule: z.string().nullable(),
  /** Number of the response that made the call, from 1 in each turn. */
  step: z.int().positive(),
  durationMs: z.number().nullable(),
});
export type Call = z.output<typeof callSchema>;

/** What was said and done in a turn, in order. */
export const entrySchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("user"), text: z.string(), attachments: z.array(z.string()) }),
  z.strictObject({ kind: z.literal("text"), text: z.string() }),
  z.strictObject({ kind: z.literal("reasoning"), text: z.string() }),
  callSchema,
]);
export type Entry = z.output<typeof entrySchema>;
