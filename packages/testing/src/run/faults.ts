import type { ErrorReport } from "@bridle/protocol";

/**
 * Whose fault an error is: `everyone's` concerns all that is still to run, a used-up window and a refused login; `the
 * host's` says nothing of the agent, and may be gone when it is tried again; all others are of the case.
 */
export type TestFault = "everyone's" | "the host's" | "the case's";

const everyones: readonly string[] = ["usage_limit", "authentication"];

const hosts: readonly string[] = [
  ...["network", "overloaded", "rate_limit", "billing", "backend_crash", "boundary"],
  ...["store", "store_full", "store_read_only", "store_corrupt", "store_version", "store_busy", "process_died"],
];

export function faultOf({ code }: Pick<ErrorReport, "code">): TestFault {
  if (everyones.includes(code)) return "everyone's";
  return hosts.includes(code) ? "the host's" : "the case's";
}
