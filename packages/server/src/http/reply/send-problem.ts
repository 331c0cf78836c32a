import type { IncomingMessage, ServerResponse } from "node:http";
import type { Api } from "../api.ts";
import { describeProblem, type RequestProblem } from "../problem.ts";
import { commonHeaders } from "./common-headers.ts";

/** A problem in the format of its API, ready to be sent. */
export interface FormattedProblem {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export function toFormattedProblem(problem: RequestProblem, instance: string, api?: Api): FormattedProblem {
  const document = describeProblem(problem, instance.slice(0, 200));
  const type = api?.formatProblem ? "application/json" : "application/problem+json";
  const text = JSON.stringify(api?.formatProblem?.(document) ?? document);
  return { status: problem.status, headers: { ...commonHeaders, "content-type": type, ...problem.headers }, text };
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Sends a problem from the application. Headers that are set on `outgoing` are also sent. */
export function sendProblem({ status, headers, text }: FormattedProblem, exchange: Exchange): Response {
  return new Response(text, { status, headers: { ...headers, ...closing(exchange) } });
}

/** Writes a problem from the listener, before the application is involved. */
export function writeProblem({ status, headers, text }: FormattedProblem, exchange: Exchange): void {
  const { incoming, outgoing } = exchange;
  outgoing.writeHead(status, { ...headers, ...closing(exchange), "content-length": Buffer.byteLength(text) }).end(text);
  if (!incoming.complete) incoming.resume();
}

/** Returns the headers that close the connection, because an unread body would be parsed as the next request. */
function closing({ incoming }: Exchange): Record<string, string> {
  return incoming.complete || !hasBody(incoming) ? {} : { connection: "close" };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
