// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
/** Tests lists of models from the real Claude Code, rehearsed APIs, and servers that are not model APIs. */
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { defineScript, startRehearsal } from "@bridle/rehearsal";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { modelsSchema } from "../src/models/models-schema.ts";
import { openProject, type ProjectOptions } from "../src/project.ts";

let cwd = "";
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-models-"));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
});

async function modelsOf(yaml: string, options: ProjectOptions & { signal?: AbortSignal } = {}) {
  await writeFile(join(cwd, "bridle.yaml"), yaml);
  const environment = { PATH: process.env.PATH, HOME: cwd, TMPDIR: cwd, ...options.environment };
  const project = await openProject({ ...options, environment, cwd });
  return modelsSchema.parse(await project.models({ signal: options.signal }));
}

/** Starts a server that answers every request in the same way, and returns its address. */
async function serve(status: number, contentType: string, body: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status, { "content-type": contentType }).end(body));
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("Claude Code lists its models and the targets of its aliases, without a login and without leftovers", async () => {
  const { models, ...rest } = await modelsOf("llm: { models: { default: haiku, judge: claude-x-9 } }");
  expect(rest).toMatchObject({ backend: "claude-code", asked: true, reason: null });
  const haiku = models.find(({ aliases }) => aliases.includes("haiku"));
  expect(haiku).toMatchObject({ source: "host", roles: ["default"], price: null });
  expect(haiku?.id).toMatch(/^claude-haiku-/);
  expect(models.find(({ id }) => id === "claude-x-9")).toMatchObject({ source: "bridle.yaml", roles: ["judge"] });
  expect((await readdir(cwd)).filter((name) => name.startsWith("bridle-host-"))).toEqual([]);
});

test("an interruption ends Claude Code while its models are listed, without leftovers", async () => {
  await expect(modelsOf("", { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ code: "stopped" });
  expect((await readdir(cwd)).filter((name) => name.startsWith("bridle-host-"))).toEqual([]);
});

test("a model API lists its models; missing figures come from the table or from the project", async () => {
  const rehearsal = await startRehearsal({
    script: defineScript({ rehearsal: 1, turns: [{ steps: [{ say: "Hi" }] }] }),
  });
  onTestFinished(() => rehearsal.close());
  const { asked, models } = await modelsOf(
    `llm:
  provider: { backend: anthropic, apiKey: "\${KEY}", baseUrl: "${rehearsal.url}" }
  models: { default: opus, mine: "\${MINE}" }
  prices: { claude-haiku-4-5: { input: 7, output: 8 } }
`,
    { environment: { KEY: "sk-secret", MINE: "claude-opus-5" } },
  );
  expect(asked).toBe(true);
  expect(rehearsal.requests[0]).toMatchObject({ method: "GET", path: "/v1/models" });
  const byId = new Map(models.map((model) => [model.id, model]));
  expect(byId.get("claude-opus-5")).toMatchObject({
    source: "host",
    roles: [],
    contextWindow: { source: "table" },
    price: { input: 5, output: 25, source: "table" },
  });
  expect(byId.get("claude-haiku-4-5")?.price).toMatchObject({
    input: 7,
    output: 8,
    cacheRead: null,
    source: "bridle.yaml",
  });
  expect(byId.get("${MINE}")).toMatchObject({ source: "bridle.yaml", roles: ["mine"] });
  expect(JSON.stringify(models)).not.toContain("sk-secret");
});

test("without its credentials a model API gets no request, and the dated table is used", async () => {
  const { asked, reason, tableDate, models } = await modelsOf(
    "llm: { provider: { backend: openai, apiKey: '${KEY}' }, models: { default: gpt-6-sol } }",
  );
  expect({ asked, reason }).toEqual({ asked: false, reason: "KEY is missing" });
  expect(tableDate).toMatch(/^20\d\d-\d\d-\d\d$/);
  expect(models.every(({ source }) => source === "table")).toBe(true);
  expect(models.find(({ id }) => id === "gpt-6-sol")?.roles).toEqual(["default"]);
});

test("a host without a listing gets no request, and the result says so", async () => {
  const yaml = "llm: { provider: { backend: bedrock, region: us-east-1, apiKey: k } }";
  const { asked, reason, models } = await modelsOf(yaml);
  expect({ asked, reason }).toEqual({ asked: false, reason: "Bridle reads no listing of this backend" });
  expect(models.find(({ aliases }) => aliases.includes("sonnet"))).toMatchObject({ roles: ["default"] });
});

test("a configured model that the host does not list has the table's figures, and an alias has its target", async () => {
  const url = await serve(200, "application/json", '{"data":[{"id":"other"}],"models":[{"id":"other/one"}]}');
  const openai = await modelsOf(
    `llm: { provider: { backend: openai, apiKey: k, baseUrl: "${url}" }, models: { default: gpt-6-sol } }`,
  );
  expect(openai.models.find(({ id }) => id === "gpt-6-sol")).toMatchObject({
    source: "bridle.yaml",
    displayName: "GPT-6 Sol",
    roles: ["default"],
    contextWindow: { source: "table" },
    price: { source: "table" },
  });
  const gateway = await modelsOf(
    `llm: { provider: { backend: gateway, apiKey: k, baseUrl: "${url}" }, models: { default: sonnet, judge: anthropic/claude-sonnet-5.5 } }`,
  );
  expect(gateway.models.filter(({ source }) => source === "bridle.yaml")).toMatchObject([
    { id: "anthropic/claude-sonnet-5.5", aliases: ["sonnet"], roles: ["default", "judge"] },
  ]);
});

const compatible = (url: string) =>
  `llm: { provider: { backend: openai-compatible, apiKey: sk-long-key, baseUrl: "${url}/v1" } }`;

test("a server that answers HTML, or no list of models, is an error that says so", async () => {
  const page = await serve(200, "text/html", "<!doctype html><title>Sign in</title>");
  await expect(modelsOf(compatible(page))).rejects.toMatchObject({
    code: "config",
    message: expect.stringMatching(/bridle\.yaml:1:\d+: .*HTML.*llm\.provider\.baseUrl/),
  });
  const other = await serve(200, "application/json", '{"hello":"world"}');
  await expect(modelsOf(compatible(other))).rejects.toThrow(/list of models in an unknown form/);
});

test("a refused key is an AuthenticationError without the key", async () => {
  const url = await serve(401, "application/json", '{"error":{"message":"Incorrect API key provided: sk-long-key"}}');
  const error: unknown = await modelsOf(compatible(url)).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ code: "authentication", message: expect.stringMatching(/\S/) });
  expect(inspect(error, { depth: 10 })).not.toContain("sk-long-key");
});

test("a server of other people's models has no table, and a project without a backend has no models", async () => {
  await expect(modelsOf("llm: { provider: { backend: openai-compatible } }")).rejects.toThrow(
    /needs llm\.provider\.baseUrl/,
  );
  await expect(modelsOf("llm: { provider: { backend: none } }")).rejects.toThrow(/so it has no models/);
});
