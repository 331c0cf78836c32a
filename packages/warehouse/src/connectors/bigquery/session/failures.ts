import {
  AuthenticationError,
  type BridleError,
  ConfigError,
  InvalidRequestError,
  OverloadedError,
  RateLimitError,
} from "@bridle/protocol";
import { z } from "zod";
import type { RestAnswer } from "../../../rest/rest-request.ts";
import { toSentence } from "../../../sessions/sentence.ts";

const reasonSchema = z.object({ reason: z.string().default(""), message: z.string().default("") });
const errorBody = z.object({
  error: z.object({ message: z.string().default(""), errors: z.array(reasonSchema).default([]) }),
});

/** The reason for a failure: BigQuery's code, such as `invalidQuery`, and its message. */
export type BigQueryReason = z.output<typeof reasonSchema>;
export { reasonSchema };

/** An answer that reports a failure. */
export class BigQueryFailure extends Error {
  readonly status: number;
  readonly reason: string;

  constructor(status: number, { reason, message }: BigQueryReason) {
    super(toSentence(message === "" ? `BigQuery answered with HTTP ${status}` : message));
    this.status = status;
    this.reason = reason;
  }
}

export function readBigQueryFailure({ status, text }: RestAnswer): BigQueryFailure {
  const { data } = errorBody.safeParse(parseObject(text));
  const [first] = data?.error.errors ?? [];
  return new BigQueryFailure(status, { reason: first?.reason ?? "", message: data?.error.message ?? "" });
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const transientReasons = new Set(["rateLimitExceeded", "jobRateLimitExceeded", "backendError", "jobBackendError"]);
const transientStatuses = new Set([429, 502, 503, 504]);

/** Whether a request may be sent again. False for a statement over the byte limit, although BigQuery answers it with 500, too. */
export function isTransient(answer: RestAnswer): boolean {
  if (answer.status < 400) return false;
  return transientStatuses.has(answer.status) || transientReasons.has(readBigQueryFailure(answer).reason);
}

/** Returns the failure as an error for the caller, in one sentence with a remedy. */
export function explainBigQueryFailure(failure: BigQueryFailure, project: string, login: string): BridleError {
  const { status, reason, message } = failure;
  if (status === 401)
    return new AuthenticationError(
      `BigQuery refuses the login of ${login}, or it has expired. Renew it, or correct the settings of the connection.`,
    );
  if (transientReasons.has(reason) || transientStatuses.has(status))
    return status === 403 || status === 429
      ? new RateLimitError(`BigQuery limits the requests of ${project} (${message.slice(0, -1)}). Try again later.`)
      : new OverloadedError(`BigQuery reports an internal error (${message.slice(0, -1)}). Try again later.`);
  if (reason === "quotaExceeded")
    return new RateLimitError(
      `A quota of ${project} is used up (${message.slice(0, -1)}). Raise it, or try again later.`,
    );
  if (/\bDataset .+ was not found in location\b/i.test(message))
    return new InvalidRequestError(`${message} Correct the location of the connection, or leave it out.`);
  return new InvalidRequestError(message);
}

/** Explains why a connection cannot be opened. */
export function explainBigQueryOpening(failure: BigQueryFailure, project: string, login: string): BridleError {
  if (failure.status === 404)
    return new ConfigError(`There is no project ${project}, or the account may not see it. Correct "project".`);
  if (failure.status === 403 && !transientReasons.has(failure.reason) && failure.reason !== "quotaExceeded")
    return new ConfigError(
      `The account may not use BigQuery in ${project} (${failure.message.slice(0, -1)}). Grant it the roles BigQuery Job User and BigQuery Data Viewer.`,
    );
  return explainBigQueryFailure(failure, project, login);
}
