import type { ImplicitSource } from "@bridle/core";
import { type HostSession, type HostSessionOptions, openHostSession } from "../host-session.ts";

/** How long a process that has nothing to do may take to go by itself when its input is closed. */
export const graceMs = 400;

export interface SessionRequest extends HostSessionOptions {
  implicitSources: readonly ImplicitSource[];
}

/** Where a conversation gets its process from, and where it leaves it. */
export interface Sessions {
  take(request: SessionRequest): Promise<HostSession>;
  /** After a conversation that ended well. Does not wait for the process. */
  giveBack(session: HostSession): Promise<void>;
  /** After any other; resolves when the process is gone. `another` is for calls that are likely to follow. */
  end(session: HostSession, next?: "another" | "none"): Promise<void>;
}

/** A process for each conversation, which is ended with it. */
export const unpooled: Sessions = {
  take: async (request) => openHostSession(request),
  giveBack: (session) => session.close(graceMs),
  end: (session) => session.close(0),
};
