import type { ConversationSpec, HistoryMessage, ImplicitSource, Resumption } from "@bridle/protocol";
import type { HostProcess, HostProcessOptions } from "../process/host-process.ts";
import { openHostProcess } from "../process/sdk-host-process.ts";

/** How many milliseconds an idle process may take to exit after its input is closed. */
export const graceMs = 400;

export interface ProcessRequest extends HostProcessOptions {
  implicitSources: readonly ImplicitSource[];
}

export interface AcquiredProcess {
  process: HostProcess;
  /** Set if a session continues: whether the process already holds the history or has to get it again. */
  resumption?: Resumption | undefined;
}

/** Provides the process of a conversation, and takes it back afterwards. */
export interface ProcessSource {
  acquire(request: ProcessRequest): Promise<AcquiredProcess>;
  /**
   * Takes back a process after its conversation has ended normally. Does not wait for the process. `heldHistory` is exactly the part of the
   * session's history that the process holds. If `heldHistory` is set, the process can serve a run that continues from it.
   */
  release(process: HostProcess, heldHistory?: readonly HistoryMessage[]): Promise<void>;
  /**
   * Ends a process after its conversation has failed. Resolves when the process is gone. With `another`, a new process
   * may be started for the calls that are likely to follow.
   */
  end(process: HostProcess, next?: "another" | "none"): Promise<void>;
}

/** Returns the resumption for a history that is sent again. Undefined if the request continues no session. */
export function rebuiltResumption(
  { session, history }: Pick<ConversationSpec, "session" | "history">,
  reason: Resumption["reason"],
): Resumption | undefined {
  return session === undefined || history.length === 0 ? undefined : { resumed: "rebuilt", reason };
}

/** Starts a process for each conversation and ends it with the conversation. */
export const unpooled: ProcessSource = {
  acquire: async (request) => ({
    process: openHostProcess(request),
    resumption: rebuiltResumption(request.spec, "not-retained"),
  }),
  release: (process) => process.close(graceMs),
  end: (process) => process.close(0),
};
