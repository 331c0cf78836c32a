import type { BackendFeatures, OutstandingCalls } from "../host/backend.ts";

/** The transports that connect an agent to servers of the Model Context Protocol. They do not depend on the host. */
export const mcpTransports = ["stdio", "http", "sse"] as const;

/** The abilities of a runtime, for programs that adapt to them. */
export interface RuntimeCapabilities {
  /** Whether the model may request several tool calls in one response. */
  readonly parallelCalls: boolean;
  /**
   * Which calls of a response begin before the earlier ones have their results: `all` of them, the calls of
   * `overlapping` tools such as read-only ones, or `one` at a time. A call that waits for an approval delays the calls
   * that do not begin early.
   */
  readonly outstandingCalls: OutstandingCalls;
  /** The abilities of the host. A request that needs more is refused before anything is sent. */
  readonly features: BackendFeatures;
  readonly mcpTransports: readonly (typeof mcpTransports)[number][];
}
