/** Conversations: listing, reading, copying and removing them. */

import { SessionExistsError, type SessionNote, type SessionToCreate, type Workspace } from "@bridle/app/serving";
import {
  describeSessionDetail,
  forkExistingSession,
  removedSessionSchema,
  sessionDetailSchema,
  sessionIdPattern,
} from "@bridle/app/sessions";
import { TranscriptBuilder } from "@bridle/protocol";
import { z } from "zod";
import { RequestProblem } from "../http/problem.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { agentOf, findAgent, hasEvents, requireKnownSession } from "./find-resources.ts";
import { agentIdSchema, describeCreated, listedSessionSchema, listSessionsRoute } from "./list-sessions.ts";
import { readPages } from "./read-run.ts";
import { removeWhenFree } from "./remove-when-free.ts";
import { reply } from "./replies.ts";
import { readKey } from "./request-key.ts";
import { labelsSchema } from "./run-request.ts";

export const sessionSchema = sessionDetailSchema.extend({ agent: agentIdSchema });
export const createdSessionSchema = z.strictObject({ id: z.string() });

const create = defineRoute({
  method: "POST",
  path: "/sessions",
  summary:
    "Creates a session of an agent. The session exists immediately, and gets its first events with its first run.",
  role: "operator",
  body: z.strictObject({
    agent: z.string().optional().describe("Default: the only one."),
    id: z.string().regex(sessionIdPattern).optional().describe("Default: a random one."),
    labels: labelsSchema.optional().describe("Labels of all its runs."),
  }),
  replies: { 201: listedSessionSchema },
  async handle({ workspace, body: { agent, id, labels }, headers, caller }) {
    if (agent !== undefined) findAgent(workspace, agent);
    const key = readKey(headers, caller, { agent, id, labels });
    const note = await createSession(workspace, { agent, id, labels, key });
    return reply(describeCreated(note), 201, { location: `/api/v1/sessions/${note.id}` });
  },
});

async function createSession({ sessions }: Workspace, session: SessionToCreate): Promise<SessionNote> {
  try {
    return await sessions.create(session);
  } catch (error) {
    if (error instanceof SessionExistsError) throw new RequestProblem(409, "session-exists", error.message);
    throw error;
  }
}

const read = defineRoute({
  method: "GET",
  path: "/sessions/{session}",
  summary: "Describes a session: its runs, totals, open questions and newest event.",
  role: "viewer",
  replies: { 200: sessionSchema },
  async handle({ workspace, names: { session = "" } }) {
    await requireKnownSession(workspace, session);
    const detail = await describeSessionDetail(workspace.eventLog, session);
    const note = detail.lastSeq === 0 ? workspace.sessions.find(session) : undefined;
    const created = note && new Date(note.createdAt).toISOString();
    const times = created && { startedAt: created, lastAt: created, labels: note.labels };
    return reply({ ...detail, ...times, agent: agentOf(workspace, session, detail.labels) });
  },
});

const remove = defineRoute({
  method: "DELETE",
  path: "/sessions/{session}",
  summary: "Removes a session with its events. Refused while a run of the session is in progress.",
  role: "operator",
  replies: { 200: removedSessionSchema },
  async handle({ workspace, names: { session = "" } }) {
    await requireKnownSession(workspace, session);
    const [newest] = await workspace.eventLog.runs({ sessionId: session, last: 1 });
    if (newest && !newest.ended) {
      const detail = `A run is in progress in the session ${session}, so nothing was removed. Stop it, or wait for its end.`;
      throw new RequestProblem(409, "session-busy", detail, { run: newest.runId });
    }
    const removed = (await hasEvents(workspace, session))
      ? await removeWhenFree(session, workspace)
      : { id: session, runs: 0, events: 0, artifacts: 0 };
    workspace.sessions.remove(session);
    return reply(removed);
  },
});

const fork = defineRoute({
  method: "POST",
  path: "/sessions/{session}/fork",
  summary: "Starts another session with the history of this one, up to a model response.",
  role: "operator",
  body: z.strictObject({
    atStep: z.int().positive().optional().describe("The last response that the copy has, from 1. Default: the newest."),
    id: z.string().regex(sessionIdPattern).optional().describe("The id of the copy. Default: a random one."),
  }),
  replies: { 201: createdSessionSchema },
  async handle({ workspace, names: { session = "" }, body: { atStep, id }, headers, caller }) {
    await requireEvents(workspace, session);
    if (atStep !== undefined) await requireStep(workspace, session, atStep);
    const { labels } = await describeSessionDetail(workspace.eventLog, session);
    const agent = agentOf(workspace, session, labels) ?? undefined;
    const key = readKey(headers, caller, { session, atStep, id });
    const note = await createSession(workspace, { agent, id, key });
    if (!(await hasEvents(workspace, note.id))) {
      await forkExistingSession(workspace.eventLog, session, { atStep, as: note.id });
    }
    return reply({ id: note.id }, 201, { location: `/api/v1/sessions/${note.id}` });
  },
});

async function requireStep({ eventLog }: Workspace, session: string, atStep: number): Promise<void> {
  const builder = new TranscriptBuilder();
  for await (const page of readPages(eventLog, { sessionId: session })) for (const event of page) builder.add(event);
  const { steps } = builder.transcript();
  if (atStep <= steps) return;
  const message = `the session has ${steps} ${steps === 1 ? "response" : "responses"}`;
  throw new RequestProblem(422, "invalid-input", `There is no response ${atStep}: ${message}. Choose one of them.`, {
    errors: [{ pointer: "/atStep", message }],
  });
}

const compact = defineRoute({
  method: "POST",
  path: "/sessions/{session}/compact",
  summary: "Replaces the history with a shorter one, from the next run on. The session's events are kept.",
  role: "operator",
  body: z.strictObject({
    strategy: z
      .enum(["drop-tool-results", "summarise"])
      .describe("drop-tool-results leaves out long results. summarise asks the model, which costs a request."),
  }),
  replies: { 200: z.strictObject({ isShorter: z.boolean() }) },
  async handle({ workspace, names: { session = "" }, body: { strategy }, headers, caller }) {
    await requireEvents(workspace, session);
    const key = readKey(headers, caller, { session, strategy });
    const begin = () => workspace.runs.compact(session, strategy);
    return reply({ isShorter: await workspace.once(key, { kind: "compact", resultSchema: z.boolean(), begin }) });
  },
});

/** Throws if the session does not exist or has no run. */
async function requireEvents(workspace: Workspace, session: string): Promise<void> {
  await requireKnownSession(workspace, session);
  if (await hasEvents(workspace, session)) return;
  throw new RequestProblem(409, "session-empty", `The session ${session} is empty. Send a prompt first.`);
}

export const sessionRoutes: readonly Route[] = [listSessionsRoute, create, read, remove, fork, compact];
