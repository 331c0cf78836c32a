import type { SessionTranscript } from "@bridle/client";

type LoggedEntry = SessionTranscript["entries"][number];

/** The place of a response that was requested again: what it had said until then is void. */
export type RetryEntry = NonNullable<SessionTranscript["retries"]>[number] & {
  readonly kind: "retry";
  readonly omitted?: undefined;
};

/** What is a row of a conversation. */
export type SessionEntry = LoggedEntry | RetryEntry;

export interface ShownTranscript extends Omit<SessionTranscript, "entries" | "retries"> {
  readonly entries: readonly SessionEntry[];
}

/** The transcript with a row for each response that was requested again, where it happened. */
export function withRetries({ retries = [], ...transcript }: SessionTranscript): ShownTranscript {
  if (retries.length === 0) return transcript;
  const entries: SessionEntry[] = [...transcript.entries];
  for (const retry of retries) {
    const before = entries.findLastIndex(({ seq }) => seq < retry.seq);
    entries.splice(before + 1, 0, { ...retry, kind: "retry" });
  }
  return { ...transcript, entries };
}
