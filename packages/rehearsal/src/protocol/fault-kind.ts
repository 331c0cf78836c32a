/** What an error of a model API is about, in no protocol's words. */
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

/** The words of every protocol, so that a script means the same in each. */
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

/** By the script's word where it is a known one, else by the status. */
export function kindOfFault({ status, type }: { readonly status: number; readonly type?: string }): FaultKind {
  const said = type !== undefined && Object.hasOwn(words, type) ? words[type] : undefined;
  return said ?? statuses[status] ?? (status < 500 ? "invalid" : "server");
}

/** A word that no protocol knows is sent as it is. */
export function isKnownWord(type: string): boolean {
  return Object.hasOwn(words, type);
}
