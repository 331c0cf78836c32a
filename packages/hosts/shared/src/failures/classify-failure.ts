/**
 * Classifies failed requests to model services. A service's own error codes and words count before the status, because services use one
 * status for different failures: 429, for example, also means a spent quota, and 400 a prompt that is too long.
 */
import type { ErrorCode } from "@bridle/protocol";

/**
 * The code of the error that a failure becomes. `config` means that there is no model service at the base URL, `network` that the response
 * ended early, and `budget_exceeded` that the answer reached the limit for output tokens.
 */
export type FailureClass = Extract<
  ErrorCode,
  | "authentication"
  | "billing"
  | "budget_exceeded"
  | "config"
  | "context_overflow"
  | "invalid_request"
  | "model_not_found"
  | "network"
  | "overloaded"
  | "rate_limit"
>;

/** The relevant facts about a failure, from any host. */
export interface ObservedFailure {
  /** The HTTP status; `undefined` if no response came, or if the host does not report the status. */
  readonly status?: number | undefined;
  /** The service's names for the failure, such as `overloaded_error` or `insufficient_quota`. */
  readonly codes: readonly string[];
  readonly message: string;
  /** Whether the service explained the failure in the form of its protocol. Default: `true`. */
  readonly isExplained?: boolean | undefined;
  /** Whether the response was not a message of the protocol. Default: `false`. */
  readonly isGarbled?: boolean | undefined;
  /** Whether the stream ended before the answer was complete. Default: `false`. */
  readonly isUnfinished?: boolean | undefined;
}

/**
 * Returns the class of a failure, or `undefined` if no rule applies and only the host can explain the failure.
 *
 * @example classifyFailure({ status: 429, codes: ["insufficient_quota"], message: "You exceeded your current quota" }); // "billing"
 */
export function classifyFailure(failure: ObservedFailure): FailureClass | undefined {
  return classByReason(failure) ?? classByResponse(failure) ?? classByStatus(failure.status);
}

interface Reason {
  readonly failureClass: FailureClass;
  readonly codes: readonly string[];
  /** Wording of the messages from services that have no code for this failure. */
  readonly words?: RegExp;
  /** With this status, the words mean something else and are ignored. */
  readonly exceptStatus?: number;
  /** Whether the codes count only without a status, because they can mean several failures. */
  readonly isVague?: boolean;
}

/** The rules, in order. The first one that applies determines the class. */
const reasons: readonly Reason[] = [
  {
    failureClass: "context_overflow",
    codes: [
      "context_length_exceeded",
      "model_context_window_exceeded",
      "request_too_large",
      "model_max_prompt_tokens_exceeded", // GitHub Copilot
    ],
    words: /prompt is too long|input is too long|maximum context length|context window|context length/i,
    exceptStatus: 429, // then the message is about a limit of tokens per minute
  },
  {
    failureClass: "billing",
    codes: ["insufficient_quota", "billing_error", "billing_hard_limit_reached", "insufficient_funds"],
    words: /credit balance|insufficient (quota|credits|funds)|exceeded your current quota|payment instrument/i,
  },
  {
    failureClass: "model_not_found",
    codes: ["model_not_found", "model_not_supported"],
    // Bedrock, Ollama and vLLM have no code for this failure.
    words: /model identifier is invalid|model \S+ (does not exist|is not found|not found)|unknown model|no such model/i,
    exceptStatus: 401,
  },
  {
    failureClass: "authentication",
    codes: [
      "authentication_error",
      "invalid_api_key",
      "permission_error",
      "AccessDeniedException",
      // Claude Code's names (2.1.330).
      "authentication_failed",
      "oauth_org_not_allowed",
      "account_on_hold",
      "verification_required",
      "cloud_credential_error",
    ],
    // Messages of Google's library, if it finds no login or the login has expired.
    words: /default credentials|invalid_grant|refresh access token/i,
  },
  {
    failureClass: "rate_limit",
    codes: ["rate_limit_error", "rate_limit_exceeded", "ThrottlingException", "rate_limit"],
  },
  {
    failureClass: "overloaded",
    codes: [
      "overloaded_error",
      "overloaded",
      "server_is_overloaded",
      "slow_down",
      "ServiceUnavailableException",
      "api_error",
      "server_error",
      "internal_server_error",
    ],
  },
  { failureClass: "budget_exceeded", codes: ["max_output_tokens"] },
  { failureClass: "invalid_request", codes: ["invalid_request_error", "invalid_request"], isVague: true },
];

function classByReason(failure: ObservedFailure): FailureClass | undefined {
  return reasons.find((reason) => applies(reason, failure))?.failureClass;
}

function applies({ codes, words, exceptStatus, isVague = false }: Reason, failure: ObservedFailure): boolean {
  const { status, message } = failure;
  if (isVague && status !== undefined) return false;
  const isNamed = failure.codes.some((code) => codes.includes(code));
  return (
    isNamed || (words !== undefined && !(exceptStatus !== undefined && status === exceptStatus) && words.test(message))
  );
}

/** Classifies failures by the form of the response. */
function classByResponse(failure: ObservedFailure): FailureClass | undefined {
  const { status, isExplained = true, isGarbled = false, isUnfinished = false } = failure;
  if (isUnfinished) return "network";
  const isError = status !== undefined && status >= 400;
  if (isGarbled && !isError) return "config";
  // A model service never refuses the request method, and reports an unknown model in the form of its protocol.
  return status === 405 || (status === 404 && !isExplained) ? "config" : undefined;
}

const classes: Readonly<Record<number, FailureClass>> = {
  401: "authentication",
  402: "billing",
  403: "authentication",
  404: "model_not_found",
  408: "overloaded", // the service stopped waiting for the request
  413: "context_overflow",
  425: "overloaded", // the service asks for the request to be sent again later
  429: "rate_limit",
};

function classByStatus(status: number | undefined): FailureClass | undefined {
  if (status === undefined || status < 400) return undefined;
  return classes[status] ?? (status >= 500 ? "overloaded" : "invalid_request");
}
