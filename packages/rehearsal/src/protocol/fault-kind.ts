import { omitUndefined } from "@bridle/protocol";
import type { WireFault } from "./protocol.ts";

/** The kinds of errors of a model API, independent of the protocol. */
export type FaultKind =
  | "invalid"
  | "authentication"
  | "billing"
  | "permission"
  | "model"
  | "context"
  | "size"
  | "limit"
  | "server"
  | "timeout"
  | "overloaded"
  | "filtered";

/** The error types of every protocol, so that a script has the same meaning in each protocol. */
const words: Readonly<Record<string, FaultKind>> = {
  invalid_request_error: "invalid",
  authentication_error: "authentication",
  invalid_api_key: "authentication",
  billing_error: "billing",
  insufficient_quota: "billing",
  permission_error: "permission",
  not_found_error: "model",
  model_not_found: "model",
  context_length_exceeded: "context",
  request_too_large: "size",
  rate_limit_error: "limit",
  rate_limit_exceeded: "limit",
  api_error: "server",
  server_error: "server",
  internal_server_error: "server",
  timeout_error: "timeout",
  overloaded_error: "overloaded",
  server_is_overloaded: "overloaded",
  content_filter: "filtered",
};

const statuses: Readonly<Record<number, FaultKind>> = {
  401: "authentication",
  402: "billing",
  403: "permission",
  404: "model",
  413: "size",
  429: "limit",
  503: "overloaded",
  504: "timeout",
  529: "overloaded",
};

/** Determines the kind by the script's error type if that is known, or by the status. */
export function faultKindFor({ status, type }: Pick<WireFault, "status" | "type">): FaultKind {
  const said = type !== undefined && Object.hasOwn(words, type) ? words[type] : undefined;
  return said ?? statuses[status] ?? (status < 500 ? "invalid" : "server");
}

/** A protocol's names for a kind of fault. */
export type FaultWords = readonly [type: string, message: string, code?: string];

interface ProtocolFault {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
}

/** Describes a fault with a protocol's names. The script's own values take precedence, except a type that belongs to another protocol. */
export function toProtocolFault(
  fault: Omit<WireFault, "requestId">,
  faults: Readonly<Record<FaultKind, FaultWords>>,
): ProtocolFault {
  const [type, usual, code] = faults[faultKindFor(fault)];
  const message = fault.message ?? usual;
  if (fault.type !== undefined && !Object.hasOwn(words, fault.type)) return { type: fault.type, message };
  return omitUndefined({ type, message, code });
}
