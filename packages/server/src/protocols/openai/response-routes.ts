/** OpenAI's Responses API. The model is an agent. */
import type { Workspace } from "@bridle/app/serving";
import type { HistoryMessage } from "@bridle/protocol";
import { z } from "zod";
import { readRun } from "../../api/read-run.ts";
import { describeCaller } from "../../http/describe-caller.ts";
import { RequestProblem } from "../../http/problem.ts";
import { defineRoute, type Route, type RouteReply, type RouteRequest } from "../../http/route.ts";
import { answerQuestions } from "../shared/answer-questions.ts";
import { eventStreamType, toServerSentEvent, withKeepAlive } from "../shared/event-stream.ts";
import { foldPages, followRun } from "../shared/follow-run.ts";
import { readKnownHistory } from "../shared/read-known-history.ts";
import { refuseUnended } from "../shared/refuse-unended.ts";
import { startThread } from "../shared/start-thread.ts";
import { toSessionId } from "../shared/threads.ts";
import { metadataOf, toMetadataLabels } from "./metadata-labels.ts";
import { ignoredHeader, readConversation, refuseTools, splitPrompt } from "./openai-messages.ts";
import { type ResponseEvent, ResponseFold } from "./response-fold.ts";
import { type FoundResponse, findResponse, toResponseId } from "./response-id.ts";
import {
  type ResponseRequest,
  readApprovals,
  readResponseMessages,
  responseRequestSchema,
} from "./response-request.ts";
import type { RetriedRequests } from "./retried-requests.ts";

export interface ResponsesOptions {
  /** Whether to send the model's reasoning as items. */
  readonly showsReasoning: boolean;
}

/** The label of a run that contains the agent that answered, so that a stored response can name the agent. */
const agentLabel = "openai.model";

export function responseRoutes(options: ResponsesOptions, retries: RetriedRequests): Route[] {
  const create = defineRoute({
    method: "POST",
    path: "/responses",
    role: "operator",
    body: responseRequestSchema,
    summary: "Sends a message to an agent, or answers its questions.",
    replies: { 200: z.looseObject({}) },
    takesFiles: true,
    streams: ({ body }) => body.stream === true,
    handle: (request) => createResponse(request, options, retries),
  });
  const get = defineRoute({
    method: "GET",
    path: "/responses/{response}",
    role: "viewer",
    query: z.object({ stream: z.enum(["true", "false"]).optional(), starting_after: z.coerce.number().optional() }),
    summary: "The current state of a response, or its events.",
    replies: { 200: z.looseObject({}) },
    streams: ({ query }) => query.stream === "true",
    handle: async ({ workspace, names, query, signal }) => {
      const found = await findResponse(workspace, names.response ?? "");
      if (query.stream !== "true") return { status: 200, body: (await foldSoFar(workspace, found, options)).response };
      return streamed(workspace, found, signal, options, { startingAfter: query.starting_after ?? -1 });
    },
  });
  const cancel: Route = {
    method: "POST",
    path: "/responses/{response}/cancel",
    role: "operator",
    isBodyless: true,
    body: z.looseObject({}).optional(),
    summary: "Stops the run of a response. A client that leaves does not stop it.",
    replies: { 200: z.looseObject({}) },
    handle: (request) => cancelResponse(request, options),
  };
  return [create, get, cancel];
}

async function createResponse(
  request: RouteRequest<unknown, ResponseRequest>,
  options: ResponsesOptions,
  retries: RetriedRequests,
): Promise<RouteReply> {
  const { body, workspace, caller, signal, gone } = request;
  refuseTools(body.tools);
  const messages = readResponseMessages(body);
  const headers = ignoredHeader(body, messages);
  const agent = workspace.agents.get(body.model).id;
  const answers = readApprovals(body);
  const labels = { ...toMetadataLabels(body.metadata), [agentLabel]: agent };
  const conversation = await findConversation(body, workspace);
  const key = retries.keyOf(request);
  let found: FoundResponse;
  if (answers !== undefined) {
    const sessionId = conversation.sessionId ?? (await sessionOfQuestion(workspace, [...answers.keys()][0] ?? ""));
    const { runId, after } = await answerQuestions(workspace, { agent, sessionId, answers, caller });
    found = await findResponse(workspace, toResponseId(runId, after));
  } else {
    const { prompt, before } = splitPrompt(readConversation(messages));
    const { sessionId, history } = conversation;
    const isNew = history === undefined && sessionId === undefined && before.length > 0;
    const start = { agent, session: sessionId, prompt: [prompt], labels, history: isNew ? before : history };
    const { runId } = await startThread(workspace, { ...start, key });
    found = await findResponse(workspace, toResponseId(runId, undefined));
  }
  if (body.stream === true) return streamed(workspace, found, signal, options, { startingAfter: -1, headers });
  if (body.background === true)
    return { status: 200, body: (await foldSoFar(workspace, found, options)).response, headers };
  const { response } = await foldToEnd(workspace, found, gone, options);
  retries.forget(key);
  return { status: 200, body: response, headers };
}

interface FoundConversation {
  readonly sessionId?: string;
  /** The history up to an earlier response, for a new session. */
  readonly history?: readonly HistoryMessage[];
}

/**
 * Finds the session that a request continues. If the previous response is not the newest of its session, the request continues in a new
 * one.
 */
async function findConversation(body: ResponseRequest, workspace: Workspace): Promise<FoundConversation> {
  const { conversation, previous_response_id: previous } = body;
  if (conversation) {
    const id = typeof conversation === "string" ? conversation : conversation.id;
    return { sessionId: toSessionId(id, "conversation") };
  }
  if (!previous) return {};
  const { runId, sessionId } = await findResponse(workspace, previous);
  const [newest] = await workspace.eventLog.runs({ sessionId, last: 1 });
  if (newest?.runId === runId) return { sessionId };
  const [last] = await workspace.eventLog.read({ runId, last: 1 });
  return { history: await readKnownHistory(workspace.eventLog, sessionId, ({ seq }) => seq <= (last?.seq ?? 0)) };
}

async function sessionOfQuestion({ eventLog }: Workspace, approvalId: string): Promise<string> {
  const open = (await eventLog.approvals.open()).find(({ id }) => id === approvalId);
  if (open?.sessionId !== undefined) return open.sessionId;
  throw new RequestProblem(
    409,
    "unknown-approval",
    `There is no open question "${approvalId.slice(0, 100)}". Send previous_response_id.`,
  );
}

/** The number of events at the beginning of a run within which the start of the run is found. */
const maxBeforeStart = 50;

/** Creates a fold that has skipped the events before the response. */
async function openFold(
  { eventLog }: Pick<Workspace, "eventLog">,
  { id, runId, sessionId, after }: FoundResponse,
  options: ResponsesOptions,
): Promise<ResponseFold> {
  const events = await eventLog.read({ runId, limit: maxBeforeStart, withoutDeltas: true });
  const [next = events[0]] = await eventLog.read({ runId, from: after + 1, limit: 1 });
  const started = events.find((event) => event.type === "run.started");
  const { [agentLabel]: agent } = started?.labels ?? {};
  const metadata = metadataOf(started?.labels);
  const createdAt = Math.floor((next?.time ?? 0) / 1000);
  const head = { id, createdAt, model: agent ?? started?.model ?? "", conversation: sessionId, metadata };
  const fold = new ResponseFold(head, options);
  for await (const page of readRun(eventLog, runId, { until: after })) for (const event of page) fold.skip(event);
  return fold;
}

/** Folds the recorded part of the response. */
async function foldSoFar(
  workspace: Pick<Workspace, "eventLog">,
  found: FoundResponse,
  options: ResponsesOptions,
): Promise<ResponseFold> {
  const { runId, after } = found;
  const fold = await openFold(workspace, found, options);
  for await (const page of readRun(workspace.eventLog, runId, { from: after + 1, withDeltas: true })) {
    for (const event of page) if (!fold.isOver) fold.next(event);
    if (fold.isOver) break;
  }
  return fold;
}

async function foldToEnd(
  workspace: Workspace,
  found: FoundResponse,
  gone: AbortSignal,
  options: ResponsesOptions,
): Promise<ResponseFold> {
  const fold = await openFold(workspace, found, options);
  for await (const _told of foldPages(fold, followRun(workspace, found, found.after, gone)));
  refuseUnended(fold);
  return fold;
}

function streamed(
  workspace: Workspace,
  found: FoundResponse,
  signal: AbortSignal,
  options: ResponsesOptions,
  {
    startingAfter,
    headers = {},
  }: { readonly startingAfter: number; readonly headers?: Readonly<Record<string, string>> },
): RouteReply {
  const stream = withKeepAlive(tellResponse(workspace, found, signal, options, startingAfter));
  return { status: 200, contentType: eventStreamType, headers, stream };
}

async function* tellResponse(
  workspace: Workspace,
  found: FoundResponse,
  signal: AbortSignal,
  options: ResponsesOptions,
  startingAfter: number,
): AsyncGenerator<string> {
  const fold = await openFold(workspace, found, options);
  const write = (events: readonly ResponseEvent[]) =>
    events
      .filter((event) => event.sequence_number > startingAfter)
      .map((event) => toServerSentEvent(event, event.type))
      .join("");
  yield write(fold.begin());
  for await (const told of foldPages(fold, followRun(workspace, found, found.after, signal))) yield write(told);
  if (!fold.isOver) yield write(fold.breakOff());
}

async function cancelResponse(
  { workspace, names, caller, gone }: RouteRequest<unknown, unknown>,
  options: ResponsesOptions,
): Promise<RouteReply> {
  const found = await findResponse(workspace, names.response ?? "");
  const stopped = workspace.runs.stop(found.runId, `stopped by ${describeCaller(caller)}`);
  const { response } = stopped
    ? await foldToEnd(workspace, found, gone, options)
    : await foldSoFar(workspace, found, options);
  return { status: 200, body: response };
}
