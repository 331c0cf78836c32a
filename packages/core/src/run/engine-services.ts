import type { AgentRun, Approver, Backend, PermissionStore, Policy, RunEvent, StoppedBy } from "@bridle/protocol";
import type { JournalServices } from "../event-log/journal.ts";
import type { AccountLimiter } from "../limits/account-limiter.ts";
import type { RunPlan } from "./run-plan.ts";

/** The services that all runs of a runtime share. */
export interface EngineServices extends JournalServices {
  backend: Backend;
  policy: Policy;
  /** Answers questions for the user. Missing if nobody can be asked. */
  approver?: Approver | undefined;
  /** After this many milliseconds a question without an answer is a denial. */
  approvalTimeoutMs: number;
  /** Remembered answers that outlive a session. */
  permissions: PermissionStore;
  /** The limiter of the account that pays. */
  limiter: AccountLimiter;
}

/** A run, and a promise that resolves when the host has released all of its resources. */
export interface StartedRun<T = unknown> extends AgentRun<T> {
  /** Ends the run, and logs who stopped it. Default: the caller. */
  stop(reason?: string, by?: StoppedBy): void;
  /** Milliseconds from the start to the end, or to now while the run is in progress. */
  readonly durationMs: number;
  readonly released: Promise<void>;
}

/** Lets the run's session and its caller see its events, too. */
export function observeRun(
  services: EngineServices,
  { session }: RunPlan,
  tellCaller: (event: RunEvent) => void,
): JournalServices {
  return {
    ...services,
    observe(event) {
      session?.observe(event);
      tellCaller(event);
      services.observe(event);
    },
  };
}
