import type { SessionTranscript } from "@bridle/client";
import { useRef } from "react";

/** Tells screen readers an answer when it is complete, and not each piece of it. */
export function Announcement({ transcript: { entries } }: { transcript: SessionTranscript }) {
  const last = entries.findLast((entry) => entry.kind === "text" && entry.complete);
  const known = useRef(last?.seq);
  const text = last?.kind === "text" && last.seq !== known.current ? last.text : "";
  return (
    <p className="hidden-text" aria-live="polite">
      {text.slice(0, 2000)}
    </p>
  );
}
