import { listApprovals } from "@bridle/app/approvals";
import type { Workspace } from "@bridle/app/serving";
import { formatMessage } from "./server-sent.ts";
import { SharedTopic } from "./shared-topic.ts";

export const topicNames = ["approvals", "runs"] as const;
export type Topic = (typeof topicNames)[number];

/** The interval for polling the event log in milliseconds, because other processes can write to it. */
const lookMs = 200;

/** The maximum number of runs in a message. */
const newestRuns = 50;

type WatchedLog = Workspace["eventLog"];

const readers: Readonly<Record<Topic, (eventLog: WatchedLog) => Promise<unknown>>> = {
  approvals: async (eventLog) => ({ approvals: await listApprovals(eventLog) }),
  runs: async (eventLog) => {
    const runs = await eventLog.runs({ last: newestRuns });
    return { runs: runs.map(({ startedAt, ...run }) => ({ ...run, startedAt: new Date(startedAt).toISOString() })) };
  },
};

/** The topics of each event log. All streams of a user share these topics. */
const topicsOfLogs = new WeakMap<WatchedLog, Readonly<Record<Topic, SharedTopic>>>();

/** Yields each topic as a whole, initially and whenever it changes, until the signal is aborted. */
export function watchTopics(
  eventLog: WatchedLog,
  topics: readonly Topic[],
  signal: AbortSignal,
): AsyncIterable<string>[] {
  const shared = topicsOfLogs.get(eventLog) ?? {
    approvals: share(eventLog, "approvals"),
    runs: share(eventLog, "runs"),
  };
  topicsOfLogs.set(eventLog, shared);
  return topics.map((topic) => shared[topic].follow(signal));
}

function share(eventLog: WatchedLog, topic: Topic): SharedTopic {
  return new SharedTopic(async () => formatMessage(topic, await readers[topic](eventLog)), lookMs);
}
