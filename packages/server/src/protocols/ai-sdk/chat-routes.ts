/** The AI SDK's UI message stream: `useChat` with a `DefaultChatTransport`. */
import type { Workspace } from "@bridle/app/serving";
import type { HistoryMessage } from "@bridle/protocol";
import { z } from "zod";
import { readRun } from "../../api/read-run.ts";
import { readKey } from "../../api/request-key.ts";
import type { Api } from "../../http/api.ts";
import { RequestProblem } from "../../http/problem.ts";
import { defineRoute, type Route, type RouteReply, type RouteRequest } from "../../http/route.ts";
import { answerQuestions, type Continued } from "../shared/answer-questions.ts";
import { eventStreamType, toServerSentEvent, withKeepAlive } from "../shared/event-stream.ts";
import { foldPages, followRun } from "../shared/follow-run.ts";
import { readKnownHistory } from "../shared/read-known-history.ts";
import { startThread } from "../shared/start-thread.ts";
import { activeRun, stopSession, toSessionId } from "../shared/threads.ts";
import { chatRequestSchema, readChatAnswers, readChatPrompt, type UiChatRequest } from "./chat-request.ts";
import { UiFold } from "./ui-fold.ts";

const chat = defineRoute({
  method: "POST",
  path: "/agents/{agent}/chat",
  role: "operator",
  summary: "Sends a message to an agent, or answers its questions, and streams the AI SDK's UI message.",
  body: chatRequestSchema,
  replies: { 200: null },
  takesFiles: true,
  streams: () => true,
  handle: sendToChat,
});

const resume: Route = {
  method: "GET",
  path: "/agents/{agent}/chat/{chat}/stream",
  role: "viewer",
  summary: "Streams the message of the run in progress from its beginning. 204 if there is none.",
  replies: { 200: null, 204: null },
  streams: () => true,
  handle: resumeChat,
};

const stop: Route = {
  method: "POST",
  path: "/agents/{agent}/chat/{chat}/stop",
  role: "operator",
  isBodyless: true,
  summary: "Stops the run of a chat. A client that leaves does not stop it.",
  replies: { 200: z.strictObject({ stopped: z.boolean() }) },
  handle: async ({ workspace, names, caller }) => {
    return { status: 200, body: { stopped: await stopSession(workspace, names.chat ?? "", caller) } };
  },
};

export const aiSdkApi: Api = { id: "ai-sdk", base: "/ai-sdk", routes: [chat, resume, stop] };

async function sendToChat(request: RouteRequest<unknown, UiChatRequest>): Promise<RouteReply> {
  const { workspace, signal } = request;
  const place = await beginOrAnswer(request);
  const fold = new UiFold();
  for await (const page of readRun(workspace.eventLog, place.runId, { until: place.after }))
    for (const event of page) fold.skip(event);
  return streamChunks(fold, place, workspace, signal);
}

async function beginOrAnswer({
  body,
  names,
  headers,
  workspace,
  caller,
}: RouteRequest<unknown, UiChatRequest>): Promise<Continued> {
  const agent = workspace.agents.get(names.agent ?? "").id;
  const sessionId = toSessionId(body.id, "id");
  const answers = readChatAnswers(body);
  if (answers !== undefined) {
    if (answers.size > 0) return answerQuestions(workspace, { agent, sessionId, answers, caller });
    throw new RequestProblem(
      422,
      "no-answer",
      "The newest message is the assistant's, and it answers no question. Answer one.",
    );
  }
  const prompt = readChatPrompt(body);
  const history = body.trigger === "regenerate-message" ? await historyBefore(workspace, sessionId) : undefined;
  const key = readKey(headers, caller, { names, body });
  return startThread(workspace, { agent, session: sessionId, prompt, history, key });
}

/** Reads the model's history before the newest run, so that the run can be repeated. */
async function historyBefore(
  { eventLog }: Workspace,
  sessionId: string,
): Promise<readonly HistoryMessage[] | undefined> {
  const [newest] = await eventLog.runs({ sessionId, last: 1 });
  if (newest === undefined) return undefined;
  return readKnownHistory(eventLog, sessionId, ({ runId }) => runId !== newest.runId);
}

async function resumeChat({ workspace, names, signal }: RouteRequest<unknown, unknown>): Promise<RouteReply> {
  const run = await activeRun(workspace, names.chat ?? "");
  if (run === undefined) return { status: 204 };
  let first: number | undefined;
  let answered = 0;
  for await (const page of readRun(workspace.eventLog, run.runId)) {
    first ??= page[0]?.seq;
    answered = page.findLast(({ type }) => type === "approval.decided")?.seq ?? answered;
  }
  return streamChunks(new UiFold({ pausesAfter: answered }), { ...run, after: (first ?? 1) - 1 }, workspace, signal);
}

function streamChunks(fold: UiFold, place: Continued, workspace: Workspace, signal: AbortSignal): RouteReply {
  return {
    status: 200,
    contentType: eventStreamType,
    headers: { "x-vercel-ai-ui-message-stream": "v1" },
    stream: withKeepAlive(tellChat(fold, place, workspace, signal)),
  };
}

async function* tellChat(
  fold: UiFold,
  place: Continued,
  workspace: Workspace,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield fold
    .begin(place)
    .map((chunk) => toServerSentEvent(chunk))
    .join("");
  for await (const told of foldPages(fold, followRun(workspace, place, place.after, signal)))
    yield told.map((chunk) => toServerSentEvent(chunk)).join("");
  if (!fold.isOver)
    yield fold
      .breakOff()
      .map((chunk) => toServerSentEvent(chunk))
      .join("");
  yield "data: [DONE]\n\n";
}
