import { ConfigError } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { createModelApiBackend } from "../backend.ts";
import { createApiEmbedder } from "../embeddings/create-embedder.ts";
import { readBaseUrl } from "./check-settings.ts";
import type { ModelApiOptions } from "./options.ts";

const anthropic = { id: "anthropic", apiKey: "a-key" } as const;

function expectRefusal(make: () => unknown, field: string, text: string): void {
  expect(make).toThrow(ConfigError);
  expect(make).toThrow(expect.objectContaining({ field, message: expect.stringContaining(text) }));
}

describe("a base URL", () => {
  test.each([
    ["https://a.example", "https://a.example/v1"],
    ["https://a.example/", "https://a.example/v1"],
    [" https://a.example/proxy/// ", "https://a.example/proxy"],
    [" ", "https://standard.example/v1"],
  ])("%j becomes %s", (given, address) => {
    expect(readBaseUrl({ backend: "openai", given, standard: "https://standard.example/v1", path: "/v1" })).toBe(
      address,
    );
  });

  test.each([
    ["localhost:11434", "is not an HTTP address"],
    ["file:///etc/passwd", "is not an HTTP address"],
    ["https://ada:hunter2@a.example", "holds a user name or a password"],
    ["https://a.example/v1?key=hunter2", "ends in a query"],
    ["https://a.example/v1#hunter2", "ends in a query"],
    ["https://a.example/v1?", "ends in a query"],
  ])("%j is refused for a model and for an embedder, and the error does not repeat it", (baseUrl, text) => {
    expectRefusal(() => createModelApiBackend({ ...anthropic, baseUrl }), "llm.provider.baseUrl", text);
    const embedder = { backend: "openai", model: "m", apiKey: "k", baseUrl } as const;
    expectRefusal(() => createApiEmbedder(embedder), "embeddings.baseUrl", text);
    expect(() => createApiEmbedder(embedder)).not.toThrow("hunter2");
  });
});

test.each(["maxAttempts", "idleTimeoutMs"])("%s must be a whole number from 1", (option) => {
  for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    expectRefusal(
      () => createModelApiBackend({ ...anthropic, [option]: value }),
      `llm.provider.${option}`,
      `llm.provider.${option} is ${value}. Set a whole number from 1, or leave it out.`,
    );
  }
});

describe("an invalid header value is refused when the backend is created, and the error does not repeat it", () => {
  test.each<[string, ModelApiOptions]>([
    ["apiKey", { id: "anthropic", apiKey: "hunter\n2" }],
    ["apiKey", { id: "openai", apiKey: "hunter2…" }],
    ["organization", { id: "openai", apiKey: "k", organization: "hunter\r2" }],
    ["project", { id: "openai", apiKey: "k", project: "hunter\u00002" }],
    ["accessToken", { id: "vertex", project: "p", location: "global", accessToken: "hunter\n2" }],
    ["headers.x-team", { ...anthropic, headers: { "x-team": "hunter\n2" } }],
    ["headers.x team", { ...anthropic, headers: { "x team": "hunter2" } }],
  ])("%s of %j", (option, options) => {
    const make = () => createModelApiBackend(options);
    expectRefusal(make, `llm.provider.${option}`, "header");
    expect(make).not.toThrow(/hunter/);
  });

  test("apiKey of an embedder", () => {
    const make = () => createApiEmbedder({ backend: "openai", model: "m", apiKey: "hunter\n2" });
    expectRefusal(make, "embeddings.apiKey", "header");
  });
});

test.each([
  ["input", { input: -1, output: 1 }],
  ["output", { input: 1, output: Number.NaN }],
  ["cacheRead", { input: 1, output: 1, cacheRead: Number.POSITIVE_INFINITY }],
])("an invalid price for %s is refused: %j", (kind, price) => {
  const make = () => createModelApiBackend({ ...anthropic, prices: { "claude-opus-5": price } });
  expectRefusal(make, "llm.prices", `llm.prices of claude-opus-5 for ${kind}`);
});

test("a price of zero is valid", () => {
  expect(() => createModelApiBackend({ ...anthropic, prices: { m: { input: 0, output: 0 } } })).not.toThrow();
});

test("options without an id are refused with a list of all ids", () => {
  const none: object = {};
  expectRefusal(
    () => createModelApiBackend(none as ModelApiOptions),
    "llm.provider.backend",
    "anthropic, vertex, bedrock",
  );
  expectRefusal(
    () => createApiEmbedder(none as Parameters<typeof createApiEmbedder>[0]),
    "embeddings.backend",
    "openai, azure_openai",
  );
});
