import type { ErrorReport } from "@bridle/protocol";
import { z } from "zod";
import type { RunEnd } from "./exchanges.ts";
import type { StepInput } from "./steps.ts";

/** Clients that know it do not ask again: the recorded ones had given up. */
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

/** The fault that makes a client see the error with which a run ended; none for errors that are no host's. */
export function endingStep({ result: { error }, at }: RunEnd): StepInput | undefined {
  if (error === undefined) return undefined;
  if (error.code === "usage_limit") return { limit: limitOf(error, at), ...final };
  return Object.hasOwn(faults, error.code) ? faults[error.code] : undefined;
}

/** A live error holds a date, and one that was written and read again its text. */
const limitFields = z.looseObject({
  resetsAt: z.coerce.date().optional().catch(undefined),
  window: z.string().min(1).optional().catch(undefined),
});
const unknownResetSeconds = 3600;

function limitOf(error: ErrorReport, at: number) {
  const { resetsAt, window } = limitFields.parse({ ...error });
  const seconds =
    resetsAt === undefined ? unknownResetSeconds : Math.max(1, Math.round((resetsAt.getTime() - at) / 1000));
  return { resets_in_seconds: seconds, ...(window !== undefined && { window }) };
}
