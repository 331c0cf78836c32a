/**
 * What can be read from an error of a provider module, however deep it is wrapped: the AI SDK's `AI_APICallError` and
 * `AI_RetryError`, the gateway's errors, parts of a stream that say `error`, and our own from `transport.ts`.
 */
import { type BridleError, isBridleError, isPlainObject } from "@bridle/protocol";

export interface Failure {
  /** The typed error that stands somewhere in the chain, if one does. */
  typed?: BridleError;
  status?: number;
  /** The host's own word for what is wrong, such as `overloaded_error` or `insufficient_quota`; all that were found. */
  codes: readonly string[];
  message: string;
  headers: Readonly<Record<string, string>>;
  /** What came was no message of the protocol. */
  garbled: boolean;
  /** The stream came to its end before the answer did. */
  unfinished: boolean;
  /** The host said what is wrong in JSON with a message, as model APIs do. */
  explained: boolean;
}

const deepest = 10;

export function readFailure(error: unknown): Failure {
  const chain = unwrap(error);
  const bodies = chain.flatMap(bodyOf);
  const fields = [...bodies, ...chain];
  const typed = chain.find(isBridleError);
  const status = chain.map((link) => numberOf(link, "statusCode", "status")).find((found) => found !== undefined);
  const headers = chain.map((link) => headersOf(link)).find((found) => found !== undefined);
  const texts = fields.map((link) => textOf(link, "message"));
  return {
    ...(typed === undefined ? {} : { typed }),
    ...(status === undefined ? {} : { status }),
    codes: [...new Set(fields.flatMap((link) => [textOf(link, "type") ?? [], textOf(link, "code") ?? []].flat()))],
    message: (texts.find((text) => text !== undefined && text.trim() !== "") ?? "no reason was given").trim(),
    headers: headers ?? {},
    garbled: chain.some(isGarbled),
    unfinished: chain.some((link) => textOf(link, "message") === unfinishedMessage),
    explained: bodies.some((body) => textOf(body, "message") !== undefined),
  };
}

const garbledNames = ["AI_JSONParseError", "AI_TypeValidationError", "AI_InvalidResponseDataError"];

/** The Messages modules keep nothing of what was wrong with a first chunk but this sentence (seen in 4.0.105). */
const garbledMessage = "Expected a normalized Anthropic stream error";

/** All that the module for Chat Completions says of it (seen in 3.0.92). */
const unfinishedMessage = "Response stream ended without a finish reason.";

function isGarbled(link: unknown): boolean {
  return garbledNames.includes(textOf(link, "name") ?? "") || textOf(link, "message") === garbledMessage;
}

/** The error and all that it wraps, outermost first. */
function unwrap(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let link = error; link !== undefined && link !== null && chain.length < deepest; link = innerOf(link)) {
    if (chain.includes(link)) break;
    chain.push(link);
  }
  return chain;
}

function innerOf(link: unknown): unknown {
  if (!isPlainObject(link)) return undefined;
  return link.lastError ?? link.cause;
}

/**
 * The error in the host's own JSON: `{ error: { type, code, message } }`, the same without the wrapping, within the
 * `response` of a part of a stream, or in the `value` that a module did not know.
 */
function bodyOf(link: unknown): Record<string, unknown>[] {
  if (!isPlainObject(link)) return [];
  const part = link instanceof Error ? undefined : link;
  const parsed = [parse(link.responseBody), link.data, link.value, part].filter(isPlainObject);
  return parsed.flatMap((body) => {
    const inner = isPlainObject(body.error) ? body.error : isPlainObject(body.response) ? body.response : undefined;
    if (inner && isPlainObject(inner.error)) return [inner.error];
    return inner ? [inner] : [typeof body.error === "string" ? { ...body, message: body.error } : body];
  });
}

function parse(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOf(link: unknown, field: string): string | undefined {
  if (typeof link === "string") return field === "message" ? link : undefined;
  const value = isPlainObject(link) ? link[field] : undefined;
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function numberOf(link: unknown, ...fields: string[]): number | undefined {
  if (!isPlainObject(link)) return undefined;
  return fields.map((field) => link[field]).find((value): value is number => typeof value === "number");
}

/**
 * An error as the cause of ours: what it said and where it came from, each by way of `tell`, without the request and
 * the answer that the modules' errors hold.
 */
export function causeOf(error: unknown, tell: (text: string) => string): Error {
  const [first, ...inner] = unwrap(error).map((link) => bareError(link, tell));
  let last = first;
  for (const link of inner) {
    if (last) last.cause = link;
    last = link;
  }
  return first ?? new Error("no reason was given");
}

function bareError(link: unknown, tell: (text: string) => string): Error {
  const bare = new Error(tell(textOf(link, "message") ?? "no reason was given"));
  const [name, stack] = [textOf(link, "name"), textOf(link, "stack")];
  if (name !== undefined) bare.name = name;
  if (stack !== undefined) bare.stack = tell(stack);
  return bare;
}

function headersOf(link: unknown): Record<string, string> | undefined {
  if (!isPlainObject(link) || !isPlainObject(link.responseHeaders)) return undefined;
  const entries = Object.entries(link.responseHeaders).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return Object.fromEntries(entries);
}
