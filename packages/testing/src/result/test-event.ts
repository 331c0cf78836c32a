/**
 * The events of an invocation, as a closed union. The invocation's file has one event per line. Summaries, history and reports are computed
 * from the events.
 */
import { z } from "zod";
import { headlineSchema } from "./headline.ts";
import { testPlanSchema } from "./test-plan.ts";
import { trialResultSchema } from "./trial-result.ts";

const time = z.number(); // milliseconds since the epoch

/** Why an invocation stopped before all trials had run. */
export const stopSchema = z.strictObject({
  reason: z.enum(["interrupted", "fail-fast", "usage-limit", "authentication", "backend"]),
  message: z.string(),
  /** The stable code of the error, if there is one. */
  code: z.string().nullable(),
});
export type Stop = z.output<typeof stopSchema>;

export const testEventSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("begun"), version: z.literal(1), time, id: z.string(), plan: testPlanSchema }),
  /**
   * A resumption, with a `plan` if contents changed: it replaces the plan, and earlier trials of the cases in `again` are no longer used.
   */
  z.strictObject({
    type: z.literal("resumed"),
    time,
    plan: testPlanSchema.exactOptional(),
    again: z.array(z.string()).exactOptional(),
  }),
  /** A finished trial. Of several events for the same case and trial, the last is used. */
  z.strictObject({ type: z.literal("trial"), time, result: trialResultSchema }),
  /** `stop` is `null` if all trials have run. The headline summarizes all earlier events. */
  z.strictObject({ type: z.literal("ended"), time, stop: stopSchema.nullable(), headline: headlineSchema }),
]);
export type TestEvent = z.output<typeof testEventSchema>;
