import type { RunEvent } from "@bridle/protocol";
import { formatDuration, showHiddenInDocument } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useServer } from "../../connection/server.tsx";
import type { SessionEntry } from "../../connection/session-entries.ts";
import { Problem } from "../../parts/states.tsx";
import { WrappingName } from "../../parts/wrapping-name.tsx";
import { formatMoment } from "../../text/describe-age.ts";
import { callTimeline } from "./call-timeline.ts";
import { LongText } from "./long-text.tsx";

type ToolEntry = Extract<SessionEntry, { kind: "tool" }>;

interface InspectedCallProps {
  readonly entry: ToolEntry;
  /** The events of the call. */
  readonly events: readonly RunEvent[];
}

/** A call: the decisions about it with their times, its whole input, and its whole result. */
export function InspectedCall({ entry, events }: InspectedCallProps) {
  const requested = events.find((event) => event.type === "tool.requested");
  const finished = events.find((event) => event.type === "tool.finished" || event.type === "tool.denied");
  const answered = events.findLast(
    (event) => event.type === "approval.decided" && event.input !== undefined && !event.nested,
  );
  const input = requested?.type === "tool.requested" ? requested.input : entry.input;
  const edited = answered?.type === "approval.decided" ? answered.input : entry.edited;
  const output = finished?.output ?? entry.output;
  return (
    <>
      <dl className="inspected-facts">
        <dt>State</dt>
        <dd>{entry.state}</dd>
        <dt>Rule</dt>
        <dd className="id">
          <WrappingName text={entry.rule === undefined ? "none yet" : showHiddenInDocument(entry.rule)} />
        </dd>
        <dt>Took</dt>
        <dd>{entry.durationMs === undefined ? "not known" : formatDuration(entry.durationMs)}</dd>
        <dt>Step</dt>
        <dd>{entry.step}</dd>
      </dl>
      <Timeline events={events} />
      <LongText title="Input" text={JSON.stringify(input) ?? ""} />
      {edited !== undefined && <LongText title="Input of a person" text={JSON.stringify(edited) ?? ""} />}
      {output !== undefined && <LongText title="Result" text={output} />}
      {entry.artifact !== undefined && <WholeResult artifact={entry.artifact} />}
    </>
  );
}

/** The whole result of a call, if the model got only the beginning. It can be long, so it is loaded on demand. */
function WholeResult({ artifact }: { artifact: string }) {
  const { client } = useServer();
  const [isWanted, setWanted] = useState(false);
  const { data, error } = useQuery({
    queryKey: ["artifact", artifact],
    queryFn: () => client.artifact(artifact),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
  });
  if (error) return <Problem error={error} />;
  if (data !== undefined) return <LongText title="Whole result" text={data} />;
  return (
    <div>
      <p className="muted">The result was longer than the text that the model received.</p>
      <button type="button" disabled={isWanted} onClick={() => setWanted(true)}>
        {isWanted ? "Reading …" : "Show the whole result"}
      </button>
    </div>
  );
}

function Timeline({ events }: { events: readonly RunEvent[] }) {
  const moments = callTimeline(events);
  return (
    <section>
      <h3>What happened</h3>
      <ol className="call-timeline">
        {moments.map(({ seq, time, afterMs, words }, index) => (
          <li key={seq}>
            <time className="muted number" dateTime={new Date(time).toISOString()} title={formatMoment(new Date(time))}>
              {index === 0 ? formatMoment(new Date(time)).slice(11) : `+${formatDuration(afterMs)}`}
            </time>
            <span>{showHiddenInDocument(words)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
