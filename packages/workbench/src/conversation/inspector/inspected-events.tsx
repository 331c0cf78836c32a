import type { RunEvent } from "@bridle/protocol";
import { useState } from "react";
import { formatMoment } from "../../text/describe-age.ts";
import { LongText } from "./long-text.tsx";

/** The events of an entry in the format of the log. */
export function InspectedEvents({ events }: { events: readonly RunEvent[] }) {
  return (
    <ol className="inspected-events">
      {events.map((event, index) => (
        <li key={event.seq}>
          <RawEvent event={event} isFirst={index === 0} />
        </li>
      ))}
    </ol>
  );
}

function RawEvent({ event, isFirst }: { event: RunEvent; isFirst: boolean }) {
  const [isOpen, setOpen] = useState(isFirst);
  return (
    <details open={isOpen} onToggle={(change) => setOpen(change.currentTarget.open)}>
      <summary>
        <span className="muted number">{event.seq}</span> <span className="id">{event.type}</span>{" "}
        <span className="muted">{formatMoment(new Date(event.time))}</span>
      </summary>
      {isOpen && <LongText title={`Event ${event.seq}`} text={JSON.stringify(event)} />}
    </details>
  );
}
