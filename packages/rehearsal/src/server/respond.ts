import { answerEndpoint } from "../anthropic/endpoints.ts";
import { answerCopilotEndpoint } from "../copilot/endpoints.ts";
import { hasContent, type ScriptAnswer } from "../engine/answer.ts";
import type { Play, Player } from "../engine/play.ts";
import { answerListing } from "../models/listings.ts";
import { answerChatGptEndpoint } from "../openai/chatgpt-endpoints.ts";
import type {
  ErrorReply,
  Memory,
  ModelRequest,
  Protocol,
  Reply,
  StreamEvent,
  WireFault,
} from "../protocol/protocol.ts";
import type { Act, Ending, Step } from "../script/script.ts";
import { protocolFor, protocolOf } from "./protocols.ts";
import type { RequestLog, WritableRequest } from "./request-log.ts";
import { delay, type Outgoing, sendEvents, sendJson, sendPage } from "./send.ts";

/** One request and its answer. */
export interface HttpExchange extends Outgoing {
  readonly record: WritableRequest;
  readonly requestId: string;
}

export interface RehearsalContext {
  readonly player: Player;
  /** The models that the server lists. */
  readonly models: readonly string[] | undefined;
  readonly log: RequestLog;
  readonly memory: Memory;
}

/** Answers one request: from the script if the request is to the model, or else from the API's other endpoints. */
export async function respond(exchange: HttpExchange, context: RehearsalContext): Promise<void> {
  const { record } = exchange;
  const protocol = protocolFor(record);
  if (protocol === undefined) return respondElsewhere(exchange, context);
  const reading = protocol.read({ ...record, memory: context.memory });
  if ("problem" in reading) {
    const message = `The request is invalid, and the real API would refuse it: ${reading.problem}`;
    context.log.addFailure({ message, request: record }, message);
    const { problem, status = 400, code } = reading;
    return refuse(exchange, protocol, { status, message: problem, code });
  }
  await perform(exchange, protocol, reading.request, context);
}

function respondElsewhere(exchange: HttpExchange, { models }: RehearsalContext): void {
  const { record } = exchange;
  const { method, path, headers } = record;
  const protocol = protocolOf(headers);
  const ofAccount = answerCopilotEndpoint(record, models) ?? answerChatGptEndpoint(record, Date.now());
  const found = ofAccount ? undefined : (answerListing(record, models) ?? answerEndpoint(record));
  const answer = found === undefined ? ofAccount : { status: 200, body: found };
  if (answer) sendJson(exchange, answer.status, requestHeaders(exchange, protocol), answer.body);
  else refuse(exchange, protocol, { status: 404, message: `Not found: ${method} ${path}` });
}

/**
 * Sends an answer, a fault or a failure. A failure is a 400, because clients do not repeat the request then. (Claude Code 2.1.330 repeats
 * it twice without its newest optional features.)
 */
async function perform(
  exchange: HttpExchange,
  protocol: Protocol,
  request: ModelRequest,
  { player, log }: RehearsalContext,
) {
  const conversation = { ...request.conversation, id: `${protocol.name} ${request.conversation.id}` };
  const play = await player(conversation);
  if (play.kind === "mismatch" && request.unscripted !== undefined)
    return sendJson(exchange, 200, requestHeaders(exchange, protocol), request.unscripted());
  if (play.kind === "mismatch") {
    const { kind: _, reason: message, ...where } = play;
    log.addFailure({ ...where, message, request: exchange.record }, `${conversation.id} ${message}`);
    return refuse(exchange, protocol, { status: 400, message: `Rehearsal: ${message}` });
  }
  exchange.record.played = { turn: play.turn, step: play.step.number };
  await delay(exchange, play.step.delayMs);
  await enact(exchange, protocol, request.reply, play);
}

type Enacted = Extract<Play, { kind: "step" }>;

async function enact(exchange: HttpExchange, protocol: Protocol, reply: Reply, { step, answer }: Enacted) {
  const { act } = step;
  const headers = stepHeaders(exchange, protocol, step);
  if (act.kind === "reset") return void exchange.drop();
  if (act.kind === "page") return sendPage(exchange, act.status, headers);
  if (act.kind === "refuse") {
    const isLimit = step.limit?.status === "rejected";
    return refuse(exchange, protocol, { ...toRefusal(act), isLimit }, headers);
  }
  if (answer === undefined) return;
  const type = reply.kind === "stream" ? reply.contentType : "application/json";
  exchange.response.writeHead(200, { "content-type": type, "cache-control": "no-cache", ...headers });
  const events =
    reply.kind === "stream" ? reply.events(answer, act.ending) : inOne(reply.body(answer), answer, act.ending);
  await sendEvents(exchange, events, act.delivery, act.ending);
}

/** Returns the events of an answer in one piece. The body is cut or stalls halfway, or at its beginning if the answer has no content. */
function inOne(body: unknown, answer: ScriptAnswer, ending: Ending): StreamEvent[] {
  const data = JSON.stringify(body);
  if (ending === "whole") return [{ data, isPiece: true }];
  return hasContent(answer) ? [{ data: data.slice(0, data.length / 2), isPiece: true }] : [];
}

type Refusal = Omit<WireFault, "requestId">;

function toRefusal({ status, errorType: type, message }: Extract<Act, { kind: "refuse" }>): Refusal {
  return { status, type, message };
}

function refuse(exchange: HttpExchange, protocol: Protocol, refusal: Refusal, headers?: Record<string, string>): void {
  const { body, headers: own }: ErrorReply = protocol.error({ ...refusal, requestId: exchange.requestId });
  sendJson(exchange, refusal.status, { ...requestHeaders(exchange, protocol), ...own, ...headers }, body);
}

function stepHeaders(exchange: HttpExchange, protocol: Protocol, { headers, limit }: Step): Record<string, string> {
  const limits = limit === undefined ? {} : protocol.limitHeaders(limit, Date.now());
  return { ...requestHeaders(exchange, protocol), ...limits, ...headers };
}

function requestHeaders({ requestId }: HttpExchange, { requestIdHeader }: Protocol): Record<string, string> {
  return { [requestIdHeader]: requestId };
}
