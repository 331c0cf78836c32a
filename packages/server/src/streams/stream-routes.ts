import type { Workspace } from "@bridle/app/serving";
import { runEventSchema } from "@bridle/protocol";
import { z } from "zod";
import { endDeadRuns } from "../api/find-resources.ts";
import { RequestProblem } from "../http/problem.ts";
import { defineRoute, type Route, type RouteReply } from "../http/route.ts";
import { type SessionPlace, streamSession, streamSeveral } from "./stream-sessions.ts";
import { topicNames } from "./watch-topics.ts";

const seq = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** The default number of events in a page. */
const usualPage = 200;

/** The maximum number of sessions in one stream. */
const maxSessions = 64;

const eventsQuery = z.strictObject({
  /** The `seq` of the last event that you have. Default: 0, for all events. */
  after: seq.optional(),
  limit: z.coerce.number().int().min(1).max(1000).optional(),
});

export const eventPageSchema = z.strictObject({
  events: z.array(runEventSchema),
  /** The `seq` of the newest event of the session; 0 if it has none. */
  lastSeq: z.int().nonnegative(),
});

const eventsRoute = defineRoute({
  method: "GET",
  path: "/sessions/{session}/events",
  summary:
    "The events of a session: a page as JSON, or all events from there on as server-sent events if you accept `text/event-stream`.",
  role: "viewer",
  query: eventsQuery,
  replies: { 200: eventPageSchema, 404: null, 409: null },
  streams: ({ headers }) => acceptsStream(headers),
  async handle({ names: { session = "" }, query, headers, workspace, signal }) {
    const after = readSeq(headers.get("last-event-id")) ?? query.after ?? 0;
    const lastSeq = await requirePlace(workspace, { session, after });
    if (acceptsStream(headers)) return streamReply(streamSession(workspace, { session, after }, signal));
    const { limit = usualPage } = query;
    const events = await workspace.eventLog.read({ sessionId: session, from: after + 1, limit });
    return { status: 200, body: { events, lastSeq: Math.max(lastSeq, events.at(-1)?.seq ?? 0) } };
  },
});

const streamQuery = z.strictObject({
  /** Such as `a:12,b:40`: the sessions, each with the `seq` of the last event that you have. Without a number: all events. */
  sessions: z.string().max(20_000).optional(),
  /** The topics, such as `approvals,runs`. */
  topics: z.string().max(100).optional(),
});

const streamRoute = defineRoute({
  method: "GET",
  path: "/stream",
  summary:
    "The events of several sessions as server-sent events, and the open approvals and newest runs whenever they change.",
  role: "viewer",
  query: streamQuery,
  replies: { 200: null, 404: null, 409: null },
  streams: () => true,
  async handle({ query, headers, workspace, signal }) {
    const asked = parsePlaces(query.sessions ?? "");
    const reached = new Map(
      parsePlaces(headers.get("last-event-id") ?? "").map(({ session, after }) => [session, after]),
    );
    const places = asked.map(({ session, after }) => ({ session, after: reached.get(session) ?? after }));
    const topics = parseTopics(query.topics ?? "");
    if (places.length + topics.length === 0) {
      throw new RequestProblem(
        422,
        "invalid_request",
        "Name what to watch: sessions=ID:SEQ,… or topics=approvals,runs.",
      );
    }
    for (const place of places) await requirePlace(workspace, place);
    return streamReply(streamSeveral(workspace, { places, topics }, signal));
  },
});

/** The routes of streams in the native API. */
export const streamRoutes: readonly Route[] = [eventsRoute, streamRoute];

function acceptsStream(headers: Headers): boolean {
  return headers.get("accept")?.includes("text/event-stream") ?? false;
}

function streamReply(stream: AsyncIterable<string>): RouteReply {
  return { status: 200, stream, contentType: "text/event-stream; charset=utf-8" };
}

/**
 * Returns the newest `seq` of the session. Throws a RequestProblem if the session does not exist, or if it has fewer events than
 * `after`.
 */
async function requirePlace({ eventLog, sessions }: Workspace, { session, after }: SessionPlace): Promise<number> {
  const before = await eventLog.read({ sessionId: session, last: 1 });
  const isOver = before[0] === undefined || before[0].type === "run.finished";
  if (!isOver) await endDeadRuns(eventLog);
  const [newest] = isOver ? before : await eventLog.read({ sessionId: session, last: 1 });
  if (newest === undefined && sessions.find(session) === undefined) {
    throw new RequestProblem(404, "no-such-session", `There is no session "${session}".`);
  }
  const lastSeq = newest?.seq ?? 0;
  if (after <= lastSeq) return lastSeq;
  const message = `The session "${session}" has ${lastSeq} events, and not ${after}. It was removed and begun again: read it from the start.`;
  throw new RequestProblem(409, "place-unknown", message, { lastSeq });
}

function readSeq(text: string | null): number | undefined {
  const parsed = text === null || text === "" ? undefined : seq.safeParse(text);
  if (parsed === undefined) return undefined;
  if (parsed.success) return parsed.data;
  throw new RequestProblem(
    422,
    "invalid_request",
    "Last-Event-ID is the id of an event of this stream. Leave it out to read all.",
  );
}

function parsePlaces(text: string): SessionPlace[] {
  const places = text === "" ? [] : text.split(",").map(parsePlace);
  if (places.length > maxSessions) {
    throw new RequestProblem(422, "invalid_request", `A stream has at most ${maxSessions} sessions. Open another one.`);
  }
  const ids = new Set(places.map(({ session }) => session));
  if (ids.size === places.length) return places;
  throw new RequestProblem(422, "invalid_request", "A session is named twice. Name each once, with one place.");
}

function parsePlace(text: string): SessionPlace {
  const [, session, after = "0"] = /^([A-Za-z0-9_.-]{1,128})(?::(\d{1,15}))?$/.exec(text) ?? [];
  if (session !== undefined) return { session, after: Number(after) };
  throw new RequestProblem(
    422,
    "invalid_request",
    `"${text.slice(0, 100)}" is not a position. Use SESSION:SEQ, for example trip:12.`,
  );
}

function parseTopics(text: string): (typeof topicNames)[number][] {
  const names = text === "" ? [] : [...new Set(text.split(","))];
  const parsed = z.array(z.enum(topicNames)).safeParse(names);
  if (parsed.success) return parsed.data;
  throw new RequestProblem(422, "invalid_request", `Known topics: ${topicNames.join(", ")}.`);
}
