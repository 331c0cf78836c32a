/** OpenAI's Chat Completions. The client sends the whole conversation with each request. */
import { createHash } from "node:crypto";
import type { ServedRun, Workspace } from "@bridle/app/serving";
import type { HistoryMessage } from "@bridle/protocol";
import { z } from "zod";
import { RequestProblem } from "../../http/problem.ts";
import { defineRoute, type Route, type RouteReply, type RouteRequest } from "../../http/route.ts";
import { eventStreamType, toServerSentEvent, withKeepAlive } from "../shared/event-stream.ts";
import { foldPages, followRun } from "../shared/follow-run.ts";
import { ChatFold } from "./chat-fold.ts";
import { formatError, statusOfError } from "./openai-errors.ts";
import { ignoredHeader, openAiMessageSchema, readConversation, refuseTools, splitPrompt } from "./openai-messages.ts";

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

/** Nobody can be asked with this API, so questions are denied. */
export function completionRoute(): Route {
  const conversations = new KnownConversations();
  return defineRoute({
    ...{ method: "POST", path: "/chat/completions", role: "operator", body: completionRequestSchema },
    summary: "Sends a conversation to an agent. Calls that a person would have to allow are denied.",
    replies: { 200: z.looseObject({}) },
    takesFiles: true,
    streams: ({ body }) => body.stream === true,
    handle: (request) => complete(request, conversations),
  });
}

async function complete(
  { body, workspace, signal }: RouteRequest<unknown, CompletionRequest>,
  conversations: KnownConversations,
): Promise<RouteReply> {
  refuseTools(body.tools ?? body.functions);
  if ((body.n ?? 1) !== 1) throw new RequestProblem(422, "one-choice", "An agent gives one answer. Set `n` to 1.");
  const agent = workspace.agents.get(body.model).id;
  const conversation = readConversation(body.messages);
  const { prompt, before } = splitPrompt(conversation);
  const known = await conversations.find(workspace, agent, before);
  const start = { agent, session: known, prompt: [prompt], deniesQuestions: true };
  const run = await workspace.runs.start(
    known === undefined && before.length > 0 ? { ...start, history: before } : start,
  );
  const head = { id: `chatcmpl-${run.runId}`, model: agent, createdAt: Math.floor(Date.now() / 1000) };
  const told = { fold: new ChatFold(head), run, workspace, signal };
  const onEnd = (text: string) => conversations.add(workspace, agent, conversation, text, run);
  const headers = ignoredHeader(body, body.messages);
  if (body.stream === true) {
    const withUsage = body.stream_options?.include_usage === true;
    return { status: 200, contentType: eventStreamType, headers, stream: withKeepAlive(tell(told, withUsage, onEnd)) };
  }
  const { fold } = told;
  for await (const _chunks of foldPages(fold, followRun(workspace, run, run.firstSeq - 1, signal)));
  if (fold.error) throw new RequestProblem(statusOfError(fold.error), fold.error.code, fold.error.message);
  onEnd(fold.text);
  return { status: 200, body: fold.completion(), headers };
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
  else if (fold.isOver) {
    onEnd(fold.text);
    yield write(fold.end({ withUsage }));
  } else {
    const message = "The server ended this stream. The run is on record.";
    yield write([formatError({ status: 503, code: "stream-ended", message })]);
  }
  yield "data: [DONE]\n\n";
}

const mostKnown = 1000;

/** The sessions in which a conversation was answered, by the hash of the conversation: the next message continues there. */
class KnownConversations {
  readonly #known = new WeakMap<Workspace, Map<string, ServedRun>>();

  /** The session that knows exactly this conversation, and nothing more. */
  async find(workspace: Workspace, agent: string, before: readonly HistoryMessage[]): Promise<string | undefined> {
    const found = this.#known.get(workspace)?.get(hashOf(agent, before));
    if (found === undefined) return undefined;
    const [newest] = await workspace.eventLog.runs({ sessionId: found.sessionId, last: 1 });
    return newest?.runId === found.runId ? found.sessionId : undefined;
  }

  add(workspace: Workspace, agent: string, sent: readonly HistoryMessage[], answer: string, run: ServedRun): void {
    const known = this.#known.get(workspace) ?? new Map<string, ServedRun>();
    this.#known.set(workspace, known);
    known.set(hashOf(agent, [...sent, { role: "assistant", content: [{ type: "text", text: answer }] }]), run);
    const [oldest] = known.keys();
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
  }
}

function hashOf(agent: string, conversation: readonly HistoryMessage[]): string {
  return createHash("sha256")
    .update(JSON.stringify([agent, conversation]))
    .digest("hex");
}
