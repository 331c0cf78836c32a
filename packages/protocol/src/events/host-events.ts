/** Events of the host itself: retries, limits, usage and notices. */
import { z } from "zod";
import { costSchema, usageSchema } from "../usage/usage.ts";

const limitWindow = { window: z.string(), resetsAt: z.number().optional() };

export const hostEvents = {
  /**
   * The host sends the request again. Between `step.started` and `step.finished` this voids all text and reasoning of
   * the step, completed or not. The step continues; text that the host retains is emitted again as completed. `usage`
   * and `cost` belong to the response that broke off, as far as they are known.
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
  /** `utilization` from 0 to 1; `resetsAt` in milliseconds since the epoch. */
  "limit.warned": z.strictObject({ ...limitWindow, utilization: z.number().optional() }),
  "limit.reached": z.strictObject(limitWindow),
  /**
   * The run waits until the window opens again. Logged at once and then regularly. `remainingMs` is the expected wait: until
   * `resetsAt`, or until the next attempt if that time is not known.
   */
  "limit.waiting": z.strictObject({
    ...limitWindow,
    remainingMs: z.number().nonnegative(),
    reason: z.literal("usage-limit"),
  }),
  /** The wait is over, and the run continues. */
  "limit.cleared": z.strictObject({ window: z.string() }),
  /**
   * A difference, never a running total: the tokens and the cost since the last report. It replaces those of the steps since
   * then. `contextWindow` is the window of the model that answered, in tokens.
   */
  "usage.reported": z.strictObject({
    usage: usageSchema,
    cost: costSchema.optional(),
    contextWindow: z.int().positive().optional(),
  }),
  /**
   * A message as the host sent it, in the host's form, which changes between its versions. Logged only if the run
   * requested `host-messages`. Messages with a piece of an answer are left out: a credential in pieces could not be
   * redacted.
   */
  "host.message": z.strictObject({ raw: z.unknown() }),
  notice: z.strictObject({ level: z.enum(["info", "warning"]), code: z.string(), message: z.string() }),
};
