// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { describeStatus } from "./describe-status.ts";
import { statusSchema } from "./status-schema.ts";

let cwd = "";
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-status-"));
});
afterEach(() => rm(cwd, { recursive: true }));

async function statusOf(yaml: string, environment = {}) {
  await writeFile(join(cwd, "bridle.yaml"), yaml);
  return statusSchema.parse(await describeStatus({ environment }, cwd));
}

test("without a file the defaults are told, and the login is not checked", async () => {
  const status = statusSchema.parse(await describeStatus({ environment: {} }, cwd));
  expect(status).toMatchObject({
    projectDir: cwd,
    configFile: null,
    backend: "claude-code",
    auth: "session",
    authentication: "not checked",
    models: [{ role: "default", model: "sonnet", known: true, nearest: [] }],
    node: process.versions.node,
  });
  expect(status.host?.sdk).toBe(status.host?.pinnedSdk);
  expect(status.degraded.length).toBeGreaterThan(0);
});

test("credentials are told by name: those that are missing, and those that will not be used", async () => {
  const session = await statusOf("", { ANTHROPIC_API_KEY: "sk-secret" });
  expect(session.credentials).toEqual({ present: [], missing: [], unused: ["ANTHROPIC_API_KEY"], typed: [] });
  expect(JSON.stringify(session)).not.toContain("sk-secret");
  const key = await statusOf("llm: { provider: { auth: api_key } }");
  expect(key.credentials.missing).toEqual([{ field: "llm.provider.auth", variables: ["ANTHROPIC_API_KEY"] }]);
});

test("a model that the backend does not know is shown with the nearest", async () => {
  const { models } = await statusOf("llm: { models: { default: sonet, judge: claude-opus-5, x: zzzzzzzz } }");
  expect(models).toEqual([
    { role: "default", model: "sonet", known: false, nearest: ["sonnet"] },
    { role: "judge", model: "claude-opus-5", known: true, nearest: [] },
    { role: "x", model: "zzzzzzzz", known: false, nearest: [] },
  ]);
});

test("values from the environment are shown as the file has them, and addresses without their password", async () => {
  const yaml = 'llm: { provider: { auth: api_key, baseUrl: "${URL}" }, models: { default: "${MODEL}" } }';
  const status = await statusOf(yaml, { URL: "https://user:pass@gateway.example", MODEL: "s3cr3t" });
  expect(status.baseUrl).toBe("${URL}");
  expect(status.models[0]).toMatchObject({ model: "${MODEL}", known: false, nearest: [] });
  const plain = await statusOf("llm: { provider: { auth: api_key, baseUrl: 'https://user:pass@gateway.example/v1' } }");
  expect(plain.baseUrl).toBe("https://gateway.example/v1");
});

test("each field of prompt caching that is set and that the backend ignores is named", async () => {
  const status = await statusOf(
    "llm: { promptCaching: { enabled: false, systemTtl: 1h, cacheTools: false, toolsTtl: 5m } }",
  );
  expect(status.promptCaching.ignored).toEqual(["cacheTools", "systemTtl"]);
});

test("a project without a backend has no host and no credentials to speak of", async () => {
  expect(await statusOf("llm: { provider: { backend: none } }")).toMatchObject({ host: null, degraded: [] });
});
