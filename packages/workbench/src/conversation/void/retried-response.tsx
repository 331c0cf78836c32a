import type { BridleClient } from "@bridle/client";
import type { RunEvent } from "@bridle/protocol";
import { showHiddenInDocument } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { readEventPages } from "../../connection/event-pages.ts";
import { useServer } from "../../connection/server.tsx";
import type { RetryEntry } from "../../connection/session-entries.ts";
import { Problem } from "../../parts/states.tsx";
import { Markdown } from "../../text/markdown.tsx";
import { voidTextOf } from "./void-text.ts";

interface RetriedResponseProps {
  readonly session: string;
  readonly entry: RetryEntry;
  readonly isOpen: boolean;
  onOpen(isOpen: boolean): void;
}

/** A response that was requested again. Its earlier text was discarded, and is loaded when the user opens it. */
export function RetriedResponse({ session, entry, isOpen, onOpen }: RetriedResponseProps) {
  return (
    <details className="void" open={isOpen} onToggle={(event) => onOpen(event.currentTarget.open)}>
      <summary>
        This response was requested again ({entry.attempt} of {entry.maxAttempts}):{" "}
        {showHiddenInDocument(entry.reason.slice(0, 300))}
      </summary>
      {isOpen && <VoidText session={session} entry={entry} />}
    </details>
  );
}

function VoidText({ session, entry }: Pick<RetriedResponseProps, "session" | "entry">) {
  const { client } = useServer();
  const { data, error, refetch } = useQuery({
    queryKey: ["void", session, entry.seq],
    queryFn: () => readVoidText(client, session, entry),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <p className="muted">Reading …</p>;
  if (data === "") return <p className="muted">It had written nothing yet.</p>;
  return (
    <del>
      <Markdown text={data} />
    </del>
  );
}

/** The maximum number of pages of events to read. */
const maxPages = 25;

/** Reads backwards from the retry to the start of the retried response. */
async function readVoidText(client: BridleClient, session: string, entry: RetryEntry): Promise<string> {
  let events: readonly RunEvent[] = [];
  let pages = 0;
  for await (const page of readEventPages(client, session, { before: entry.seq })) {
    events = [...page, ...events];
    pages += 1;
    if (pages === maxPages || voidTextOf(events, entry).isWhole) break;
  }
  return voidTextOf(events, entry).text;
}
