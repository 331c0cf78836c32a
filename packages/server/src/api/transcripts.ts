/** Transcripts of a session or a run, at any of its events. */
import {
  contextContentsSchema,
  placedTranscriptSchema,
  readContextContents,
  readPlacedTranscript,
  readReplay,
  replaySchema,
} from "@bridle/app/sessions";
import { z } from "zod";
import { defineRoute, type Route } from "../http/route.ts";
import { findRun, requireKnownSession } from "./find-resources.ts";
import { numberInQuery, reply } from "./replies.ts";

const at = z.strictObject({
  at: numberInQuery.optional().describe("The number of the last event that counts. Default: the newest."),
});

const transcript = defineRoute({
  method: "GET",
  path: "/sessions/{session}/transcript",
  summary: "The conversation up to an event. Long contents are left out; the events contain them.",
  role: "viewer",
  query: at,
  replies: { 200: placedTranscriptSchema },
  async handle({ workspace, names: { session = "" }, query }) {
    await requireKnownSession(workspace, session);
    return reply(await readPlacedTranscript(workspace.eventLog, { sessionId: session }, query.at));
  },
});

const context = defineRoute({
  method: "GET",
  path: "/sessions/{session}/context",
  summary: "The contents of the model's context window: instructions, tools, messages and results.",
  role: "viewer",
  query: at,
  replies: { 200: contextContentsSchema },
  async handle({ workspace, names: { session = "" }, query }) {
    await requireKnownSession(workspace, session);
    return reply(await readContextContents(workspace.eventLog, session, query.at));
  },
});

const replayQuery = at.extend({
  entries: numberInQuery.optional().describe("The most entries of the transcript, the last ones. Default: all."),
});

const replay = defineRoute({
  method: "GET",
  path: "/runs/{run}/replay",
  summary: "A run up to one of its events, with its steps, decisions and inputs to move between.",
  role: "viewer",
  query: replayQuery,
  replies: { 200: replaySchema },
  async handle({ workspace, names: { run = "" }, query }) {
    await findRun(workspace, run);
    return reply(await readReplay(workspace.eventLog, run, query.at, query.entries));
  },
});

export const transcriptRoutes: readonly Route[] = [transcript, context, replay];
