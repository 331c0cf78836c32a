/**
 * The events of an invocation, as a closed union. Its file on disk has one event on each line; summaries, history and reports are
 * folded from them.
 */
import { z } from "zod";
import { headlineSchema } from "./headline.ts";
import { testPlanSchema } from "./test-plan.ts";
import { trialResultSchema } from "./trial-result.ts";

const time = z.number(); // in milliseconds since the epoch

/** Why an invocation stopped before everything had run. */
export const stopSchema = z.strictObject({
  reason: z.enum(["interrupted", "fail-fast", "usage-limit", "authentication", "backend"]),
  message: z.string(),
  /** The stable code of the error, if there is one. */
  code: z.string().nullable(),
});
export type Stop = z.output<typeof stopSchema>;

export const testEventSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("begun"), version: z.literal(1), time, id: z.string(), plan: testPlanSchema }),
  /** With a `plan` if contents changed: it replaces the plan, and earlier trials of the cases in `again` no longer count. */
  z.strictObject({
    type: z.literal("resumed"),
    time,
    plan: testPlanSchema.exactOptional(),
    again: z.array(z.string()).exactOptional(),
  }),
  /** The last event of a case and trial counts. */
  z.strictObject({ type: z.literal("trial"), time, result: trialResultSchema }),
  /** `stop` is `null` if everything has run. The headline summarises all events before. */
  z.strictObject({ type: z.literal("ended"), time, stop: stopSchema.nullable(), headline: headlineSchema }),
]);
export type TestEvent = z.output<typeof testEventSchema>;
