/** What a host says beside what its model says: that it asks again, that a window is used up, what it counted. */
import { z } from "zod";
import { costSchema, usageSchema } from "./usage.ts";

const limitWindow = { window: z.string(), resetsAt: z.number().optional() };

export const hostEvents = {
  /**
   * The host asks again. Between `step.started` and `step.finished` it voids all text and reasoning that was told of the
   * step, completed or not; the step stays the same, and what a host keeps of it is told again as completed.
   */
  "retry.scheduled": z.strictObject({
    attempt: z.int().positive(),
    maxAttempts: z.int().positive(),
    delayMs: z.number(),
    reason: z.string(),
    status: z.int().optional(),
  }),
  /** `utilization` from 0 to 1; `resetsAt` in milliseconds since the epoch. */
  "limit.warned": z.strictObject({ ...limitWindow, utilization: z.number().optional() }),
  "limit.reached": z.strictObject(limitWindow),
  /**
   * The run is held until the window opens again; told at once and then from time to time. `remainingMs` is the time
   * until it is expected to go on: until `resetsAt`, or until the host is asked again where nobody knows that time.
   */
  "limit.waiting": z.strictObject({
    ...limitWindow,
    remainingMs: z.number().nonnegative(),
    reason: z.literal("usage-limit"),
  }),
  /** The wait is over, and the run goes on. */
  "limit.cleared": z.strictObject({ window: z.string() }),
  /** A delta, never a running total. `contextWindow` is that of the model that answered, in tokens, where it is known. */
  "usage.reported": z.strictObject({
    usage: usageSchema,
    cost: costSchema.optional(),
    contextWindow: z.int().positive().optional(),
  }),
  notice: z.strictObject({ level: z.enum(["info", "warning"]), code: z.string(), message: z.string() }),
};
