/** Events of the host itself: retries, limits, usage and notices. */
import { z } from "zod";
import { costSchema, usageSchema } from "../usage/usage.ts";

const limitWindow = { window: z.string(), resetsAt: z.number().optional() };

export const hostEvents = {
  /**
   * The host sends the request again. Between `step.started` and `step.finished`, discard all text and reasoning of the step so far,
   * completed or not. The step continues; text that the host keeps is emitted again as completed. `usage` and `cost`, if known, belong to
   * the response that broke off.
   */
  "retry.scheduled": z.strictObject({
    attempt: z.int().positive(),
    maxAttempts: z.int().positive(),
    delayMs: z.number(),
    reason: z.string(),
    status: z.int().optional(),
    usage: usageSchema.optional(),
    cost: costSchema.optional(),
  }),
  /** The host warned that a usage limit is near. `utilization` is from 0 to 1, `resetsAt` in milliseconds since the epoch. */
  "limit.warned": z.strictObject({ ...limitWindow, utilization: z.number().optional() }),
  "limit.reached": z.strictObject(limitWindow),
  /**
   * The run waits until the window opens again. Logged immediately and then regularly. `remainingMs` is the expected wait: until
   * `resetsAt`, or until the next attempt if `resetsAt` is not known.
   */
  "limit.waiting": z.strictObject({
    ...limitWindow,
    remainingMs: z.number().nonnegative(),
    reason: z.literal("usage-limit"),
  }),
  /** The wait is over, and the run continues. */
  "limit.cleared": z.strictObject({ window: z.string() }),
  /**
   * The tokens and the cost since the last report, never a running total. They replace the figures of the `step.finished` events since
   * then. `contextWindow` is the context window of the model that answered, in tokens.
   */
  "usage.reported": z.strictObject({
    usage: usageSchema,
    cost: costSchema.optional(),
    contextWindow: z.int().positive().optional(),
  }),
  /**
   * A message as the host sent it, in the host's form, which changes between its versions. Logged only if the run requested
   * `host-messages`. Messages with a piece of an answer are left out, because a credential in pieces could not be redacted.
   */
  "host.message": z.strictObject({ raw: z.unknown() }),
  notice: z.strictObject({ level: z.enum(["info", "warning"]), code: z.string(), message: z.string() }),
};
