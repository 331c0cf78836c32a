import type { Route } from "../../src/http/route.ts";

/** Random choices that are the same for the same seed. */
export class RandomChoices {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns the next number, from mulberry32. */
  number(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let value = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  }

  of<T>(values: readonly T[]): T {
    const value = values[Math.floor(this.number() * values.length)];
    if (value === undefined) throw new Error("There is nothing to choose.");
    return value;
  }

  is(probability: number): boolean {
    return this.number() < probability;
  }
}

const names = [
  "same",
  "a",
  "missing",
  ".",
  "..",
  "%2e%2e",
  "a%2fb",
  "%00",
  "%",
  "\u00e9",
  "a b",
  "x".repeat(300),
  "__proto__",
  "constructor",
  "../../etc/passwd",
  "1",
  "-1",
  "0",
  "null",
  "undefined",
  "true",
  "%F0%9F%98%80",
  "agent",
  "run_00000000",
  "f".repeat(64),
  "*",
];
const values = [
  "",
  "0",
  "-1",
  "1",
  "1e9",
  "99999999999999999999",
  "NaN",
  "null",
  "true",
  "a",
  "%00",
  "x".repeat(500),
  "a:1,b:2",
  ":::",
  "approvals",
  "runs,runs",
  "..",
  "[]",
  "{}",
  "%",
  "%ff",
  "\u00e9",
  "'",
  '"',
  "<script>",
  "$(id)",
  "2026-01-01",
  "same:0",
];
const jsonValues: readonly unknown[] = [
  "",
  "Hello",
  "x".repeat(2000),
  0,
  -1,
  1.5,
  1e308,
  true,
  false,
  null,
  [],
  {},
  [[]],
  [null],
  { a: 1 },
  "../../x",
  "\u0000",
  "\ud800",
  { text: "Hi" },
  [{ type: "text", text: "Hi" }],
  { $ref: "#" },
  Number.MAX_SAFE_INTEGER,
];
const parameters = [
  "after",
  "limit",
  "cursor",
  "q",
  "agent",
  "at",
  "sessions",
  "topics",
  "state",
  "wait",
  "a",
  "b",
  "__proto__",
];
const fields = [
  "prompt",
  "agent",
  "id",
  "labels",
  "attachments",
  "timeLimit",
  "inputHash",
  "decision",
  "atStep",
  "rules",
  "text",
];

/** Creates a request as bytes: a route of the server with a random part. */
export function randomRequest(routes: readonly Route[], host: string, token: string, choices: RandomChoices): Buffer {
  const route = choices.of(routes);
  const method = choices.is(0.85)
    ? route.method
    : choices.of(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "FOO", "get"]);
  const path = `/api/v1${route.path.replace(/\{\w+\}/g, () => choices.of(names))}`;
  const target = choices.is(0.9)
    ? path + randomQuery(choices)
    : choices.of(["*", "//x/y", "http://x/", "/", path.toUpperCase(), `${path}/`, `${path}//..`]);
  const body = method === "GET" && choices.is(0.95) ? "" : randomBody(choices);
  const head = [
    `${method} ${target} HTTP/1.1`,
    choices.is(0.97) ? `Host: ${host}` : choices.of(["Host: evil.example", "Host:", "X: y"]),
    ...(token === "" ? [] : [`Authorization: Bearer ${token}`]),
    ...(body === "" ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ...(body !== "" && choices.is(0.95) ? ["Content-Type: application/json"] : []),
    ...(choices.is(0.1)
      ? [
          choices.of([
            "Accept: text/event-stream",
            "If-Match: x",
            "If-None-Match: *",
            "Last-Event-ID: x",
            "Range: bytes=0-",
            "Expect: 100-continue",
            "Idempotency-Key: k",
            `Idempotency-Key: ${"k".repeat(5000)}`,
            "Origin: null",
            "Accept: */*",
            "Upgrade: websocket",
            "Connection: close",
          ]),
        ]
      : []),
    "Connection: close",
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}

function randomQuery(choices: RandomChoices): string {
  if (choices.is(0.5)) return "";
  const count = 1 + Math.floor(choices.number() * 3);
  return `?${Array.from({ length: count }, () => `${choices.of(parameters)}=${choices.of(values)}`).join("&")}`;
}

function randomBody(choices: RandomChoices): string {
  if (choices.is(0.1))
    return choices.of(["{", "[]", "null", "1", '"x"', "{}{}", "\u0000", '{"__proto__":{"a":1}}', "[".repeat(5000)]);
  const count = Math.floor(choices.number() * 4);
  const body = Array.from({ length: count }, () => [choices.of(fields), choices.of(jsonValues)] as const);
  return JSON.stringify(Object.fromEntries(body));
}
