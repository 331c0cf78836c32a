import { useEffect, useState } from "react";
import type { LiveState } from "../connection/live-messages.ts";

/** Shows that the server is unreachable, and since when. The page's content stays readable. */
export function ConnectionBanner({ state }: { state: LiveState }) {
  const [now, setNow] = useState(Date.now);
  const isGone = state.kind === "gone";
  useEffect(() => {
    if (!isGone) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isGone]);
  const seconds = isGone ? Math.max(0, Math.round((now - state.since) / 1000)) : 0;
  return (
    <div role="status">
      {isGone && seconds >= 1 && (
        <p className="banner">
          <span>The server does not answer. Trying again. What you wrote is kept. </span>
          <span aria-hidden="true">{seconds} s</span>
        </p>
      )}
    </div>
  );
}
