/** The list of sessions: first the sessions without a run, then those of the event log. */
import type { SessionNote, Workspace } from "@bridle/app/serving";
import { describeSession, pageSessions, sessionRowSchema } from "@bridle/app/sessions";
import type { SessionSummary } from "@bridle/protocol";
import { z } from "zod";
import { defineRoute } from "../http/route.ts";
import { agentsOf, findAgent, hasEvents } from "./find-resources.ts";
import { pageLimit, parseCursor, reply, toCursor } from "./replies.ts";

export const agentIdSchema = z.string().nullable().describe("The agent of the newest run, if this server has it.");
export const listedSessionSchema = sessionRowSchema.extend({ agent: agentIdSchema, lastSeq: z.int().nonnegative() });
export const sessionPageSchema = z.strictObject({
  sessions: z.array(listedSessionSchema),
  next: z.string().nullable().describe("The cursor of the next page."),
});

type ListedSession = z.output<typeof listedSessionSchema>;

/**
 * The last session of a page: a session without a run, or a session of the event log. If both are missing, the next page begins with the
 * newest session of the event log.
 */
const placeSchema = z.strictObject({
  created: z.strictObject({ id: z.string(), createdAt: z.int() }).optional(),
  logged: z.strictObject({ sessionId: z.string(), lastAt: z.number() }).optional(),
});
type Place = z.output<typeof placeSchema>;

interface Page {
  readonly sessions: readonly ListedSession[];
  readonly next: Place | undefined;
}

interface ListQuery {
  readonly limit: number;
  readonly agent?: string | undefined;
  readonly q?: string | undefined;
}

export const listSessionsRoute = defineRoute({
  method: "GET",
  path: "/sessions",
  summary: "Lists sessions: first those without a run, then the others by their newest event.",
  role: "viewer",
  query: z.strictObject({
    agent: z.string().optional().describe("Only sessions of this agent."),
    q: z.string().max(200).optional().describe("Only sessions with this in their id or first prompt."),
    tests: z.enum(["true", "false"]).optional().describe("The sessions of test cases instead of all others."),
    cursor: z.string().optional(),
    limit: pageLimit(200),
  }),
  replies: { 200: sessionPageSchema },
  async handle({ workspace, query: { agent, q, tests, cursor, limit } }) {
    if (agent !== undefined) findAgent(workspace, agent);
    const place = parseCursor(cursor, placeSchema);
    const isInLog = tests === "true" || (place !== undefined && place.created === undefined);
    const created: Page = isInLog
      ? { sessions: [], next: undefined }
      : await pageCreated(workspace, { limit, agent, q }, place?.created);
    const left = limit - created.sessions.length;
    const logged: Page =
      created.next !== undefined || left === 0
        ? { sessions: [], next: created.next ?? {} }
        : await pageLogged(workspace, { limit: left, agent, q }, { after: place?.logged, tests: tests === "true" });
    const sessions = [...created.sessions, ...logged.sessions];
    return reply({ sessions, next: logged.next === undefined ? null : toCursor(logged.next) });
  },
});

/**
 * The maximum number of notes to examine for one page. Another process may have started runs of their sessions. The event log then lists
 * these sessions.
 */
const maxExamined = 1000;

async function pageCreated(
  workspace: Workspace,
  { limit, agent, q }: ListQuery,
  place: Place["created"],
): Promise<Page> {
  const sessions: ListedSession[] = [];
  let after = place;
  for (let seen = 0; sessions.length < limit && seen < maxExamined; ) {
    const size = limit - sessions.length;
    const notes = workspace.sessions.withoutRun({ limit: size, after, agent, words: q });
    for (const note of notes) {
      after = { id: note.id, createdAt: note.createdAt };
      if (!(await hasEvents(workspace, note.id))) sessions.push(describeCreated(note));
    }
    if (notes.length < size) return { sessions, next: undefined };
    seen += notes.length;
  }
  return { sessions, next: { created: after } };
}

async function pageLogged(
  workspace: Workspace,
  { limit, agent, q }: ListQuery,
  { after, tests }: { readonly after: Place["logged"]; readonly tests: boolean },
): Promise<Page> {
  const isOfAgent = (page: readonly SessionSummary[]) => {
    const agents = agentsOf(workspace, page);
    return page.filter(({ sessionId }) => agents.get(sessionId) === agent);
  };
  const { sessions, next } = await pageSessions(workspace.eventLog, {
    limit,
    after,
    tests,
    select(page) {
      const found = page.filter((session) => contains(session, q));
      return agent === undefined ? found : isOfAgent(found);
    },
  });
  const agents = agentsOf(workspace, sessions);
  const describe = (session: SessionSummary) => ({
    ...describeSession(session),
    agent: agents.get(session.sessionId) ?? null,
    lastSeq: session.lastSeq,
  });
  return { sessions: sessions.map(describe), next: next && { logged: next } };
}

export function describeCreated({ id, agent, labels, createdAt }: SessionNote): ListedSession {
  const startedAt = new Date(createdAt).toISOString();
  return {
    id,
    agent,
    labels,
    startedAt,
    lastAt: startedAt,
    forkedFrom: null,
    parentRun: null,
    parentSession: null,
    runs: 0,
    inProgress: false,
    firstWords: null,
    backend: null,
    model: null,
    lastSeq: 0,
  };
}

function contains({ sessionId, firstPrompt = "" }: SessionSummary, words = ""): boolean {
  const wanted = words.toLowerCase();
  return sessionId.toLowerCase().includes(wanted) || firstPrompt.toLowerCase().includes(wanted);
}
