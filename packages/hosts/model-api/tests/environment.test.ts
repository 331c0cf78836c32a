import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError } from "@bridle/protocol";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createModelApiBackend } from "../src/backend.ts";
import { listModels } from "../src/models/list-models.ts";
import { type ModelApiId, type ModelApiOptions, modelApiIds } from "../src/settings/options.ts";
import { addressVariables as addresses, credentialVariables as credentials } from "./provider-variables.ts";
import { rejectionOf, startSteps } from "./test-runtime.ts";

let trapped: string[] = [];

beforeEach(async () => {
  trapped = [];
  const trap = createServer((request, response) => {
    trapped.push(`${request.method} ${request.url}`);
    response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => trap.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    trap.closeAllConnections();
    trap.close();
  });
  const url = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
  for (const name of credentials) process.env[name] = `planted-${name}`;
  for (const name of addresses) process.env[name] = `${url}/${name}`;
});

afterEach(() => {
  for (const name of [...credentials, ...addresses]) delete process.env[name];
});

test.each(modelApiIds)("%s uses neither a credential nor an address from the environment", async (id) => {
  const { runtime, rehearsal, requestCount } = await startSteps(id, [{ say: "fine" }]);
  expect((await runtime.generateText({ prompt: "go" })).text).toBe("fine");
  expect(requestCount()).toBe(1);
  expect(trapped).toEqual([]);
  const [request] = rehearsal.requests;
  expect(JSON.stringify(request)).not.toContain("planted-");
  expect(Object.keys(request?.headers ?? {}).filter((name) => name.startsWith("ai-o11y"))).toEqual([]);
});

test.each(modelApiIds)("%s sends only the credential of its options", async (id) => {
  const { runtime, rehearsal } = await startSteps(id, [{ say: "fine" }]);
  await runtime.generateText({ prompt: "go" });
  const { authorization = "", "x-api-key": key } = rehearsal.requests[0]?.headers ?? {};
  expect([key ?? null, String(authorization)]).toEqual(sentBy[id]);
});

const sentBy: Readonly<Record<ModelApiId, readonly unknown[]>> = {
  anthropic: ["key-of-anthropic", ""],
  vertex: [null, "Bearer token-of-vertex"],
  bedrock: [null, expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=AKIDBEDROCK\/\d{8}\/us-east-1\/bedrock\//)],
  gateway: [null, "Bearer key-of-gateway"],
  openai: [null, "Bearer key-of-openai"],
  "openai-compatible": [null, ""],
};

test("bedrock sends its API key if the options have one", async () => {
  const { runtime, rehearsal } = await startSteps("bedrock", [{ say: "fine" }], {
    apiKey: "bedrock-key",
    accessKeyId: undefined,
    secretAccessKey: undefined,
  });
  await runtime.generateText({ prompt: "go" });
  expect(rehearsal.requests[0]?.headers.authorization).toBe("Bearer bedrock-key");
});

describe("a missing setting is a ConfigError that names its field, whatever the environment holds", () => {
  test.each<[string, ModelApiOptions]>([
    ["apiKey", { id: "anthropic" }],
    ["apiKey", { id: "anthropic", apiKey: " " }],
    ["apiKey", { id: "openai" }],
    ["apiKey", { id: "gateway" }],
    ["baseUrl", { id: "openai-compatible" }],
    ["baseUrl", { id: "openai-compatible", baseUrl: "localhost:11434" }],
    ["baseUrl", { id: "openai-compatible", baseUrl: "http://ada:secret@localhost:11434/v1" }],
    ["project", { id: "vertex", location: "global", accessToken: "t" }],
    ["location", { id: "vertex", project: "p", accessToken: "t" }],
    ["location", { id: "vertex", project: "p", location: "eu.evil.com/", accessToken: "t" }],
    ["accessToken", { id: "vertex", project: "p", location: "global" }],
    ["region", { id: "bedrock", apiKey: "k" }],
    ["region", { id: "bedrock", apiKey: "k", region: "evil.com#" }],
    ["accessKeyId", { id: "bedrock", region: "us-east-1" }],
    ["secretAccessKey", { id: "bedrock", region: "us-east-1", accessKeyId: "a" }],
  ])("%s of %j", (option, options) => {
    const make = () => createModelApiBackend(options);
    expect(make).toThrow(ConfigError);
    expect(make).toThrow(expect.objectContaining({ field: `llm.provider.${option}` }));
    expect(make).toThrow(`llm.provider.${option}`);
  });

  test("an unknown backend is a ConfigError that names the nearest", () => {
    const make = () => createModelApiBackend({ id: "antropic" } as unknown as ModelApiOptions);
    expect(make).toThrow(/no model API backend "antropic".*Did you mean "anthropic"/);
  });
});

test("a missing key file is a ConfigError that names it", async () => {
  const { runtime, requestCount } = await startSteps("vertex", [{ say: "fine" }], {
    accessToken: undefined,
    keyFile: "/nowhere/key.json",
  });
  const error = await rejectionOf(runtime.generateText({ prompt: "go" }));
  expect(error).toMatchObject({ code: "config", field: "llm.provider.keyFile" });
  expect(error).toHaveProperty("message", expect.stringContaining("/nowhere/key.json"));
  expect(requestCount()).toBe(0);
});

test("a key file that is created later is read then", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bridle-key-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const keyFile = join(folder, "key.json");
  const { runtime } = await startSteps("vertex", [{ say: "fine" }], { accessToken: undefined, keyFile });
  expect(await rejectionOf(runtime.generateText({ prompt: "go" }))).toMatchObject({ code: "config" });
  await writeFile(keyFile, "{}");
  const error = await rejectionOf(runtime.generateText({ prompt: "go" }));
  expect(error).toHaveProperty("message", expect.stringContaining("client_email"));
});

test("a list of models is requested with the credential of the options, and nothing from the environment", async () => {
  const { rehearsal } = await startSteps("anthropic", [{ say: "fine" }]);
  await listModels({ id: "anthropic", apiKey: "key-for-list", baseUrl: rehearsal.url });
  expect(rehearsal.requests[0]?.headers["x-api-key"]).toBe("key-for-list");
  expect(trapped).toEqual([]);
});
