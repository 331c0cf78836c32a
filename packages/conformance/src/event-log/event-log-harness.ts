import type { Redactor } from "@bridle/core";
import type { EventLog } from "@bridle/protocol";

export interface EventLogHarness {
  /** Returns a new, empty event log. The harness removes its files after the test. */
  open(options: { now?: () => number; redactor?: Redactor }): EventLog | Promise<EventLog>;
}
