import {
  AuthenticationError,
  type BridleError,
  ConfigError,
  InvalidRequestError,
  NetworkError,
  OverloadedError,
  RateLimitError,
} from "@bridle/protocol";
import type { RestAnswer } from "../../../rest/rest-request.ts";
import { toSentence } from "../../../sessions/sentence.ts";
import { timeoutFailure } from "../../../sessions/timeout-failure.ts";
import { statementStatusSchema } from "./answers.ts";

/** An answer that reports a failure. */
export class SnowflakeFailure extends Error {
  readonly status: number;
  /** Snowflake's code, such as `002003`. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(toSentence(message === "" ? `Snowflake answered with HTTP ${status}` : message));
    this.status = status;
    this.code = code;
  }
}

export function readSnowflakeFailure({ status, text }: RestAnswer): SnowflakeFailure {
  const { data } = statementStatusSchema.safeParse(parseObject(text));
  return new SnowflakeFailure(status, data?.code ?? "", data?.message ?? "");
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isSnowflakeBusy({ status }: RestAnswer): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504;
}

/** Error codes of a statement that exceeded its time limit. */
const timeouts = new Set(["000630", "000604", "000625"]);
/** Error codes for a warehouse that is missing, suspended or over its quota. */
const withoutWarehouse = new Set(["000606", "000607", "090073", "391917"]);
/** Error codes for a database, schema, role or warehouse from the settings that cannot be used. */
const withoutPlace = new Set(["390189", "390201", "390186", "391918", "391920"]);

export interface FailurePlace {
  /** The account's host, such as `myorg-analytics.snowflakecomputing.com`. */
  readonly host: string;
  /** The setting with the credentials. */
  readonly login: string;
  readonly timeoutMs: number;
}

/** Returns the failure as an error for the caller, in one sentence with a remedy. */
export function explainSnowflakeFailure(
  failure: SnowflakeFailure,
  { host, login, timeoutMs }: FailurePlace,
): BridleError {
  const { status, code, message } = failure;
  const reason = message.slice(0, -1);
  if (status === 408 || timeouts.has(code)) return timeoutFailure(timeoutMs);
  if (withoutWarehouse.has(code))
    return new ConfigError(
      `The warehouse of ${host} cannot run statements (${reason}). Set "warehouse" to one that the role may use, and resume it.`,
    );
  if (withoutPlace.has(code))
    return new ConfigError(`Snowflake at ${host} refuses the settings (${reason}). Correct role and names.`);
  if (status === 401 || (status === 403 && code.startsWith("39")))
    return new AuthenticationError(
      `Snowflake at ${host} refuses the login of ${login} (${reason}). Check it, the user, and the account's network policy.`,
    );
  if (status === 429)
    return new RateLimitError(`Snowflake at ${host} limits the requests (${reason}). Try again later.`);
  if (status >= 500)
    return new OverloadedError(`Snowflake at ${host} reports an internal error (${reason}). Try again later.`);
  if (code === "" && status !== 422)
    return new NetworkError(
      `${host} answered with HTTP ${status} and no result of Snowflake. Check account and endpoint.`,
    );
  return new InvalidRequestError(message);
}
