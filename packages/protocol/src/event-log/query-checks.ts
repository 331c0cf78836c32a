/** Checks the queries of an event log: a misspelt key would otherwise select everything. */
import { z } from "zod";
import { InvalidRequestError } from "../errors/errors.ts";
import { given, type OptionsShape, optionsCheck } from "../schemas/options-schema.ts";
import type { EventQuery, RunQuery, SessionQuery } from "./event-log.ts";

const error = { error: InvalidRequestError };
const count = given.number.optional();

type EventQueryKeys = EventQuery & { readonly runId?: string; readonly sessionId?: string };

const eventShape: OptionsShape<EventQueryKeys> = {
  runId: given.text.optional(),
  sessionId: given.text.optional(),
  from: count,
  last: count,
  limit: count,
  withoutDeltas: given.flag.optional(),
};

/** Throws an InvalidRequestError for an unknown key or a value of another type. Called by every event log. */
export const checkEventQuery: (query: unknown) => void = optionsCheck("read", eventShape, error);

export const checkRunQuery: (query: unknown) => void = optionsCheck<RunQuery>(
  "runs",
  { sessionId: given.text.optional(), last: count, after: given.object.optional() },
  error,
);

export const checkSessionQuery: (query: unknown) => void = optionsCheck<SessionQuery>(
  "sessions",
  { last: count, after: z.object({ sessionId: given.text, lastAt: given.number }).optional() },
  error,
);
