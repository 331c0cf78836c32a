import { setTimeout } from "node:timers/promises";
import { SessionRemovedError, type Workspace } from "@bridle/app/serving";
import { ServerEnding } from "../http/request-signals.ts";
import { MergedSources } from "./merged-sources.ts";
import { formatBye, formatPageAmong, formatSessionPage, keepAlive, streamStart } from "./server-sent.ts";
import { type Topic, watchTopics } from "./watch-topics.ts";

/** A position in a session: the number of the last event that the client has. */
export interface SessionPlace {
  readonly session: string;
  readonly after: number;
}

type Watched = Pick<Workspace, "events" | "eventLog">;

/** The interval of keep-alive comments in milliseconds. */
const keepAliveMs = 15_000;

/** Streams the events of one session, each with its `seq` as its id, until the signal is aborted. */
export function streamSession(workspace: Watched, place: SessionPlace, signal: AbortSignal): AsyncIterable<string> {
  return endless(signal, (own) => [pagesOf(workspace, place, own, formatSessionPage)]);
}

/** Streams the events of several sessions and of topics of the project, until the signal is aborted. */
export function streamSeveral(
  workspace: Watched,
  { places, topics }: { readonly places: readonly SessionPlace[]; readonly topics: readonly Topic[] },
  signal: AbortSignal,
): AsyncIterable<string> {
  const reached = new Map(places.map(({ session, after }) => [session, after]));
  const describe = () => [...reached].map(([session, after]) => `${session}:${after}`).join(",");
  return endless(signal, (own) => [
    ...places.map((place) =>
      pagesOf(workspace, place, own, (page) => {
        reached.set(place.session, page.at(-1)?.seq ?? place.after);
        return formatPageAmong(page, describe());
      }),
    ),
    ...watchTopics(workspace.eventLog, topics, own),
  ]);
}

/** Streams texts until the signal is aborted or the session is removed. Unless the client has left, the stream ends with a `bye`. */
async function* endless(
  signal: AbortSignal,
  open: (signal: AbortSignal) => AsyncIterable<string>[],
): AsyncGenerator<string> {
  const left = new AbortController();
  const own = AbortSignal.any([signal, left.signal]);
  try {
    yield streamStart;
    yield* new MergedSources([...open(own), keepAlives(own)]);
    if (signal.reason instanceof ServerEnding) yield formatBye({ reason: "shutdown" });
  } catch (error) {
    if (!(error instanceof SessionRemovedError)) throw error;
    yield formatBye({ reason: "removed", sessionId: error.sessionId });
  } finally {
    left.abort();
  }
}

async function* pagesOf(
  { events }: Watched,
  { session, after }: SessionPlace,
  signal: AbortSignal,
  format: typeof formatSessionPage,
): AsyncGenerator<string> {
  for await (const page of events.follow(session, after, signal)) yield format(page);
}

async function* keepAlives(signal: AbortSignal): AsyncGenerator<string> {
  const passes = () => setTimeout(keepAliveMs, true, { signal }).catch(() => false);
  while (await passes()) yield keepAlive;
}
