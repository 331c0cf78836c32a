/** Conversations: listing, reading, copying and removing them. */

import type { Workspace } from "@bridle/app/serving";
import {
  describeSession,
  describeSessionDetail,
  forkExistingSession,
  pageSessions,
  removedSessionSchema,
  removeSessions,
  sessionDetailSchema,
  sessionIdPattern,
  sessionRowSchema,
} from "@bridle/app/sessions";
import { buildTranscript, type SessionSummary } from "@bridle/protocol";
import { z } from "zod";
import { Problem } from "../http/problem.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { agentOf, findAgent, requireSession } from "./find-resources.ts";
import { pageLimit, readCursor, reply, toCursor } from "./replies.ts";

const agentId = z.string().nullable().describe("The agent of the newest run, if this server has it.");
export const listedSessionSchema = sessionRowSchema.extend({ agent: agentId, lastSeq: z.int().nonnegative() });
export const sessionPageSchema = z.strictObject({
  sessions: z.array(listedSessionSchema),
  next: z.string().nullable().describe("The cursor of the next page."),
});
export const sessionSchema = sessionDetailSchema.extend({ agent: agentId });
export const createdSessionSchema = z.strictObject({ id: z.string() });

const placeSchema = z.strictObject({ sessionId: z.string(), lastAt: z.number() });

const list = defineRoute({
  method: "GET",
  path: "/sessions",
  summary: "Lists sessions, the one with the newest event first.",
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
    const { sessions, next } = await pageSessions(workspace.eventLog, {
      ...{ limit, after: readCursor(cursor, placeSchema), tests: tests === "true" },
      matches: (session) => isOf(session, agent, workspace) && contains(session, q),
    });
    return reply({
      sessions: sessions.map((each) => ({ ...describeSession(each), ...withPlace(each, workspace) })),
      next: next === undefined ? null : toCursor(next),
    });
  },
});

function withPlace(session: SessionSummary, workspace: Workspace) {
  return { agent: agentOf(workspace, session.labels), lastSeq: session.lastSeq };
}

function isOf({ labels }: SessionSummary, agent: string | undefined, workspace: Workspace): boolean {
  return agent === undefined || agentOf(workspace, labels) === agent;
}

function contains({ sessionId, firstPrompt = "" }: SessionSummary, words = ""): boolean {
  const wanted = words.toLowerCase();
  return sessionId.toLowerCase().includes(wanted) || firstPrompt.toLowerCase().includes(wanted);
}

const read = defineRoute({
  method: "GET",
  path: "/sessions/{session}",
  summary: "Describes a session: its runs, totals, open questions and newest event.",
  role: "viewer",
  replies: { 200: sessionSchema },
  async handle({ workspace, names: { session = "" } }) {
    await requireSession(workspace, session);
    const detail = await describeSessionDetail(workspace.eventLog, session);
    return reply({ ...detail, agent: agentOf(workspace, detail.labels) });
  },
});

const remove = defineRoute({
  method: "DELETE",
  path: "/sessions/{session}",
  summary: "Removes a session with its events. Refused while a run is in progress in it.",
  role: "operator",
  replies: { 200: removedSessionSchema },
  async handle({ workspace, names: { session = "" } }) {
    await requireSession(workspace, session);
    const [newest] = await workspace.eventLog.runs({ sessionId: session, last: 1 });
    if (newest && !newest.ended) {
      const detail = `A run is in progress in the session ${session}, so nothing was removed. Stop it, or wait for its end.`;
      throw new Problem(409, "session-busy", detail, { run: newest.runId });
    }
    const { value } = await removeSessions(workspace.eventLog, [session]).next();
    return reply(value);
  },
});

const fork = defineRoute({
  method: "POST",
  path: "/sessions/{session}/fork",
  summary: "Begins another session with the history of this one, up to a response of the model.",
  role: "operator",
  body: z.strictObject({
    atStep: z.int().positive().optional().describe("The last response that the copy has, from 1. Default: the newest."),
    id: z.string().regex(sessionIdPattern).optional().describe("The id of the copy. Default: a random one."),
  }),
  replies: { 201: createdSessionSchema },
  async handle({ workspace, names: { session = "" }, body: { atStep, id } }) {
    await requireSession(workspace, session);
    if (atStep !== undefined) await requireStep(workspace, session, atStep);
    if (id !== undefined) await requireFreeId(workspace, id);
    const created = await forkExistingSession(workspace.eventLog, session, { atStep, as: id });
    return reply({ id: created }, 201, { location: `/api/v1/sessions/${created}` });
  },
});

async function requireStep({ eventLog }: Workspace, session: string, atStep: number): Promise<void> {
  const { steps } = buildTranscript(await eventLog.read({ sessionId: session, withoutDeltas: true }));
  if (atStep <= steps) return;
  const message = `the session has ${steps} ${steps === 1 ? "response" : "responses"}`;
  throw new Problem(422, "invalid-input", `There is no response ${atStep}: ${message}. Choose one of them.`, {
    errors: [{ pointer: "/atStep", message }],
  });
}

export async function requireFreeId({ eventLog }: Pick<Workspace, "eventLog">, id: string): Promise<void> {
  if ((await eventLog.read({ sessionId: id, limit: 1 })).length === 0) return;
  throw new Problem(409, "session-exists", `The session "${id}" exists already. Choose another id.`);
}

export const sessionRoutes: readonly Route[] = [list, read, remove, fork];
