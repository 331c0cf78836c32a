import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as errors from "@bridle/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { createModelApiBackend } from "../src/backend.ts";
import { type ModelApiId, modelApiIds } from "../src/settings/options.ts";
import { failureOf, stageSteps } from "./runs.ts";
import { optionsFor } from "./stage.ts";

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
  ])("status %i is a %O", async (status, type) => {
    const { runtime } = await stageSteps(id, [{ status, forever: true }]);
    const error = await failureOf(runtime.generateText({ prompt }));
    expect(error).toBeInstanceOf(type);
    expect(JSON.stringify(error)).not.toMatch(/key-of|token-of|secret-of/);
  });

  test("a credential that the host repeats is not shown", async () => {
    const message =
      "Nobody knows key-of-anthropic key-of-gateway key-of-openai token-of-vertex secret-of-bedrock password-of-proxy.";
    const { runtime } = await stageSteps(id, [{ status: 401, message, forever: true }], {
      headers: { "x-proxy-token": "password-of-proxy" },
    });
    const error = await failureOf(runtime.generateText({ prompt }));
    expect(error).toHaveProperty("message", expect.not.stringContaining(secrets[id]));
    expect(error).toHaveProperty("message", expect.stringContaining("Nobody knows"));
  });

  test.each(["the prompt is too long: 250000 tokens > 200000 maximum", "This model's maximum context length is 8192"])(
    "a 400 that says %j is an overflow of the context",
    async (message) => {
      const { runtime } = await stageSteps(id, [{ status: 400, message }]);
      expect(await failureOf(runtime.generateText({ prompt }))).toBeInstanceOf(errors.ContextOverflowError);
    },
  );

  test("a quota that is used up is a matter of money, not of patience", async () => {
    const message = "You exceeded your current quota, please check your plan and billing details.";
    const { runtime, asked } = await stageSteps(id, [{ status: 429, message, forever: true }]);
    const error = await failureOf(runtime.generateText({ prompt }));
    expect(error).toBeInstanceOf(errors.BillingError);
    expect(error).toHaveProperty("message", expect.stringContaining("Add credit to it"));
    expect(asked()).toBe(1);
  });

  test("a page of HTML from a service that fails is tried again, one that is in its place is a wrong base URL", async () => {
    const failing = await stageSteps(id, [{ html: true }, { say: "fine" }]);
    expect((await failing.runtime.generateText({ prompt })).text).toBe("fine");
    const error = await failureOf(backendAt(id, (response) => answer(response, 200, "text/html", "<p>hi</p>")));
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
  ])("%s is a wrong base URL", async (_, respond) => {
    const error = await failureOf(backendAt(id, respond));
    expect(error).toBeInstanceOf(errors.ConfigError);
    expect(error).toHaveProperty("message", expect.stringContaining("llm.provider.baseUrl"));
  });

  test("a port where nobody listens is a lost network, with the address and what to do", async () => {
    const url = await closedPort();
    const backend = createModelApiBackend({ ...optionsFor(id, url), maxAttempts: 1 });
    const error = await failureOf(check(backend));
    expect(error).toBeInstanceOf(errors.NetworkError);
    expect(error).toHaveProperty("message", expect.stringContaining(url));
    expect(error).toHaveProperty("message", expect.stringMatching(/ECONNREFUSED.*llm\.provider\.baseUrl/));
  });

  test("an answer that is cut at its length is a spent budget", async () => {
    const stop_reason = { anthropic: "max_tokens", openai: "max_output_tokens" }[family(id)];
    const { runtime } = await stageSteps(id, [{ say: "Once upon", stop_reason }]);
    const error = await failureOf(runtime.generateText({ prompt, maxOutputTokens: 20 }));
    expect(error).toBeInstanceOf(errors.BudgetExceededError);
  });
});

test("a wrong model is told with the nearest that are known", async () => {
  const { runtime } = await stageSteps("anthropic", [{ status: 404, forever: true }]);
  const error = await failureOf(runtime.generateText({ prompt, model: "claude-opus-5-6" }));
  expect(error).toMatchObject({ model: "claude-opus-5-6", nearest: expect.arrayContaining(["claude-opus-5-5"]) });
});

test.each(["vertex", "bedrock"] as const)(
  "%s refuses a model that is not Claude before it sends anything",
  async (id) => {
    const { runtime, asked } = await stageSteps(id, [{ say: "hi" }]);
    const error = await failureOf(runtime.generateText({ prompt, model: "gemini-3-pro" }));
    expect(error).toBeInstanceOf(errors.ModelNotFoundError);
    expect(error).toHaveProperty("message", expect.stringContaining("gateway or openai-compatible"));
    expect(asked()).toBe(0);
  },
);

test("a refusal of the model is an error, never a success", async () => {
  const { runtime } = await stageSteps("anthropic", [{ say: "No.", stop_reason: "refusal" }]);
  expect(await failureOf(runtime.generateText({ prompt }))).toBeInstanceOf(errors.InvalidRequestError);
});

test("a reason to stop that nobody knows is an error that names it", async () => {
  const { runtime } = await stageSteps("anthropic", [{ say: "Hm.", stop_reason: "tired" }]);
  const error = await failureOf(runtime.generateText({ prompt }));
  expect(error).toBeInstanceOf(errors.BackendCrashError);
  expect(error).toHaveProperty("message", expect.stringContaining('"tired"'));
});

test("a name that cannot be looked up is a lost network", async () => {
  const backend = createModelApiBackend({ ...optionsFor("anthropic", "http://nowhere.invalid"), maxAttempts: 1 });
  expect(await failureOf(backend.checkAuth())).toBeInstanceOf(errors.NetworkError);
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

/** Asks a backend whose base URL belongs to a server that speaks no protocol of models. */
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

/** An address where a server was, and is no more. */
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
