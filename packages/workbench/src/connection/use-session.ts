import { useEffect, useState } from "react";
import { useServer } from "./server.tsx";
import { SessionFeed, type SessionState } from "./session-feed.ts";
import { Signal, useSignal } from "./signal.ts";

const loading = new Signal<SessionState>({ kind: "loading" });

/** Returns the current state of the session, updated while the component is shown. */
export function useSession(session: string): SessionState & { reload(): void } {
  const server = useServer();
  const [feed, setFeed] = useState<SessionFeed>();
  useEffect(() => {
    const opened = new SessionFeed(server, session);
    setFeed(opened);
    return () => opened.end();
  }, [server, session]);
  const state = useSignal(feed?.state ?? loading);
  return { ...state, reload: () => feed?.reload() };
}
