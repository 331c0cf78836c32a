import { composePolicies } from "@bridle/core";
import { allowAllTools, omitUndefined, type Policy, type SendOptions } from "@bridle/protocol";
import type { RunLimits } from "./session-request.ts";

/** The settings in an agent file that apply to each of its runs. */
export interface FileOptions {
  readonly limits: RunLimits;
  readonly policy?: Policy | undefined;
}

/**
 * Adds the settings of the agent file to the options of a run. Limits and rules of the run take precedence, but a call that the file denies
 * stays denied.
 */
export function withFileOptions(
  options: SendOptions = {},
  { limits, policy = allowAllTools }: FileOptions,
): SendOptions {
  const { policy: own, ...given } = omitUndefined(options);
  return { ...limits, ...given, ...(own && { policy: composePolicies(own, policy) }) };
}
