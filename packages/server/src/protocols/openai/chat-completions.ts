/** OpenAI's Chat Completions. The client sends the whole conversation with each request. */
import { createHash } from "node:crypto";
import type { RunToStart, ServedRun, Workspace } from "@bridle/app/serving";
import { type HistoryMessage, isBridleError } from "@bridle/protocol";
import { z } from "zod";
import { RequestProblem } from "../../http/problem.ts";
import { ServerEnding } from "../../http/request-signals.ts";
import { defineRoute, type Route, type RouteReply, type RouteRequest } from "../../http/route.ts";
import { eventStreamType, toServerSentEvent, withKeepAlive } from "../shared/event-stream.ts";
import { foldPages, followRun } from "../shared/follow-run.ts";
import { refuseUnended } from "../shared/refuse-unended.ts";
import { ChatFold } from "./chat-fold.ts";
import { formatError, statusOfError } from "./openai-errors.ts";
import { ignoredHeader, openAiMessageSchema, readConversation, refuseTools, splitPrompt } from "./openai-messages.ts";
import type { RetriedRequests } from "./retried-requests.ts";

const completionRequestSchema = z.looseObject({
  model: z.string(),
  messages: z.array(openAiMessageSchema).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.number().nullish(),
  tools: z.array(z.unknown()).nullish(),
  functions: z.array(z.unknown()).nullish(),
});
type CompletionRequest = z.infer<typeof completionRequestSchema>;

/** Creates the route. Calls that need an answer are denied, because this API cannot ask questions. */
export function completionRoute(retries: RetriedRequests): Route {
  const memory = { conversations: new KnownConversations(), retries };
  return defineRoute({
    method: "POST",
    path: "/chat/completions",
    role: "operator",
    body: completionRequestSchema,
    summary: "Sends a conversation to an agent. Calls that a person would have to allow are denied.",
    replies: { 200: z.looseObject({}) },
    takesFiles: true,
    streams: ({ body }) => body.stream === true,
    handle: (request) => complete(request, memory),
  });
}

async function complete(
  request: RouteRequest<unknown, CompletionRequest>,
  { conversations, retries }: { readonly conversations: KnownConversations; readonly retries: RetriedRequests },
): Promise<RouteReply> {
  const { body, workspace, signal, gone } = request;
  refuseTools(body.tools ?? body.functions);
  if ((body.n ?? 1) !== 1) throw new RequestProblem(422, "one-choice", "An agent gives one answer. Set `n` to 1.");
  const agent = workspace.agents.get(body.model).id;
  const conversation = readConversation(body.messages);
  const { prompt, before } = splitPrompt(conversation);
  const session = await conversations.take(workspace, agent, before);
  const key = retries.keyOf(request);
  const start = { agent, prompt: [prompt], deniesQuestions: true, key };
  const run = await startConversation(workspace, { ...start, session }, before);
  const head = { id: `chatcmpl-${run.runId}`, model: agent, createdAt: Math.floor(Date.now() / 1000) };
  const told = { fold: new ChatFold(head), run, workspace, signal };
  const onEnd = (text: string) => conversations.add(workspace, agent, conversation, text, run);
  const headers = ignoredHeader(body, body.messages);
  if (body.stream === true) {
    const withUsage = body.stream_options?.include_usage === true;
    return { status: 200, contentType: eventStreamType, headers, stream: withKeepAlive(tell(told, withUsage, onEnd)) };
  }
  const { fold } = told;
  for await (const _chunks of foldPages(fold, followRun(workspace, run, run.firstSeq - 1, gone)));
  refuseUnended(fold);
  retries.forget(key); // the client now has the reply, so a repeated request is intentional
  if (fold.error) throw new RequestProblem(statusOfError(fold.error), fold.error.code, fold.error.message);
  if (fold.isStopped) throw stoppedRun(signal);
  onEnd(fold.text);
  return { status: 200, body: fold.completion(), headers };
}

/**
 * Continues a conversation in its session. This API has no sessions, so two requests can continue the same conversation at the same time.
 * One of them then gets a new session.
 */
async function startConversation(
  workspace: Workspace,
  start: RunToStart,
  before: readonly HistoryMessage[],
): Promise<ServedRun> {
  const anew = { ...start, session: undefined, ...(before.length > 0 && { history: before }) };
  if (start.session === undefined) return workspace.runs.start(anew);
  try {
    return await workspace.runs.start(start);
  } catch (error) {
    if (isBridleError(error) && error.code === "store_busy") return workspace.runs.start(anew);
    throw error;
  }
}

/** Creates the problem for an incomplete answer, with a status that clients do not retry, because a user stopped the run. */
function stoppedRun(signal: AbortSignal): RequestProblem {
  if (signal.reason instanceof ServerEnding)
    return new RequestProblem(503, "stream-ended", "The server ended before the run had an answer. Try again.");
  return new RequestProblem(
    422,
    "run-stopped",
    "The run was stopped before it had an answer. What it did is on record.",
  );
}

interface ToldCompletion {
  readonly fold: ChatFold;
  readonly run: ServedRun;
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
}

async function* tell(
  { fold, run, workspace, signal }: ToldCompletion,
  withUsage: boolean,
  onEnd: (text: string) => void,
): AsyncGenerator<string> {
  const write = (chunks: readonly unknown[]) => chunks.map((chunk) => toServerSentEvent(chunk)).join("");
  yield write(fold.begin());
  for await (const chunks of foldPages(fold, followRun(workspace, run, run.firstSeq - 1, signal))) yield write(chunks);
  if (fold.error) yield write([formatError({ ...fold.error, status: statusOfError(fold.error) })]);
  else if (fold.isStopped) yield write([formatError(stoppedRun(signal))]);
  else if (fold.isOver) {
    onEnd(fold.text);
    yield write(fold.end({ withUsage }));
  } else {
    const message = "The server ended this stream. The run is on record.";
    yield write([formatError({ status: 503, code: "stream-ended", message })]);
  }
  yield "data: [DONE]\n\n";
}

const maxKnown = 1000;

/** The sessions of known conversations, by the hash of the conversation. The next message continues in the same session. */
class KnownConversations {
  readonly #known = new WeakMap<Workspace, Map<string, ServedRun>>();

  /** Takes the session that contains exactly this conversation. Only one request can take it. */
  async take(workspace: Workspace, agent: string, before: readonly HistoryMessage[]): Promise<string | undefined> {
    const known = this.#known.get(workspace);
    const found = known?.get(hashOf(agent, before));
    if (found === undefined) return undefined;
    known?.delete(hashOf(agent, before)); // the session will soon contain more
    const [newest] = await workspace.eventLog.runs({ sessionId: found.sessionId, last: 1 });
    return newest?.runId === found.runId ? found.sessionId : undefined;
  }

  add(workspace: Workspace, agent: string, sent: readonly HistoryMessage[], answer: string, run: ServedRun): void {
    const known = this.#known.get(workspace) ?? new Map<string, ServedRun>();
    this.#known.set(workspace, known);
    known.set(hashOf(agent, [...sent, { role: "assistant", content: [{ type: "text", text: answer }] }]), run);
    const [oldest] = known.keys();
    if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
  }
}

function hashOf(agent: string, conversation: readonly HistoryMessage[]): string {
  return createHash("sha256")
    .update(JSON.stringify([agent, conversation]))
    .digest("hex");
}
