import type { ConversationSpec, HistoryMessage, ImplicitSource, Resumption } from "@bridle/protocol";
import { type HostSession, type HostSessionOptions, openHostSession } from "../process/host-session.ts";

/** How long a process that has nothing to do may take to go by itself when its input is closed. */
export const graceMs = 400;

export interface SessionRequest extends HostSessionOptions {
  implicitSources: readonly ImplicitSource[];
}

export interface Taken {
  session: HostSession;
  /** Where it goes on with a session: whether the process holds what the request goes on from, or was told it anew. */
  resumption?: Resumption | undefined;
}

/** Where a conversation gets its process from, and where it leaves it. */
export interface Sessions {
  take(request: SessionRequest): Promise<Taken>;
  /**
   * After a conversation that ended well. Does not wait for the process. `held` is what it holds of a session, word for
   * word: it may be kept for whoever goes on from exactly there.
   */
  giveBack(session: HostSession, held?: readonly HistoryMessage[]): Promise<void>;
  /** After any other; resolves when the process is gone. `another` is for calls that are likely to follow. */
  end(session: HostSession, next?: "another" | "none"): Promise<void>;
}

/** Undefined where there is nothing to go on from. */
export function rebuilt(
  { session, history }: Pick<ConversationSpec, "session" | "history">,
  reason: Resumption["reason"],
): Resumption | undefined {
  return session === undefined || history.length === 0 ? undefined : { resumed: "rebuilt", reason };
}

/** A process for each conversation, which is ended with it. */
export const unpooled: Sessions = {
  take: async (request) => ({ session: openHostSession(request), resumption: rebuilt(request.spec, "not-kept") }),
  giveBack: (session) => session.close(graceMs),
  end: (session) => session.close(0),
};
