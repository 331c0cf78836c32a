import type { ApiContext } from "@bridle/client";
import { counted, showHidden } from "@bridle/protocol/text";
import { Mark } from "../../parts/mark.tsx";
import { TimeAgo } from "../../text/time-ago.tsx";

const reasons: Readonly<Record<ApiContext["replaced"][number]["reason"], string>> = {
  forked: "taken over from another session",
  compacted: "compacted",
  edited: "edited",
};

const strategies: Readonly<Record<string, string>> = {
  "drop-tool-results": "without the results of tools",
  summarise: "to a summary",
};

/** Compactions of the history, and content that reaches the model without being sent by this project. */
export function WindowNotes({ context: { replaced, hostAdds, implicitSources } }: { context: ApiContext }) {
  return (
    <>
      <section aria-label="Replaced history">
        <h2>Replaced history</h2>
        {replaced.length === 0 && <p className="muted">The model has the whole conversation.</p>}
        <ul className="window-notes">
          {replaced.map(({ seq, time, reason, strategy, messages }) => (
            <li key={seq}>
              <TimeAgo at={time} />, event {seq}: {reasons[reason]}
              {strategy !== null && ` ${strategies[strategy] ?? showHidden(strategy, "")}`},{" "}
              {counted(messages, "message")} then
            </li>
          ))}
        </ul>
      </section>
      <section aria-label="Added by the host">
        <h2>Added by the host</h2>
        {hostAdds.length + implicitSources.length === 0 && (
          <p className="muted">The host reports no additions, and reads no file by itself.</p>
        )}
        <ul className="window-notes">
          {hostAdds.map((text) => (
            <li key={text} dir="auto">
              {showHidden(text)}
            </li>
          ))}
          {implicitSources.map(({ kind, path = "", inForce }) => (
            <li key={`${kind} ${path}`}>
              <Mark kind={inForce ? "warn" : "off"} label={inForce ? "in force" : "kept out"} />{" "}
              {showHidden([kind, path].filter(Boolean).join(" "), "")} {inForce ? "is in force" : "was kept out"}
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
