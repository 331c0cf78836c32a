import { type ErrorReport, omitUndefined } from "@bridle/protocol";
import { z } from "zod";
import type { StepInput } from "../script/schema.ts";
import type { RunEnd } from "./exchanges.ts";

/** Prevents retries in clients that know the header, because the recorded run had given up. */
const final = { headers: { "x-should-retry": "false" } };

const faults: Readonly<Record<string, StepInput>> = {
  rate_limit: { status: 429, ...final },
  overloaded: { status: 529, ...final },
  billing: { status: 402, ...final },
  authentication: { status: 401, ...final },
  model_not_found: { status: 404, ...final },
  context_overflow: { status: 400, error_type: "context_length_exceeded", ...final },
  invalid_request: { status: 400, ...final },
  network: { reset: true },
  timeout: { stall: true },
};

/** Returns the fault that causes a run's error in the client, or `undefined` if the error did not come from the host. */
export function toFinalStep({ result: { error }, at }: RunEnd): StepInput | undefined {
  if (error === undefined) return undefined;
  if (error.code === "usage_limit") return { limit: toLimit(error, at), ...final };
  return Object.hasOwn(faults, error.code) ? faults[error.code] : undefined;
}

/** The fields of a limit error. The time is a date, or a string if the error was stored and read again. */
const limitFields = z.looseObject({
  resetsAt: z.coerce.date().optional().catch(undefined),
  window: z.string().min(1).optional().catch(undefined),
});
const unknownResetSeconds = 3600;

function toLimit(error: ErrorReport, at: number) {
  const { resetsAt, window } = limitFields.parse({ ...error });
  const seconds =
    resetsAt === undefined ? unknownResetSeconds : Math.max(1, Math.round((resetsAt.getTime() - at) / 1000));
  return omitUndefined({ resets_in_seconds: seconds, window });
}
