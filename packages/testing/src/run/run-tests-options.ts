import type { OpenAgentOptions } from "@bridle/agent";
import type { TestProgress } from "./test-progress.ts";

/**
 * As of an agent that is opened; `limits.onUsageLimit` says whether a used-up window is waited for, or stops the tests.
 * With `unattended` and no word of it anywhere, it is waited for.
 */
export interface RunTestsOptions extends Omit<OpenAgentOptions, "signal" | "eventLog" | "approve"> {
  /** Only the cases of these names. Default: all. */
  cases?: readonly string[];
  /** Trials that run at a time. Default: `execution.parallel_test_cases`, else 4. */
  parallel?: number;
  /** How often each case runs, 1000 times at most. Default 1. */
  trials?: number;
  /** Starts nothing more after the first trial that does not pass. */
  failFast?: boolean;
  /** Lets tools run that change what cannot be brought back, and Claude Code's own that write. Default: they are denied. */
  allowSideEffects?: boolean;
  /** Goes on with an invocation that was not finished: its id, or `newest`. Nothing that it finished runs again. */
  resume?: string;
  /** Ends what runs; what had ended is kept. */
  signal?: AbortSignal;
  /** Contract: returns quickly, and does not throw. */
  onProgress?(progress: TestProgress): void;
}
