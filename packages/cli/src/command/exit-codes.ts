import type { ErrorCode, ErrorReport, RunResult } from "@bridle/protocol";
import type { Interrupt } from "./cli.ts";

/** The exit codes of `bridle`, the same for every command. */
export const exitCodes = {
  natural: 0,
  otherwise: 1,
  usage: 2,
  configuration: 3,
  authentication: 4,
  backend: 5,
  SIGINT: 130,
  SIGTERM: 143,
  SIGHUP: 129,
} as const;

export const exitCodeHelp = `Exit codes:
  0 success, 1 ended in another way (see standard error), 2 invalid command line,
  3 configuration, or a name that does not exist, 4 authentication,
  5 the backend failed, 130 interrupted (143 by SIGTERM, 129 by SIGHUP)`;

/** Exit codes by error code, for errors that the user fixes in a file, a folder or an option, and for errors of the host. */
const byErrorCode: Partial<Record<ErrorCode, number>> = {
  config: exitCodes.configuration,
  not_found: exitCodes.configuration,
  tool_schema: exitCodes.configuration,
  model_not_found: exitCodes.configuration,
  unsupported_feature: exitCodes.configuration,
  store: exitCodes.configuration,
  store_full: exitCodes.configuration,
  store_read_only: exitCodes.configuration,
  store_corrupt: exitCodes.configuration,
  store_version: exitCodes.configuration,
  authentication: exitCodes.authentication,
  boundary: exitCodes.backend,
  usage_limit: exitCodes.backend,
  rate_limit: exitCodes.backend,
  overloaded: exitCodes.backend,
  network: exitCodes.backend,
  billing: exitCodes.backend,
  backend_crash: exitCodes.backend,
};

export function exitCodeOfError({ code }: Pick<ErrorReport, "code">): number {
  return new Map<string, number>(Object.entries(byErrorCode)).get(code) ?? exitCodes.otherwise;
}

/** Returns the exit code for a run's result. `interrupt` is the signal that arrived during the run, if any. */
export function exitCodeOfResult({ stopReason, error }: RunResult, interrupt?: Interrupt): number {
  if (stopReason === "natural") return exitCodes.natural;
  if (stopReason === "stopped" && interrupt) return exitCodes[interrupt];
  return error ? exitCodeOfError(error) : exitCodes.otherwise;
}
