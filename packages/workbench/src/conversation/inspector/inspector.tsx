import { showHiddenInDocument } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../../addresses/paths.ts";
import { useServer } from "../../connection/server.tsx";
import type { SessionEntry } from "../../connection/session-entries.ts";
import { KeyNames } from "../../keys/key-names.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Loading, Problem } from "../../parts/states.tsx";
import { useMedia } from "../../parts/use-media.ts";
import { InspectedCall } from "./inspected-call.tsx";
import { InspectedContext } from "./inspected-context.tsx";
import { InspectedEvents } from "./inspected-events.tsx";
import { InspectedText } from "./inspected-text.tsx";
import { InspectorTabs } from "./inspector-tabs.tsx";
import { readEntryEvents } from "./read-entry-events.ts";
import type { InspectorState } from "./use-inspector.ts";
import type { Opened } from "./use-opened.ts";
import "./inspector.css";

interface InspectorProps {
  readonly session: string;
  readonly inspector: InspectorState;
}

/** The details of the open entry: next to the conversation, or above it on narrow screens. */
export function Inspector(props: InspectorProps) {
  const isNarrow = useMedia("(max-width: 799px)");
  if (isNarrow) {
    return (
      <Dialog label="Inspector" className="sheet inspector-sheet" onClose={props.inspector.close}>
        <InspectorContent {...props} />
      </Dialog>
    );
  }
  return (
    <aside className="inspector" aria-label="Inspector">
      <InspectorContent {...props} />
    </aside>
  );
}

const titles = { user: "Message", text: "Answer", reasoning: "Reasoning", history: "History", retry: "Retry" } as const;

function InspectorContent({ session, inspector: { entry, opened, heading, close } }: InspectorProps) {
  const title = entry === undefined ? "Nothing" : entry.kind === "tool" ? entry.tool : titles[entry.kind];
  return (
    <>
      <header className="inspector-head">
        <h2 ref={heading} tabIndex={-1} className={entry?.kind === "tool" ? "cut id" : "cut"}>
          {showHiddenInDocument(title.slice(0, 200))}
        </h2>
        {entry && (
          <Link to={paths.run(session, entry.runId, entry.seq)} title="Show in the replay">
            event {entry.seq}
          </Link>
        )}
        <button type="button" className="quiet" onClick={close}>
          Close <KeyNames keys="Escape" />
        </button>
      </header>
      {entry === undefined ? (
        <p className="muted">The session has no event {opened.seq}.</p>
      ) : (
        <InspectorTabs part={opened.part} onShow={opened.show}>
          <InspectedPart key={entry.seq} session={session} entry={entry} part={opened.part} />
        </InspectorTabs>
      )}
    </>
  );
}

interface InspectedPartProps {
  readonly session: string;
  readonly entry: SessionEntry;
  readonly part: Opened["part"];
}

function InspectedPart({ session, entry, part }: InspectedPartProps) {
  if (part === "context") return <InspectedContext session={session} entry={entry} />;
  if (part === "content" && entry.kind !== "tool") return <InspectedText entry={entry} />;
  return <PartOfEvents session={session} entry={entry} part={part} />;
}

/** A tab that shows the entry's events, which are loaded when the tab is opened. */
function PartOfEvents({ session, entry, part }: InspectedPartProps) {
  const { client } = useServer();
  const isCall = entry.kind === "tool";
  const { data, error, refetch } = useQuery({
    queryKey: ["entry-events", session, entry.seq, isCall && [entry.endSeq, entry.state]],
    queryFn: () => readEntryEvents(client, session, entry),
    placeholderData: (before) => (before?.[0]?.seq === entry.seq ? before : undefined),
    staleTime: isCall && entry.endSeq === undefined ? 0 : Number.POSITIVE_INFINITY,
    gcTime: 30_000,
  });
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the events" height="12rem" />;
  if (part === "content" && isCall) return <InspectedCall entry={entry} events={data} />;
  return <InspectedEvents events={data} />;
}
