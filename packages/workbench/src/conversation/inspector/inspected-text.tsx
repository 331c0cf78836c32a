import type { SessionEntry } from "../../connection/session-entries.ts";
import { formatMoment } from "../../text/describe-age.ts";
import { promptOf } from "../prompt-of.ts";
import { LongText } from "./long-text.tsx";

type TextEntry = Exclude<SessionEntry, { kind: "tool" }>;

/** A message, an answer or a notice in the format of the log. */
export function InspectedText({ entry }: { entry: TextEntry }) {
  return (
    <>
      <dl className="inspected-facts">
        <dt>Time</dt>
        <dd>{formatMoment(new Date(entry.time))}</dd>
        {"step" in entry && (
          <>
            <dt>Step</dt>
            <dd>{entry.step}</dd>
          </>
        )}
        <dt>Run</dt>
        <dd className="id">{entry.runId}</dd>
      </dl>
      <LongText title="Text" text={textOf(entry)} />
    </>
  );
}

function textOf(entry: TextEntry): string {
  switch (entry.kind) {
    case "user":
      return promptOf(entry.message);
    case "text":
    case "reasoning":
      return entry.text;
    case "history":
      return JSON.stringify(entry.messages);
    case "retry":
      return entry.reason;
  }
}
