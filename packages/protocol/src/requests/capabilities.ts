import type { BackendFeatures, OutstandingCalls } from "../host/backend.ts";

/** The transports that connect an agent to servers of the Model Context Protocol. Every host has all of them. */
export const mcpTransports = ["stdio", "http", "sse"] as const;

/** The features of a runtime, for programs that adapt to them. */
export interface RuntimeCapabilities {
  /** Whether the model may request several tool calls in one response. */
  readonly parallelCalls: boolean;
  /**
   * Which calls of a response run at the same time: `all`, only those that may overlap, such as read-only tools (`overlapping`), or one at
   * a time (`one`). If a call must not overlap, it waits until earlier calls have their approvals and results.
   */
  readonly outstandingCalls: OutstandingCalls;
  /** The features of the host. A request that needs a missing feature is refused before anything is sent. */
  readonly features: BackendFeatures;
  readonly mcpTransports: readonly (typeof mcpTransports)[number][];
}
