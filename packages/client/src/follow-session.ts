import type { RunEvent } from "@bridle/protocol";
import { openEvents, parseEvent, type ReconnectOptions, reconnecting } from "./event-stream.ts";
import { FollowedPlace } from "./followed-place.ts";
import type { Http } from "./http.ts";
import type { ServerSentEvent } from "./server-sent-events.ts";

/**
 * Yields the events of a session after a number, each once and in order, including new events. Reconnects when the connection breaks, and
 * continues at the same position. Ends when the signal is aborted. Throws BridleRequestError if the server refuses the request, or if the
 * session was removed.
 */
export function followSession(
  http: Http,
  { session, after }: { readonly session: string; readonly after: number },
  options: ReconnectOptions,
): AsyncGenerator<RunEvent> {
  const place = new FollowedPlace(session, after);
  return reconnecting(() => connect(http, place, options), options);
}

async function* connect(http: Http, place: FollowedPlace, options: ReconnectOptions): AsyncGenerator<RunEvent> {
  const path = ["sessions", place.session, "events"];
  for await (const message of openEvents(http, path, { query: { after: place.after }, ...options })) {
    const event = parseEvent(message);
    const state = event && place.take(event);
    if (event && state === "new") yield event;
    if (state === "gap") return; // events are missing: ask again for all events after the last one
  }
}

export interface FollowedTopics {
  /** The sessions, each with the number of the last event that you have. */
  readonly sessions?: Readonly<Record<string, number>> | undefined;
  /** Topics such as `approvals` and `runs`. */
  readonly topics?: readonly string[] | undefined;
}

/**
 * Yields the events of several sessions, each once and in the order of its session, and a topic's full content whenever it has changed.
 * Reconnects when the connection breaks, and then yields the topics again.
 */
export function followSeveral(
  http: Http,
  { sessions = {}, topics = [] }: FollowedTopics,
  options: ReconnectOptions,
): AsyncGenerator<ServerSentEvent> {
  const places = new Map(Object.entries(sessions).map(([id, after]) => [id, new FollowedPlace(id, after)]));
  return reconnecting(() => connectSeveral(http, places, topics, options), options);
}

async function* connectSeveral(
  http: Http,
  places: ReadonlyMap<string, FollowedPlace>,
  topics: readonly string[],
  options: ReconnectOptions,
): AsyncGenerator<ServerSentEvent> {
  const sessions = [...places.values()].map(({ session, after }) => `${session}:${after}`).join(",");
  const query = { sessions: sessions || undefined, topics: topics.join(",") || undefined };
  for await (const message of openEvents(http, ["stream"], { query, ...options })) {
    const event = parseEvent(message);
    const state = event?.sessionId === undefined ? "new" : places.get(event.sessionId)?.take(event);
    if (state === "new") yield message;
    if (state === "gap") return;
  }
}
