import type { SessionTranscript } from "@bridle/client";

type LoggedEntry = SessionTranscript["entries"][number];
type Retry = NonNullable<SessionTranscript["retries"]>[number];

/** A response that was requested again. Its earlier text was discarded. */
export type RetryEntry = Retry & {
  readonly kind: "retry";
  readonly omitted?: undefined;
};

/** A row of a conversation. */
export type SessionEntry = LoggedEntry | RetryEntry;

export interface ShownTranscript extends Omit<SessionTranscript, "entries" | "retries"> {
  readonly entries: readonly SessionEntry[];
}

/** The rows of retries. As with all other entries, the row of a retry is the same object in each state of the session. */
const rows = new WeakMap<object, RetryEntry>();

function rowOf(retry: Retry): RetryEntry {
  const row = rows.get(retry) ?? { ...retry, kind: "retry" };
  rows.set(retry, row);
  return row;
}

/** Returns the transcript, with a row at each place where a response was requested again. Unchanged entries stay the same objects. */
export function withRetries({ retries = [], ...transcript }: SessionTranscript): ShownTranscript {
  if (retries.length === 0) return transcript;
  const entries: SessionEntry[] = [...transcript.entries];
  for (const retry of retries) {
    const before = entries.findLastIndex(({ seq }) => seq < retry.seq);
    entries.splice(before + 1, 0, rowOf(retry));
  }
  return { ...transcript, entries };
}
