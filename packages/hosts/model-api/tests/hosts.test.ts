/** Tests a backend's other functions: the check of its credentials, its models and its account. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { AuthenticationError, type BridleError, InvalidRequestError } from "@bridle/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { createModelApiBackend } from "../src/backend.ts";
import { listModels } from "../src/models/list-models.ts";
import { type ModelApiId, modelApiIds } from "../src/settings/options.ts";
import { modelOf, optionsFor } from "./test-backend.ts";
import { rejectionOf, startSteps } from "./test-runtime.ts";

describe.each(modelApiIds)("%s", (id) => {
  test("checks its credentials with the shortest answer, which may be cut off", async () => {
    const { backend, rehearsal, requestCount } = await startSteps(id, [{ say: "ok", stop_reason: "max_tokens" }]);
    expect(await backend.checkAuth()).toMatchObject({ ok: true, mode: expect.any(String) });
    expect(requestCount()).toBe(1);
    const sizes = JSON.stringify(rehearsal.requests.at(-1)?.body).match(/"max_?(?:output_?)?tokens":(\d+)/i);
    expect(Number(sizes?.[1])).toBeLessThanOrEqual(16);
  });

  test("reports how to fix refused credentials, and shows none", async () => {
    const { backend } = await startSteps(id, [{ status: 401, forever: true }]);
    const status = await backend.checkAuth();
    expect(status).toMatchObject({ ok: false, detail: expect.stringContaining("llm.provider.") });
    expect(JSON.stringify(status)).not.toMatch(/key-of|token-of|secret-of/);
  });

  test("throws errors that are not about credentials", async () => {
    const { backend } = await startSteps(id, [{ status: 400, forever: true }]);
    expect(await rejectionOf(backend.checkAuth())).toBeInstanceOf(InvalidRequestError);
  });

  test("has one account name for each credential and address, and the name shows no credential", () => {
    const account = (url: string, more: object = {}) =>
      createModelApiBackend({ ...optionsFor(id, url), ...more } as never).account;
    const here = "http://127.0.0.1:1";
    expect(account(here)).toBe(account(here));
    expect(account(here)).not.toBe(account("http://127.0.0.1:2"));
    expect(account(here)).not.toBe(account(here, others[id]));
    expect(account(here)).not.toMatch(/key-of|token-of|secret-of|AKID/);
  });
});

test("telemetry has the name that OpenTelemetry's conventions give to a provider", () => {
  const named = modelApiIds.map((id) => {
    const { telemetryProvider } = createModelApiBackend(optionsFor(id, "http://127.0.0.1:1"));
    return [id, telemetryProvider ?? id];
  });
  expect(Object.fromEntries(named)).toEqual({
    anthropic: "anthropic",
    vertex: "gcp.vertex_ai",
    bedrock: "aws.bedrock",
    gateway: "gateway",
    openai: "openai",
    "openai-compatible": "openai-compatible",
  });
});

const others: Readonly<Record<ModelApiId, object>> = {
  anthropic: { apiKey: "another" },
  vertex: { accessToken: "another" },
  bedrock: { accessKeyId: "another" },
  gateway: { apiKey: "another" },
  openai: { apiKey: "another" },
  "openai-compatible": { apiKey: "another" },
};

describe("a list of models", () => {
  test.each(["anthropic", "openai", "openai-compatible", "gateway"] as const)(
    "of %s comes from the host",
    async (id) => {
      const { rehearsal } = await startSteps(id, [{ say: "fine" }]);
      const models = await listModels(optionsFor(id, rehearsal.url));
      expect(models.length).toBeGreaterThan(0);
      for (const model of models) expect(model).toMatchObject({ id: expect.stringMatching(/\w/), source: "host" });
    },
  );

  test("has prices and context windows if they are known", async () => {
    const { rehearsal } = await startSteps("anthropic", [{ say: "fine" }]);
    const models = await listModels(optionsFor("anthropic", rehearsal.url));
    expect(models.find(({ id }) => id === "claude-haiku-4-5")).toMatchObject({
      contextWindow: 200_000,
      price: { input: 1, output: 5 },
    });
  });

  test.each(["vertex", "bedrock"] as const)("of %s comes from the table, and says so", async (id) => {
    const models = await listModels(optionsFor(id, "http://127.0.0.1:1"));
    expect(models.length).toBeGreaterThan(3);
    for (const model of models) expect(model.source).toBe("table");
  });

  test("of an unreachable host is a NetworkError", async () => {
    const error = await rejectionOf(listModels(optionsFor("openai", "http://nowhere.invalid")));
    expect((error as BridleError).code).toBe("network");
  });

  test("of a host that refuses the key is an AuthenticationError", async () => {
    const server = createServer((_, response) => response.writeHead(401).end('{"error":{"message":"no"}}'));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await rejectionOf(listModels(optionsFor("openai", url)))).toBeInstanceOf(AuthenticationError);
  });
});

test("without a probe model, the check uses the first model that the server lists", async () => {
  const { backend, rehearsal } = await startSteps("openai-compatible", [{ say: "ok" }], { probeModel: undefined });
  expect(await backend.checkAuth()).toMatchObject({ ok: true });
  expect(rehearsal.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "GET /v1/models",
    "POST /v1/chat/completions",
  ]);
});

test("an alias selects the newest model of its family on every host of Claude", async () => {
  for (const id of ["anthropic", "vertex", "bedrock", "gateway"] as const) {
    const { runtime, rehearsal } = await startSteps(id, [{ say: "fine" }]);
    const { model } = await runtime.generateText({ prompt: "go", model: "sonnet" });
    expect(model).toBe(modelOf[id]);
    expect(rehearsal.failures).toEqual([]);
  }
});
