// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClaudeCodeBackend } from "@bridle/claude-code";
import { sha256 } from "@bridle/core";
import { openStore } from "@bridle/store-sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProject } from "../project.ts";
import { policySentence } from "./policy-sentence.ts";
import { statusSchema } from "./status-schema.ts";

let cwd = "";
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-status-"));
});
afterEach(() => rm(cwd, { recursive: true }));

async function statusOf(yaml: string, environment = {}) {
  await writeFile(join(cwd, "bridle.yaml"), yaml);
  return statusSchema.parse(await (await openProject({ environment, cwd })).status());
}

test("status without a file shows the defaults, and does not check the login", async () => {
  await mkdir(join(cwd, ".claude"));
  await writeFile(join(cwd, ".claude/.credentials.json"), "{}");
  const status = statusSchema.parse(await (await openProject({ environment: { HOME: cwd }, cwd })).status());
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

test("status shows credentials by name: missing ones, and those that are not used", async () => {
  const session = await statusOf("", { ANTHROPIC_API_KEY: "sk-secret" });
  expect(session.credentials).toEqual({ present: [], missing: [], unused: ["ANTHROPIC_API_KEY"], typed: [] });
  expect(JSON.stringify(session)).not.toContain("sk-secret");
  const key = await statusOf("llm: { provider: { auth: api_key } }");
  expect(key.credentials.missing).toEqual([{ field: "llm.provider.auth", variables: ["ANTHROPIC_API_KEY"] }]);
});

test("status shows a model that the backend does not know with the nearest one", async () => {
  const { models } = await statusOf("llm: { models: { default: sonet, judge: claude-opus-5, x: zzzzzzzz } }");
  expect(models).toEqual([
    { role: "default", model: "sonet", known: false, nearest: ["sonnet"] },
    { role: "judge", model: "claude-opus-5", known: true, nearest: [] },
    { role: "x", model: "zzzzzzzz", known: false, nearest: [] },
  ]);
});

test("status shows values from the environment as references, and addresses without their password", async () => {
  const yaml = 'llm: { provider: { auth: api_key, baseUrl: "${URL}" }, models: { default: "${MODEL}" } }';
  const status = await statusOf(yaml, { URL: "https://user:pass@gateway.example", MODEL: "s3cr3t" });
  expect(status.baseUrl).toBe("${URL}");
  expect(status.models[0]).toMatchObject({ model: "${MODEL}", known: true, nearest: [] });
  const plain = await statusOf("llm: { provider: { auth: api_key, baseUrl: 'https://user:pass@gateway.example/v1' } }");
  expect(plain.baseUrl).toBe("https://gateway.example/v1");
});

test("status shows the GitHub that a token goes to, by its reference if the environment names it", async () => {
  const yaml = (host: string) =>
    `llm: { provider: { backend: copilot, auth: session, gitHubToken: "\${TOKEN}", gitHubHost: "${host}" }, models: { default: m } }`;
  expect((await statusOf(yaml("acme.ghe.com"), { TOKEN: "gho_a" })).gitHubHost).toBe("acme.ghe.com");
  expect((await statusOf(yaml("${PLACE}"), { TOKEN: "gho_a", PLACE: "acme.ghe.com" })).gitHubHost).toBe("${PLACE}");
  expect((await statusOf("")).gitHubHost).toBeNull();
});

test("status names each field of prompt caching that the backend ignores", async () => {
  const status = await statusOf(
    "llm: { promptCaching: { enabled: false, systemTtl: 1h, cacheTools: false, toolsTtl: 5m } }",
  );
  expect(status.promptCaching.ignored).toEqual(["cacheTools", "systemTtl"]);
});

test("status on a model API shows credentials by setting and variable, and names missing ones", async () => {
  const yaml = "llm: { provider: { backend: openai, apiKey: '${KEY}', baseUrl: '${URL}' }, models: { default: gpt } }";
  const there = await statusOf(yaml, { KEY: "sk-secret", URL: "https://gw.example/v1" });
  expect(there).toMatchObject({
    backend: "openai",
    auth: null,
    host: null,
    pool: null,
    baseUrl: "${URL}",
    credentials: { present: [{ field: "llm.provider.apiKey", variables: ["KEY"] }], missing: [], typed: [] },
    models: [{ role: "default", model: "gpt", known: true }],
  });
  const missing = await statusOf(yaml);
  expect(missing.credentials).toEqual({
    present: [],
    missing: [
      { field: "llm.provider.apiKey", variables: ["KEY"] },
      { field: "llm.provider.baseUrl", variables: ["URL"] },
    ],
    unused: [],
    typed: [],
  });
  const typed = await statusOf("llm: { provider: { backend: anthropic, apiKey: sk-secret } }");
  expect(typed.credentials.typed).toEqual(["llm.provider.apiKey"]);
  expect(JSON.stringify([there, missing, typed])).not.toContain("sk-secret");
});

test.each([
  ["anthropic", []],
  ["vertex", []],
  ["openai", ["toolsTtl"]],
  ["openai-compatible", ["toolsTtl"]],
])("status on %s names the ignored fields of prompt caching, without credentials", async (backend, ignored) => {
  const status = await statusOf(`llm: { provider: { backend: ${backend} }, promptCaching: { toolsTtl: 1h } }`);
  expect(status.promptCaching.ignored).toEqual(ignored);
});

test("status shows the rules with their position, or that there are none", async () => {
  expect((await statusOf("llm: { provider: { backend: none } }")).policy).toBeNull();
  const yaml = "policy:\n  mode: plan\n  disable: [wipe]\n  rules: [{ tool: run_sql, then: deny }]\n";
  const { policy } = await statusOf(yaml);
  expect(policy).toEqual({ mode: "read-only", rules: 1, disabled: ["wipe"], from: "bridle.yaml:1:1", asks: true });
  expect(policySentence(policy)).toBe(
    "mode read-only, 1 rule, disabled: wipe (bridle.yaml:1:1); ask means deny if no approver is present",
  );
  expect(policySentence((await statusOf("policy: { mode: dontAsk }")).policy)).toContain("ask always means deny");
});

test("status shows the configured limits and the pool", async () => {
  const set = await statusOf(
    "llm: { provider: { pool: { maxProcesses: 2 } }, limits: { onUsageLimit: wait, maxConcurrency: 1 } }",
  );
  expect(set.pool).toEqual({ maxProcesses: 2 });
  expect(set.limits).toEqual({ onUsageLimit: "wait", maxConcurrency: 1, maxWaitMs: 18_000_000, usedUp: null });
  const off = await statusOf("llm: { provider: { pool: false } }");
  expect(off).toMatchObject({ pool: false, limits: { onUsageLimit: null, maxConcurrency: 4 } });
});

test("status shows a used-up window until it opens again", async () => {
  const environment = { HOME: cwd, CLAUDE_CODE_OAUTH_TOKEN: "t" };
  await writeFile(join(cwd, "bridle.yaml"), "llm: { provider: { auth: oauth_token } }");
  const { account } = createClaudeCodeBackend({ auth: "oauth_token", environment });
  const usedUp = async (resetsAt: number) => {
    const { limits, close } = openStore({ folder: join(cwd, ".bridle") });
    const known = await limits.read(sha256(account));
    expect(await limits.replace(sha256(account), known, { window: "five_hour", resetsAt })).toBe(true);
    await close();
    return (await (await openProject({ environment, cwd })).status()).limits.usedUp;
  };
  const resetsAt = Date.now() + 60_000;
  expect(await usedUp(resetsAt)).toEqual({ window: "five_hour", resetsAt: new Date(resetsAt).toISOString() });
  expect(await usedUp(Date.now() - 1)).toBeNull();
});

test("status of a project without a backend has neither a host nor credentials", async () => {
  expect(await statusOf("llm: { provider: { backend: none } }")).toMatchObject({ host: null, degraded: [] });
});
