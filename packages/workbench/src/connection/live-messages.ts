/** The messages between the tabs and the shared connection of the browser. */
import type { ApiApprovals, ApiRuns } from "@bridle/client";
import type { RunEvent } from "@bridle/protocol";

export interface ServerPlace {
  /** The address of the server, with the base path. */
  readonly url: string;
  readonly token: string;
}

/** A message from a tab. */
export type TabMessage =
  | { readonly type: "open"; readonly place: ServerPlace }
  /** The sessions that the tab shows, each with the newest event that the tab has. */
  | { readonly type: "watch"; readonly sessions: Readonly<Record<string, number>> }
  | { readonly type: "close" };

export interface Topics {
  readonly approvals: ApiApprovals["approvals"];
  readonly runs: readonly Pick<ApiRuns["runs"][number], "id" | "session" | "ended">[];
}

/** A message from the connection. */
export type LiveMessage =
  | { readonly type: "events"; readonly session: string; readonly events: readonly RunEvent[] }
  | { readonly type: "approvals"; readonly approvals: Topics["approvals"] }
  | { readonly type: "runs"; readonly runs: Topics["runs"] }
  | { readonly type: "state"; readonly state: LiveState }
  /** Sessions that no longer exist on the server, or no longer at this position. */
  | { readonly type: "lost"; readonly sessions: readonly string[] };

export type LiveState =
  | { readonly kind: "connecting" }
  | { readonly kind: "open" }
  /** The server has been unreachable since this time, in milliseconds since the epoch. */
  | { readonly kind: "gone"; readonly since: number }
  | { readonly kind: "forbidden" };
