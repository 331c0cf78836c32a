/**
 * The schema of a rehearsal script, in a YAML file or in code, with the same field names. The README of this package explains each field.
 * `normalise.ts` converts these fields to the script that the engine plays.
 */
import { z } from "zod";
import { patternSchema } from "./pattern.ts";
import { checkCall, checkStep, checkTurn } from "./rules.ts";

const count = z.number().int().positive();
const amount = z.number().int().nonnegative();
const word = z.string().min(1);

const whenSchema = z.strictObject({
  /** A pattern for the newest user message. */
  user: patternSchema.optional(),
  /** A pattern for the system prompt. */
  system: patternSchema.optional(),
  /** The number of the newest user message; the first is 1. */
  message: count.optional(),
  /** The number of the answer to the newest user message; the first is 1. */
  step: count.optional(),
  /** A tool: the newest message must contain its results. */
  tool: word.optional(),
});

const callFields = {
  call: word,
  with: z.unknown().optional(),
  with_text: z.string().optional(),
  custom: z.boolean().optional(),
};
const callSchema = z.strictObject(callFields).superRefine(checkCall);

const usageSchema = z.strictObject({
  input: amount.optional(),
  output: amount.optional(),
  reasoning: amount.optional(),
  cache_read: amount.optional(),
  cache_write: amount.optional(),
});

const limitSchema = z.strictObject({
  resets_in_seconds: z.number(),
  window: word.default("five_hour"),
  status: z.enum(["allowed", "allowed_warning", "rejected"]).default("rejected"),
  /** The used share of the window, up to 1. */
  utilization: z.number().min(0).optional(),
});

const stepSchema = z
  .strictObject({
    // The answer of the model.
    think: z.string().optional(),
    say: z.string().optional(),
    ...callFields,
    call: word.optional(),
    calls: z.array(callSchema).min(1).optional(),
    object: z.unknown().optional(),
    oversized_bytes: count.optional(),
    dimensions: count.optional(),
    stop_reason: word.optional(),
    usage: usageSchema.optional(),
    // The delivery of the answer.
    delay_ms: amount.optional(),
    chunk_ms: amount.optional(),
    chunk_bytes: count.optional(),
    split_utf8: z.boolean().optional(),
    stall: z.boolean().optional(),
    cut: z.boolean().optional(),
    // A fault instead of an answer.
    status: z.number().int().min(400).max(599).optional(),
    error_type: word.optional(),
    message: z.string().optional(),
    html: z.boolean().optional(),
    reset: z.boolean().optional(),
    // With an answer or a fault.
    headers: z.record(z.string(), z.union([z.string(), z.number()]).transform(String)).optional(),
    limit: limitSchema.optional(),
    times: count.optional(),
    forever: z.boolean().optional(),
  })
  .superRefine(checkStep);

const turnSchema = z
  .strictObject({ when: whenSchema.optional(), steps: z.array(stepSchema).min(1) })
  .superRefine(checkTurn);

export const scriptSchema = z.strictObject({
  rehearsal: z.literal(1),
  turns: z.array(turnSchema).min(1),
  models: z.array(word).min(1).optional(),
  judges: z.enum(["pass", "fail", "script"]).optional(),
});

/** A script with the fields of the YAML file. */
export type ScriptInput = z.input<typeof scriptSchema>;
/** One step of a script, with the fields of the YAML file. */
export type StepInput = z.input<typeof stepSchema>;
export type ScriptFields = z.output<typeof scriptSchema>;
export type TurnFields = z.output<typeof turnSchema>;
export type StepFields = z.output<typeof stepSchema>;

const keys = {
  turns: Object.keys(turnSchema.shape),
  when: Object.keys(whenSchema.shape),
  steps: Object.keys(stepSchema.shape),
  calls: Object.keys(callSchema.shape),
  usage: Object.keys(usageSchema.shape),
  limit: Object.keys(limitSchema.shape),
};

/** Lists the keys that are allowed in the mapping at a path, such as `["turns", 0, "when"]`. */
export function scriptKeys(path: readonly PropertyKey[]): readonly string[] {
  const holder = path.findLast((part) => typeof part === "string");
  if (holder === undefined) return Object.keys(scriptSchema.shape);
  return Object.entries(keys).find(([name]) => name === holder)?.[1] ?? [];
}
