import { expect, onTestFinished, test } from "vitest";
import { defineScript, startRehearsal } from "../src/index.ts";

const messages = [{ role: "user", content: "hello" }];
const claude = { max_tokens: 10, messages };

/** A small request for each protocol, as a client sends it. */
const requests = {
  anthropic: ["/v1/messages", { model: "m", ...claude }],
  vertex: ["/v1/publishers/anthropic/models/m:rawPredict", { anthropic_version: "vertex-2023-10-16", ...claude }],
  bedrock: ["/model/m/invoke", { anthropic_version: "bedrock-2023-05-31", ...claude }],
  chat: ["/v1/chat/completions", { model: "m", messages }],
  responses: ["/v1/responses", { model: "m", input: "hello" }],
  embeddings: ["/v1/embeddings", { model: "m", input: "hello" }],
  gateway: ["/v4/ai/language-model", { prompt: [{ role: "user", content: [{ type: "text", text: "hello" }] }] }],
} as const;
type Protocol = keyof typeof requests;

const headers = {
  "ai-language-model-specification-version": "4",
  "ai-language-model-id": "m",
  "ai-language-model-streaming": "false",
};

async function ask(protocol: Protocol, step: { status: number; error_type?: string } | { say: string }, more = {}) {
  const script = defineScript({ rehearsal: 1, turns: [{ steps: [step] }] });
  const rehearsal = await startRehearsal({ script });
  onTestFinished(() => rehearsal.close());
  const [path, body] = requests[protocol];
  const request = { method: "POST", headers, body: JSON.stringify({ ...body, ...more }) };
  const response = await fetch(rehearsal.url + path, request);
  const type = response.headers.get("x-amzn-errortype");
  return { status: response.status, body: await response.json(), ...(type !== null && { type }), rehearsal };
}

const openai = (type: string, code: string | null) => ({
  body: { error: { type, code, param: null, message: expect.stringMatching(/./) } },
});
const anthropic = (type: string) => ({ body: { type: "error", error: { type, message: expect.stringMatching(/./) } } });
const google = (code: number, status: string) => ({ body: { error: { code, status, message: expect.any(String) } } });
const aws = (type: string) => ({ type, body: { message: expect.stringMatching(/./) } });
const gateway = (type: string) => ({ body: { error: { type, message: expect.stringMatching(/./) } } });

test.each([
  [
    "an unknown model",
    { status: 404 },
    {
      anthropic: anthropic("not_found_error"),
      vertex: google(404, "NOT_FOUND"),
      bedrock: aws("ResourceNotFoundException"),
      openai: openai("invalid_request_error", "model_not_found"),
      gateway: gateway("model_not_found"),
    },
  ],
  [
    "a key that is refused",
    { status: 401 },
    {
      anthropic: anthropic("authentication_error"),
      vertex: google(401, "UNAUTHENTICATED"),
      bedrock: aws("UnrecognizedClientException"),
      openai: openai("invalid_request_error", "invalid_api_key"),
      gateway: gateway("authentication_error"),
    },
  ],
  [
    "an account without money",
    { status: 429, error_type: "insufficient_quota" },
    {
      anthropic: anthropic("billing_error"),
      vertex: google(429, "PERMISSION_DENIED"),
      bedrock: aws("AccessDeniedException"),
      openai: openai("insufficient_quota", "insufficient_quota"),
      gateway: gateway("insufficient_funds"),
    },
  ],
  [
    "a prompt that is too long",
    { status: 400, error_type: "context_length_exceeded" },
    {
      anthropic: anthropic("invalid_request_error"),
      vertex: anthropic("invalid_request_error"),
      bedrock: aws("ValidationException"),
      openai: openai("invalid_request_error", "context_length_exceeded"),
      gateway: gateway("invalid_request_error"),
    },
  ],
  [
    "too many requests",
    { status: 429 },
    {
      anthropic: anthropic("rate_limit_error"),
      vertex: google(429, "RESOURCE_EXHAUSTED"),
      bedrock: aws("ThrottlingException"),
      openai: openai("requests", "rate_limit_exceeded"),
      gateway: gateway("rate_limit_exceeded"),
    },
  ],
  [
    "an overloaded server",
    { status: 529 },
    {
      anthropic: anthropic("overloaded_error"),
      vertex: anthropic("overloaded_error"),
      bedrock: aws("ServiceUnavailableException"),
      openai: openai("server_error", "server_is_overloaded"),
      gateway: gateway("internal_server_error"),
    },
  ],
  [
    "a broken server",
    { status: 500 },
    {
      anthropic: anthropic("api_error"),
      vertex: anthropic("api_error"),
      bedrock: aws("InternalServerException"),
      openai: openai("server_error", null),
      gateway: gateway("internal_server_error"),
    },
  ],
])("%s has the form and the words of each protocol", async (_, step, expected) => {
  for (const protocol of ["anthropic", "vertex", "bedrock", "gateway"] as const)
    expect(await ask(protocol, step)).toMatchObject({ status: step.status, ...expected[protocol] });
  for (const protocol of ["chat", "responses", "embeddings"] as const)
    expect(await ask(protocol, step)).toMatchObject({ status: step.status, ...expected.openai });
});

test("a fault is counted for each protocol, even if conversations begin in the same way", async () => {
  const script = defineScript({ rehearsal: 1, turns: [{ steps: [{ status: 529 }, { say: "Hello" }] }] });
  const rehearsal = await startRehearsal({ script });
  onTestFinished(() => rehearsal.close());
  for (const [path, body] of Object.values(requests)) {
    const post = () => fetch(rehearsal.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    expect([(await post()).status, (await post()).status]).toEqual([529, 200]);
  }
});

test("an error type that no protocol knows is sent unchanged", async () => {
  const odd = { status: 418, error_type: "OddException" };
  expect(await ask("anthropic", odd)).toMatchObject(anthropic("OddException"));
  expect(await ask("chat", odd)).toMatchObject(openai("OddException", null));
  expect(await ask("bedrock", odd)).toMatchObject(aws("OddException"));
});

test.each([
  ["vertex", { anthropic_version: "2023-06-01" }, /anthropic_version/],
  ["vertex", { model: "m" }, /model: Extra inputs are not permitted/],
  ["bedrock", { anthropic_version: undefined }, /anthropic_version/],
  ["bedrock", { stream: false }, /Malformed input request: stream: extraneous key/],
  ["bedrock", { max_tokens: undefined }, /max_tokens/],
  ["gateway", { prompt: [] }, /prompt/],
  ["chat", { messages: [] }, /messages/],
  ["chat", { messages: [{ role: "nobody", content: "x" }] }, /messages\.0/],
  ["responses", { input: [] }, /input/],
] as const)("%s refuses a request with %j, and it is a failure", async (protocol, more, reason) => {
  const { status, body, rehearsal } = await ask(protocol, { say: "Hello" }, more);
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toMatch(reason);
  expect(rehearsal.failures).toMatchObject([{ message: expect.stringContaining("the real API would refuse it") }]);
});
