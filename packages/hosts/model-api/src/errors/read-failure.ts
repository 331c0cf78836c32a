/**
 * Reads the facts from an error of a provider module, at any depth of wrapping: the AI SDK's `AI_APICallError` and
 * `AI_RetryError`, the gateway's errors, `error` parts of a stream, and our own errors from `transport.ts`.
 */
import { type BridleError, isBridleError, isPlainObject } from "@bridle/protocol";

/** The facts about a failure that were found in an error and in everything that it wraps. */
export interface RequestFailure {
  /** The first BridleError in the chain of causes. */
  typed: BridleError | undefined;
  status: number | undefined;
  /** All names with which the host describes the failure, such as `overloaded_error` or `insufficient_quota`. */
  codes: readonly string[];
  message: string;
  /** The response's headers, with lower-case names. */
  headers: Readonly<Record<string, string>>;
  /** Whether the response was not a message of the protocol. */
  isGarbled: boolean;
  /** Whether the stream ended before the answer was complete. */
  isUnfinished: boolean;
  /** Whether the host explained the failure in JSON with a message, as model APIs do. */
  isExplained: boolean;
}

const maxDepth = 10;
const noReason = "no reason was given";

export function readFailure(error: unknown): RequestFailure {
  const chain = unwrap(error);
  const bodies = chain.flatMap(readBodies);
  const fields = [...bodies, ...chain];
  const texts = fields.map((link) => readText(link, "message"));
  return {
    typed: chain.find(isBridleError),
    status: chain.map((link) => readNumber(link, "statusCode", "status")).find((found) => found !== undefined),
    codes: [...new Set(fields.flatMap((link) => [readText(link, "type") ?? [], readText(link, "code") ?? []].flat()))],
    message: (texts.find((text) => text !== undefined && text.trim() !== "") ?? noReason).trim(),
    headers: chain.map((link) => readHeaders(link)).find((found) => found !== undefined) ?? {},
    isGarbled: chain.some(isGarbled),
    isUnfinished: chain.some((link) => readText(link, "message") === unfinishedMessage),
    isExplained: bodies.some((body) => readText(body, "message") !== undefined),
  };
}

const garbledNames = ["AI_JSONParseError", "AI_TypeValidationError", "AI_InvalidResponseDataError"];

/** The only message that the modules for Anthropic's Messages API keep about a wrong first chunk (observed on 4.0.105). */
const garbledMessage = "Expected a normalized Anthropic stream error";

/** The only message that the module for Chat Completions keeps about a stream that ended early (observed on 3.0.92). */
const unfinishedMessage = "Response stream ended without a finish reason.";

function isGarbled(link: unknown): boolean {
  return garbledNames.includes(readText(link, "name") ?? "") || readText(link, "message") === garbledMessage;
}

/** Returns the error and everything that it wraps, outermost first. */
function unwrap(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let link = error; link !== undefined && link !== null && chain.length < maxDepth; link = wrappedError(link)) {
    if (chain.includes(link)) break;
    chain.push(link);
  }
  return chain;
}

function wrappedError(link: unknown): unknown {
  if (!isPlainObject(link)) return undefined;
  return link.lastError ?? link.cause;
}

/**
 * Returns the error in the host's JSON: `{ error: { type, code, message } }`, the same without the wrapper, in the `response` of a stream
 * part, or in the `value` that a module did not recognise.
 */
function readBodies(link: unknown): Record<string, unknown>[] {
  if (!isPlainObject(link)) return [];
  const part = link instanceof Error ? undefined : link;
  const parsed = [parseJson(link.responseBody), link.data, link.value, part].filter(isPlainObject);
  return parsed.flatMap((body) => {
    const inner = isPlainObject(body.error) ? body.error : isPlainObject(body.response) ? body.response : undefined;
    if (inner && isPlainObject(inner.error)) return [inner.error];
    return inner ? [inner] : [typeof body.error === "string" ? { ...body, message: body.error } : body];
  });
}

function parseJson(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readText(link: unknown, field: string): string | undefined {
  if (typeof link === "string") return field === "message" ? link : undefined;
  const value = isPlainObject(link) ? link[field] : undefined;
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function readNumber(link: unknown, ...fields: string[]): number | undefined {
  if (!isPlainObject(link)) return undefined;
  return fields.map((field) => link[field]).find((value): value is number => typeof value === "number");
}

function readHeaders(link: unknown): Record<string, string> | undefined {
  if (!isPlainObject(link) || !isPlainObject(link.responseHeaders)) return undefined;
  const entries = Object.entries(link.responseHeaders).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return Object.fromEntries(entries);
}

/**
 * Returns a copy of an error, to use as the cause of one of our errors: name, message and stack, each passed through `clean`. Leaves out
 * the request and the response that the modules' errors contain.
 */
export function copyCause(error: unknown, clean: (text: string) => string): Error {
  const [first, ...inner] = unwrap(error).map((link) => copyError(link, clean));
  let last = first;
  for (const link of inner) {
    if (last) last.cause = link;
    last = link;
  }
  return first ?? new Error(noReason);
}

function copyError(link: unknown, clean: (text: string) => string): Error {
  const copy = new Error(clean(readText(link, "message") ?? noReason));
  const [name, stack] = [readText(link, "name"), readText(link, "stack")];
  if (name !== undefined) copy.name = name;
  if (stack !== undefined) copy.stack = clean(stack);
  return copy;
}
