import type { ErrorReport } from "@bridle/protocol";

/**
 * Returns the scope of an error. `invocation`: after a used-up window or a rejected login, nothing else can run. `host`: the agent did not
 * cause the error, and a retry may succeed. `case`: all other errors.
 */
export type ErrorScope = "invocation" | "host" | "case";

const forAll: readonly string[] = ["usage_limit", "authentication"];

const hosts: readonly string[] = [
  "network",
  "overloaded",
  "rate_limit",
  "billing",
  "backend_crash",
  "boundary",
  "store",
  "store_full",
  "store_read_only",
  "store_corrupt",
  "store_version",
  "store_busy",
  "process_died",
];

export function errorScope({ code }: Pick<ErrorReport, "code">): ErrorScope {
  if (forAll.includes(code)) return "invocation";
  return hosts.includes(code) ? "host" : "case";
}
