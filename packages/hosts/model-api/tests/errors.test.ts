import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as errors from "@bridle/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { createModelApiBackend } from "../src/backend.ts";
import { type ModelApiId, modelApiIds } from "../src/settings/options.ts";
import { optionsFor } from "./test-backend.ts";
import { rejectionOf, startSteps } from "./test-runtime.ts";

const prompt = "go";

describe.each(modelApiIds)("on %s", (id) => {
  test.each([
    [400, errors.InvalidRequestError],
    [401, errors.AuthenticationError],
    [402, errors.BillingError],
    [403, errors.AuthenticationError],
    [404, errors.ModelNotFoundError],
    [413, errors.ContextOverflowError],
    [422, errors.InvalidRequestError],
    [429, errors.RateLimitError],
    [500, errors.OverloadedError],
    [503, errors.OverloadedError],
    [529, errors.OverloadedError],
  ])("status %i becomes a %O", async (status, type) => {
    const { runtime } = await startSteps(id, [{ status, forever: true }]);
    const error = await rejectionOf(runtime.generateText({ prompt }));
    expect(error).toBeInstanceOf(type);
    expect(JSON.stringify(error)).not.toMatch(/key-of|token-of|secret-of/);
  });

  test("an error hides a credential that the host repeats", async () => {
    const message =
      "Nobody knows key-of-anthropic key-of-gateway key-of-openai token-of-vertex secret-of-bedrock password-of-proxy.";
    const { runtime } = await startSteps(id, [{ status: 401, message, forever: true }], {
      headers: { "x-proxy-token": "password-of-proxy" },
    });
    const error = await rejectionOf(runtime.generateText({ prompt }));
    expect(error).toHaveProperty("message", expect.not.stringContaining(secrets[id]));
    expect(error).toHaveProperty("message", expect.stringContaining("Nobody knows"));
  });

  test.each(["the prompt is too long: 250000 tokens > 200000 maximum", "This model's maximum context length is 8192"])(
    "a 400 with the message %j is a ContextOverflowError",
    async (message) => {
      const { runtime } = await startSteps(id, [{ status: 400, message }]);
      expect(await rejectionOf(runtime.generateText({ prompt }))).toBeInstanceOf(errors.ContextOverflowError);
    },
  );

  test("a used-up quota is a BillingError, and is not retried", async () => {
    const message = "You exceeded your current quota, please check your plan and billing details.";
    const { runtime, requestCount } = await startSteps(id, [{ status: 429, message, forever: true }]);
    const error = await rejectionOf(runtime.generateText({ prompt }));
    expect(error).toBeInstanceOf(errors.BillingError);
    expect(error).toHaveProperty("message", expect.stringContaining("Add credit to it"));
    expect(requestCount()).toBe(1);
  });

  test("a page of HTML is retried if the service fails, and means a wrong base URL otherwise", async () => {
    const failing = await startSteps(id, [{ html: true }, { say: "fine" }]);
    expect((await failing.runtime.generateText({ prompt })).text).toBe("fine");
    const error = await rejectionOf(backendAt(id, (response) => answer(response, 200, "text/html", "<p>hi</p>")));
    expect(error).toBeInstanceOf(errors.ConfigError);
    expect(error).toMatchObject({
      field: "llm.provider.baseUrl",
      message: expect.stringMatching(/a page of HTML.*base URL is probably wrong/),
    });
  });

  test.each([
    ["JSON of something else", (response: ServerResponse) => answer(response, 200, "application/json", '{"ok":true}')],
    [
      "a stream of something else",
      (response: ServerResponse) => answer(response, 200, "text/event-stream", "data: hi\n\n"),
    ],
    ["a redirect", (response: ServerResponse) => response.writeHead(302, { location: "https://example.com/" }).end()],
  ])("%s means a wrong base URL", async (_, respond) => {
    const error = await rejectionOf(backendAt(id, respond));
    expect(error).toBeInstanceOf(errors.ConfigError);
    expect(error).toHaveProperty("message", expect.stringContaining("llm.provider.baseUrl"));
  });

  test("a closed port is a NetworkError with the address and a remedy", async () => {
    const url = await closedPort();
    const backend = createModelApiBackend({ ...optionsFor(id, url), maxAttempts: 1 });
    const error = await rejectionOf(check(backend));
    expect(error).toBeInstanceOf(errors.NetworkError);
    expect(error).toHaveProperty("message", expect.stringContaining(url));
    expect(error).toHaveProperty("message", expect.stringMatching(/ECONNREFUSED.*llm\.provider\.baseUrl/));
  });

  test("an answer that reaches its length limit is a BudgetExceededError", async () => {
    const stop_reason = { anthropic: "max_tokens", openai: "max_output_tokens" }[family(id)];
    const { runtime } = await startSteps(id, [{ say: "Once upon", stop_reason }]);
    const error = await rejectionOf(runtime.generateText({ prompt, maxOutputTokens: 20 }));
    expect(error).toBeInstanceOf(errors.BudgetExceededError);
  });
});

test("the error for an unknown model names the nearest known models", async () => {
  const { runtime } = await startSteps("anthropic", [{ status: 404, forever: true }]);
  const error = await rejectionOf(runtime.generateText({ prompt, model: "claude-opus-5-6" }));
  expect(error).toMatchObject({ model: "claude-opus-5-6", nearest: expect.arrayContaining(["claude-opus-5-5"]) });
});

test.each(["vertex", "bedrock"] as const)(
  "%s refuses a model that is not Claude before it sends a request",
  async (id) => {
    const { runtime, requestCount } = await startSteps(id, [{ say: "hi" }]);
    const error = await rejectionOf(runtime.generateText({ prompt, model: "gemini-3-pro" }));
    expect(error).toBeInstanceOf(errors.ModelNotFoundError);
    expect(error).toHaveProperty("message", expect.stringContaining("gateway or openai-compatible"));
    expect(requestCount()).toBe(0);
  },
);

test("a refusal of the model is an InvalidRequestError", async () => {
  const { runtime } = await startSteps("anthropic", [{ say: "No.", stop_reason: "refusal" }]);
  expect(await rejectionOf(runtime.generateText({ prompt }))).toBeInstanceOf(errors.InvalidRequestError);
});

test("an unknown finish reason is an error that names it", async () => {
  const { runtime } = await startSteps("anthropic", [{ say: "Hm.", stop_reason: "tired" }]);
  const error = await rejectionOf(runtime.generateText({ prompt }));
  expect(error).toBeInstanceOf(errors.BackendCrashError);
  expect(error).toHaveProperty("message", expect.stringContaining('"tired"'));
});

test("a host name that cannot be looked up is a NetworkError", async () => {
  const backend = createModelApiBackend({ ...optionsFor("anthropic", "http://nowhere.invalid"), maxAttempts: 1 });
  expect(await rejectionOf(backend.checkAuth())).toBeInstanceOf(errors.NetworkError);
});

const secrets: Readonly<Record<ModelApiId, string>> = {
  anthropic: "key-of-anthropic",
  gateway: "key-of-gateway",
  openai: "key-of-openai",
  vertex: "token-of-vertex",
  bedrock: "secret-of-bedrock",
  "openai-compatible": "password-of-proxy",
};

function family(id: ModelApiId): "anthropic" | "openai" {
  return id === "openai" || id === "openai-compatible" || id === "gateway" ? "openai" : "anthropic";
}

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { "content-type": type }).end(body);
}

/** Checks the credentials of a backend whose server does not speak a model protocol. */
async function backendAt(id: ModelApiId, respond: (response: ServerResponse) => unknown): Promise<unknown> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => respond(response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return check(createModelApiBackend(optionsFor(id, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)));
}

/** Returns the address of a server that has been closed. */
async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

function check(backend: errors.Backend): Promise<unknown> {
  return backend.checkAuth();
}
