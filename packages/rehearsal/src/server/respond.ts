import { type Answer, hasContent } from "../engine/answer.ts";
import type { Play, Player } from "../engine/play.ts";
import type { ModelRequest, Protocol, StreamEvent } from "../protocol/protocol.ts";
import type { Ending, Step } from "../script/script.ts";
import { protocolFor, protocols } from "./protocols.ts";
import type { OpenRecord, Recorder } from "./record.ts";
import { type Outgoing, pause, sendJson, sendPage, sendTexts } from "./send.ts";

/** One request on its way through the server. */
export interface Exchange extends Outgoing {
  readonly record: OpenRecord;
  readonly requestId: string;
}

export interface Stage {
  readonly player: Player;
  readonly recorder: Recorder;
}

/** Answers one request: by the script where it asks the model, else by what the API's other endpoints say. */
export async function respond(exchange: Exchange, stage: Stage): Promise<void> {
  const { method, path, body } = exchange.record;
  const protocol = protocolFor(method, path);
  if (protocol === undefined) return respondElsewhere(exchange);
  const reading = protocol.read(body);
  if ("problem" in reading) {
    const message = `The request is not valid, and the API would refuse it: ${reading.problem}`;
    stage.recorder.addFailure({ message, request: exchange.record }, message);
    return refuse(exchange, protocol, 400, reading.problem);
  }
  await perform(exchange, protocol, reading.request, stage);
}

function respondElsewhere(exchange: Exchange): void {
  const [protocol] = protocols;
  const found = protocol.other(exchange.record);
  if (found !== undefined) sendJson(exchange, 200, requestHeaders(exchange), found);
  else refuse(exchange, protocol, 404, `Not found: ${exchange.record.method} ${exchange.record.path}`);
}

/**
 * Clients do not retry a 400 as it is, so that a failure comes through at once and whole. (Claude Code 2.1.330 repeats
 * it twice without its newest optional features.)
 */
async function perform(exchange: Exchange, protocol: Protocol, request: ModelRequest, { player, recorder }: Stage) {
  const play = player(request.conversation);
  if (play.kind === "mismatch") {
    const { kind: _, reason: message, ...where } = play;
    recorder.addFailure({ ...where, message, request: exchange.record }, `${request.conversation.id} ${message}`);
    return refuse(exchange, protocol, 400, `Rehearsal: ${message}`);
  }
  exchange.record.played = { turn: play.turn, step: play.step.number };
  await pause(exchange, play.step.delayMs);
  await enact(exchange, protocol, request, play);
}

type Enacted = Extract<Play, { kind: "step" }>;

async function enact(exchange: Exchange, protocol: Protocol, request: ModelRequest, { step, answer }: Enacted) {
  const { act } = step;
  const headers = stepHeaders(exchange, protocol, step);
  if (act.kind === "reset") return void exchange.drop();
  if (act.kind === "page") return sendPage(exchange, act.status, headers);
  if (act.kind === "refuse") return sendJson(exchange, act.status, headers, refusal(exchange, protocol, act));
  if (answer === undefined) return;
  const type = request.streaming ? "text/event-stream; charset=utf-8" : "application/json";
  exchange.response.writeHead(200, { "content-type": type, "cache-control": "no-cache", ...headers });
  const texts = request.streaming
    ? protocol.stream(answer, request, act.ending)
    : inOne(protocol, answer, request, act.ending);
  await sendTexts(exchange, texts, act.delivery, act.ending);
}

/** An answer in one piece is cut or stalls in its middle; one without content before its beginning. */
function inOne(protocol: Protocol, answer: Answer, request: ModelRequest, ending: Ending): StreamEvent[] {
  const text = JSON.stringify(protocol.whole(answer, request));
  if (ending === "whole") return [{ text, isPiece: true }];
  return hasContent(answer) ? [{ text: text.slice(0, text.length / 2), isPiece: true }] : [];
}

function refusal({ requestId }: Exchange, protocol: Protocol, act: Extract<Step["act"], { kind: "refuse" }>): unknown {
  const { status, errorType: type, message } = act;
  return protocol.error({
    status,
    requestId,
    ...(type !== undefined && { type }),
    ...(message !== undefined && { message }),
  });
}

function refuse(exchange: Exchange, protocol: Protocol, status: number, message: string): void {
  const { requestId } = exchange;
  sendJson(exchange, status, requestHeaders(exchange), protocol.error({ status, message, requestId }));
}

function stepHeaders(exchange: Exchange, protocol: Protocol, { headers, limit }: Step): Record<string, string> {
  const limits = limit === undefined ? {} : protocol.limitHeaders(limit, Date.now());
  return { ...requestHeaders(exchange), ...limits, ...headers };
}

function requestHeaders({ requestId }: Exchange): Record<string, string> {
  return { "request-id": requestId };
}
