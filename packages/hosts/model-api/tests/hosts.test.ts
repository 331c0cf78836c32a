/** What a backend can be asked beside a run: its credentials, its models, its account. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { AuthenticationError, type BridleError, InvalidRequestError } from "@bridle/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { createModelApiBackend } from "../src/backend.ts";
import { listModels } from "../src/models/list-models.ts";
import { type ModelApiId, modelApiIds } from "../src/settings/options.ts";
import { failureOf, stageSteps } from "./runs.ts";
import { modelOf, optionsFor } from "./stage.ts";

describe.each(modelApiIds)("%s", (id) => {
  test("is asked for the shortest answer to see whether its credentials hold, and a cut one is enough", async () => {
    const { backend, rehearsal, asked } = await stageSteps(id, [{ say: "ok", stop_reason: "max_tokens" }]);
    expect(await backend.checkAuth()).toMatchObject({ ok: true, mode: expect.any(String) });
    expect(asked()).toBe(1);
    const sizes = JSON.stringify(rehearsal.requests.at(-1)?.body).match(/"max_?(?:output_?)?tokens":(\d+)/i);
    expect(Number(sizes?.[1])).toBeLessThanOrEqual(16);
  });

  test("says what to do about refused credentials, and shows none", async () => {
    const { backend } = await stageSteps(id, [{ status: 401, forever: true }]);
    const status = await backend.checkAuth();
    expect(status).toMatchObject({ ok: false, detail: expect.stringContaining("llm.provider.") });
    expect(JSON.stringify(status)).not.toMatch(/key-of|token-of|secret-of/);
  });

  test("throws what is not about credentials", async () => {
    const { backend } = await stageSteps(id, [{ status: 400, forever: true }]);
    expect(await failureOf(backend.checkAuth())).toBeInstanceOf(InvalidRequestError);
  });

  test("has one account for each credential and address, which shows no credential", () => {
    const account = (url: string, more: object = {}) =>
      createModelApiBackend({ ...optionsFor(id, url), ...more } as never).account;
    const here = "http://127.0.0.1:1";
    expect(account(here)).toBe(account(here));
    expect(account(here)).not.toBe(account("http://127.0.0.1:2"));
    expect(account(here)).not.toBe(account(here, others[id]));
    expect(account(here)).not.toMatch(/key-of|token-of|secret-of|AKID/);
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
  test.each(["anthropic", "openai", "openai-compatible", "gateway"] as const)("of %s is the host's own", async (id) => {
    const { rehearsal } = await stageSteps(id, [{ say: "fine" }]);
    const models = await listModels(optionsFor(id, rehearsal.url));
    expect(models.length).toBeGreaterThan(0);
    for (const model of models) expect(model).toMatchObject({ id: expect.stringMatching(/\w/), source: "host" });
  });

  test("tells prices and context windows where they are known", async () => {
    const { rehearsal } = await stageSteps("anthropic", [{ say: "fine" }]);
    const models = await listModels(optionsFor("anthropic", rehearsal.url));
    expect(models.find(({ id }) => id === "claude-haiku-4-5")).toMatchObject({
      contextWindow: 200_000,
      price: { input: 1, output: 5 },
    });
  });

  test.each(["vertex", "bedrock"] as const)("of %s is the table's, and says so", async (id) => {
    const models = await listModels(optionsFor(id, "http://127.0.0.1:1"));
    expect(models.length).toBeGreaterThan(3);
    for (const model of models) expect(model.source).toBe("table");
  });

  test("of a host that cannot be reached is a typed error", async () => {
    const error = await failureOf(listModels(optionsFor("openai", "http://nowhere.invalid")));
    expect((error as BridleError).code).toBe("network");
  });

  test("of a host that refuses the key is an AuthenticationError", async () => {
    const server = createServer((_, response) => response.writeHead(401).end('{"error":{"message":"no"}}'));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await failureOf(listModels(optionsFor("openai", url)))).toBeInstanceOf(AuthenticationError);
  });
});

test("a server without a model to probe with is asked for one, and then for an answer", async () => {
  const { backend, rehearsal } = await stageSteps("openai-compatible", [{ say: "ok" }], { probeModel: undefined });
  expect(await backend.checkAuth()).toMatchObject({ ok: true });
  expect(rehearsal.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "GET /v1/models",
    "POST /v1/chat/completions",
  ]);
});

test("aliases stand for the newest model of a family, where Claude is served", async () => {
  for (const id of ["anthropic", "vertex", "bedrock", "gateway"] as const) {
    const { runtime, rehearsal } = await stageSteps(id, [{ say: "fine" }]);
    const { model } = await runtime.generateText({ prompt: "go", model: "sonnet" });
    expect(model).toBe(modelOf[id]);
    expect(rehearsal.failures).toEqual([]);
  }
});
