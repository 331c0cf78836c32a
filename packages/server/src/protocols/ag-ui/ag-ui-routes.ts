/** AG-UI 1.0 over HTTP, with one URL for each agent. */
import type { Workspace } from "@bridle/app/serving";
import { z } from "zod";
import { readRun } from "../../api/read-run.ts";
import { readKey } from "../../api/request-key.ts";
import type { Api } from "../../http/api.ts";
import { RequestProblem } from "../../http/problem.ts";
import { defineRoute, type Route, type RouteReply, type RouteRequest } from "../../http/route.ts";
import { answerQuestions, type Continued } from "../shared/answer-questions.ts";
import { eventStreamType, toServerSentEvent, withKeepAlive } from "../shared/event-stream.ts";
import { foldPages, followRun } from "../shared/follow-run.ts";
import { startThread } from "../shared/start-thread.ts";
import { stopSession, toSessionId } from "../shared/threads.ts";
import { agUiCapabilities } from "./ag-ui-capabilities.ts";
import { AgUiFold } from "./ag-ui-fold.ts";
import { echoMessages, type RunAgentInput, readAgUiPrompt, readAnswers, runAgentInputSchema } from "./ag-ui-request.ts";

const run = defineRoute({
  method: "POST",
  path: "/agents/{agent}",
  role: "operator",
  summary: "Runs an agent, or continues a run with the answers to its questions, and streams events of AG-UI.",
  body: runAgentInputSchema,
  replies: { 200: null },
  takesFiles: true,
  streams: () => true,
  handle: startAgUiRun,
});

const describe: Route = {
  method: "GET",
  path: "/agents/{agent}/capabilities",
  role: "viewer",
  summary: "Lists the features of AG-UI that an agent supports.",
  replies: { 200: z.looseObject({}) },
  handle: async ({ workspace, names }) => {
    return { status: 200, body: agUiCapabilities(workspace.agents.get(names.agent ?? "")) };
  },
};

const stop: Route = {
  method: "POST",
  path: "/agents/{agent}/threads/{thread}/stop",
  role: "operator",
  isBodyless: true,
  summary: "Stops the run of a thread. A client that leaves does not stop it.",
  replies: { 200: z.strictObject({ stopped: z.boolean() }) },
  handle: async ({ workspace, names, caller }) => {
    return { status: 200, body: { stopped: await stopSession(workspace, names.thread ?? "", caller) } };
  },
};

export const agUiApi: Api = { id: "ag-ui", base: "/ag-ui", routes: [run, describe, stop] };

async function startAgUiRun(request: RouteRequest<unknown, RunAgentInput>): Promise<RouteReply> {
  const { body, workspace, signal } = request;
  if ((body.tools?.length ?? 0) > 0) {
    const message = "Tools of a client are not offered to the agent. Leave `tools` empty.";
    throw new RequestProblem(422, "client-tools", message, {
      errors: [{ pointer: "/tools", message: "is not empty" }],
    });
  }
  const place = await beginOrContinue(request);
  return { status: 200, contentType: eventStreamType, stream: withKeepAlive(tellRun(body, place, workspace, signal)) };
}

async function beginOrContinue({
  body,
  names,
  headers,
  workspace,
  caller,
}: RouteRequest<unknown, RunAgentInput>): Promise<Continued> {
  const agent = workspace.agents.get(names.agent ?? "").id;
  const sessionId = toSessionId(body.threadId, "threadId");
  if (body.resume !== undefined && body.resume.length > 0) {
    return answerQuestions(workspace, { agent, sessionId, answers: readAnswers(body.resume), caller });
  }
  const key = readKey(headers, caller, { names, body });
  return startThread(workspace, { agent, session: sessionId, prompt: readAgUiPrompt(body.messages), key });
}

async function* tellRun(
  { threadId, runId, parentRunId, messages }: RunAgentInput,
  place: Continued,
  workspace: Workspace,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const fold = new AgUiFold({ threadId, runId, parentRunId, messages: echoMessages(messages) });
  for await (const page of readRun(workspace.eventLog, place.runId, { until: place.after }))
    for (const event of page) fold.skip(event);
  yield fold
    .begin(place)
    .map((event) => toServerSentEvent(event))
    .join("");
  for await (const told of foldPages(fold, followRun(workspace, place, place.after, signal)))
    yield told.map((event) => toServerSentEvent(event)).join("");
  if (!fold.isOver)
    yield fold
      .breakOff()
      .map((event) => toServerSentEvent(event))
      .join("");
}
