import { setTimeout } from "node:timers/promises";
import { listApprovals } from "@bridle/app/approvals";
import type { Workspace } from "@bridle/app/serving";
import { formatMessage } from "./server-sent.ts";

export const topicNames = ["approvals", "runs"] as const;
export type Topic = (typeof topicNames)[number];

/** Milliseconds between two looks at the event log, which may be another process's work. */
const lookMs = 200;

/** Runs in a message. */
const newestRuns = 50;

type WatchedLog = Workspace["eventLog"];

const readers: Readonly<Record<Topic, (eventLog: WatchedLog) => Promise<unknown>>> = {
  approvals: async (eventLog) => ({ approvals: await listApprovals(eventLog) }),
  runs: async (eventLog) => {
    const runs = await eventLog.runs({ last: newestRuns });
    return { runs: runs.map(({ startedAt, ...run }) => ({ ...run, startedAt: new Date(startedAt).toISOString() })) };
  },
};

/** Yields each topic as a whole, at first and whenever it has changed, until the signal is aborted. */
export async function* watchTopics(
  eventLog: WatchedLog,
  topics: readonly Topic[],
  signal: AbortSignal,
): AsyncGenerator<string> {
  const sent = new Map<Topic, string>();
  while (!signal.aborted) {
    for (const topic of topics) {
      const message = formatMessage(topic, await readers[topic](eventLog));
      if (sent.get(topic) === message) continue;
      sent.set(topic, message);
      yield message;
    }
    await setTimeout(lookMs, undefined, { signal }).catch(() => {});
  }
}
