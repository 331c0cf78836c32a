import type { SessionTranscript } from "@bridle/client";

type LoggedEntry = SessionTranscript["entries"][number];
type Retry = NonNullable<SessionTranscript["retries"]>[number];

/** A response that was requested again. Its earlier text is void. */
export type RetryEntry = Retry & {
  readonly kind: "retry";
  readonly omitted?: undefined;
};

/** A row of a conversation. */
export type SessionEntry = LoggedEntry | RetryEntry;

export interface ShownTranscript extends Omit<SessionTranscript, "entries" | "retries"> {
  readonly entries: readonly SessionEntry[];
}

/** The rows of retries. The row of a retry stays the same object in each state of the session, like all other entries. */
const rows = new WeakMap<object, RetryEntry>();

function rowOf(retry: Retry): RetryEntry {
  const row = rows.get(retry) ?? { ...retry, kind: "retry" };
  rows.set(retry, row);
  return row;
}

/** The transcript with a row for each response that was requested again, where it happened. Unchanged entries stay the same objects. */
export function withRetries({ retries = [], ...transcript }: SessionTranscript): ShownTranscript {
  if (retries.length === 0) return transcript;
  const entries: SessionEntry[] = [...transcript.entries];
  for (const retry of retries) {
    const before = entries.findLastIndex(({ seq }) => seq < retry.seq);
    entries.splice(before + 1, 0, rowOf(retry));
  }
  return { ...transcript, entries };
}
