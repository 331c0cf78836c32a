/** Valid requests with up to three random changes. Most of them pass the first checks and reach the code behind them. */
import type { FilledIds } from "./fill-server.ts";
import { type GoodRequest, targetOf } from "./good-requests.ts";
import type { RandomChoices } from "./random-requests.ts";

export interface SentRequest {
  readonly key: string;
  readonly bytes: Buffer;
}

const texts = [
  "",
  " ",
  "0",
  "-1",
  "plain",
  "where is my order",
  "null",
  "true",
  "__proto__",
  "constructor",
  "toString",
  "*",
  "../../etc/passwd",
  "/etc/passwd",
  "..",
  ".",
  "a\u0000b",
  "\ud800",
  "\u2028",
  "\u202e",
  "\ufeff",
  "é".normalize("NFD"),
  "(a+)+$",
  "(",
  "[",
  "{{ x }}",
  "#{x}",
  "$(id)",
  "<script>",
  "' OR 1=1 --",
  "%00",
  "%",
  "1e999",
  "NaN",
  "x".repeat(300),
  "x".repeat(70_000),
  "🙂".repeat(200),
  "data:text/plain;base64,AAAA",
  "https://evil.example/x",
  "data:,",
  "data:image/png;base64,!!",
  "file:///etc/passwd",
  "2026-01-01",
  "newest",
  "agent",
  "handbook",
  "lookup",
];
const others: readonly unknown[] = [
  0,
  -1,
  1.5,
  1e308,
  -0,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  2 ** 31,
  true,
  false,
  null,
  [],
  {},
  [[]],
  [null],
  [{}],
  { a: 1 },
  { type: "text" },
  { text: "x" },
  [{ type: "text", text: "x" }],
  { toString: 1 },
  { then: 1 },
  JSON.parse('{"__proto__":{"a":1}}'),
  { constructor: { prototype: 1 } },
  Array.from({ length: 5000 }, () => 0),
];
const keys = ["__proto__", "constructor", "extra", "", "id", "type", "prompt", "role", "0", "length", "then", "toJSON"];
const headers = [
  "Accept: text/event-stream",
  "Accept: */*",
  "Accept: application/json",
  "If-Match: x",
  'If-Match: "a", *',
  "If-None-Match: *",
  "Last-Event-ID: 1",
  "Last-Event-ID: a:1,b:2",
  "Last-Event-ID: 99999999999999999999",
  "Range: bytes=0-",
  "Expect: 100-continue",
  "Expect: 200-maybe",
  "Idempotency-Key: k",
  "Idempotency-Key: ",
  `Idempotency-Key: ${"k".repeat(500)}`,
  "Idempotency-Key: k\u00e9",
  "Mcp-Session-Id: x",
  "Mcp-Protocol-Version: 1",
  "Mcp-Protocol-Version: 2026-07-28",
  "Mcp-Method: tools/call",
  "Content-Encoding: gzip",
  "Content-Type: text/plain",
  "Content-Type: application/json",
  "Accept-Language: x",
  "X-Forwarded-For: 1.2.3.4",
  "Cookie: token=x",
  "TE: trailers",
];

/** Makes up to three changes to a request. */
export function mutate(
  good: GoodRequest,
  ids: FilledIds,
  host: string,
  token: string,
  choices: RandomChoices,
): SentRequest {
  const mutation = new Mutation(ids, choices);
  const changes = choices.is(0.1) ? 0 : 1 + Math.floor(choices.number() * 3);
  let changed = good;
  let body = good.body;
  const more: string[] = [];
  for (let index = 0; index < changes; index += 1) {
    const kind = choices.number();
    if (kind < 0.55 && body !== undefined) body = mutation.body(body);
    else if (kind < 0.7) changed = { ...changed, names: mutation.record(changed.names) };
    else if (kind < 0.85) changed = { ...changed, query: mutation.record(changed.query) };
    else more.push(choices.of(headers));
  }
  const own = Object.entries(good.headers).map(([name, value]) => `${name}: ${value}`);
  const head = [...own, ...more, `Host: ${host}`, `Authorization: Bearer ${token}`, "Connection: close"];
  const method = choices.is(0.95) ? good.method : choices.of(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]);
  const text = body === undefined ? "" : mutation.text(body);
  return { key: `${good.method} ${good.path}`, bytes: toBytes(`${method} ${targetOf(changed)}`, head, text, choices) };
}

class Mutation {
  readonly #ids: readonly string[];
  readonly #choices: RandomChoices;

  constructor(ids: FilledIds, choices: RandomChoices) {
    this.#ids = Object.values(ids);
    this.#choices = choices;
  }

  /** Changes, removes or adds a value of the record. */
  record(record: Readonly<Record<string, string>>): Record<string, string> {
    const names = Object.keys(record);
    const name = names.length > 0 && this.#choices.is(0.9) ? this.#choices.of(names) : this.#choices.of(keys);
    const rest = Object.entries(record).filter(([each]) => each !== name);
    return Object.fromEntries(this.#choices.is(0.1) ? rest : [...rest, [name, wellFormed(this.#text())]]);
  }

  /** Replaces a value somewhere in the body. */
  body(value: unknown): unknown {
    if (this.#choices.is(0.15)) return this.#value(value);
    if (Array.isArray(value) && value.length > 0) {
      const at = Math.floor(this.#choices.number() * value.length);
      if (this.#choices.is(0.15)) return [...value, ...value];
      return value.map((each, index) => (index === at ? this.body(each) : each));
    }
    if (typeof value !== "object" || value === null) return this.#value(value);
    const entries = Object.entries(value);
    if (entries.length === 0 || this.#choices.is(0.1)) {
      return Object.fromEntries([...entries, [this.#choices.of(keys), this.#value(value)]]);
    }
    const at = Math.floor(this.#choices.number() * entries.length);
    if (this.#choices.is(0.1)) return Object.fromEntries(entries.filter((_, index) => index !== at));
    return Object.fromEntries(entries.map(([name, each], index) => [name, index === at ? this.body(each) : each]));
  }

  /** Formats JSON, which is sometimes cut off or has a duplicate field. */
  text(body: unknown): string {
    const text = JSON.stringify(body) ?? "";
    if (this.#choices.is(0.02)) return text.slice(0, Math.floor(text.length * this.#choices.number()));
    return this.#choices.is(0.02) ? text.replace("{", '{"__proto__":1,"id":1,') : text;
  }

  #text(): string {
    return this.#choices.of(this.#choices.is(0.4) ? this.#ids : texts);
  }

  #value(value: unknown): unknown {
    if (this.#choices.is(0.1)) return nested(value, this.#choices.of([5, 50, 90, 99, 101, 300, 2000]));
    return this.#choices.is(0.6) ? this.#text() : this.#choices.of(others);
  }
}

/** Removes unpaired surrogates, which a URL cannot contain. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** Creates nested lists and objects. */
function nested(value: unknown, levels: number): unknown {
  let deep: unknown = value;
  for (let level = 0; level < levels; level += 1) deep = level % 2 === 0 ? [deep] : { a: deep };
  return deep;
}

function toBytes(first: string, head: readonly string[], body: string, choices: RandomChoices): Buffer {
  const typed = body === "" ? head : [...head, "Content-Type: application/json"];
  const chunked = body !== "" && choices.is(0.1);
  const length = chunked ? ["Transfer-Encoding: chunked"] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const lines = [`${first} HTTP/1.1`, ...typed, ...(body === "" ? [] : length)];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${chunked ? toChunks(body) : body}`);
}

function toChunks(body: string): string {
  const half = Math.floor(body.length / 2);
  const parts = [body.slice(0, half), body.slice(half)].filter((part) => part !== "");
  const chunk = (part: string) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`;
  return `${parts.map(chunk).join("")}0\r\n\r\n`;
}
