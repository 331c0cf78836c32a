// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment

import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineScript, startRehearsal } from "@bridle/rehearsal";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { runDoctor } from "../conveniences.ts";
import { type Check, checkSchema } from "./check.ts";
import { checkNode } from "./installation-checks.ts";

let cwd = "";
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-doctor-"));
});
afterEach(() => rm(cwd, { recursive: true }));

async function doctor(yaml: string, environment = {}): Promise<(id: string) => Check | undefined> {
  await writeFile(join(cwd, "bridle.yaml"), yaml);
  const checks = await runDoctor({ environment: { HOME: cwd, ...environment } }, cwd);
  for (const check of checks) {
    checkSchema.parse(check);
    if (check.ok === false) expect(check.remedy, check.id).toBeTruthy();
  }
  return (id) => checks.find((check) => check.id === id);
}

/** Writes a Claude Code login that only the host could check. */
async function writeLogin(): Promise<void> {
  await mkdir(join(cwd, ".claude"));
  await writeFile(join(cwd, ".claude/.credentials.json"), "{}");
}

test("doctor passes every check of a valid project without sending a request", async () => {
  await writeLogin();
  const check = await doctor("llm: { models: { default: sonnet } }");
  for (const id of ["node", "host", "config", "backend", "models", "prompt-caching", "limits", "implicit-sources"]) {
    expect(check(id)?.ok, id).toBe(true);
  }
  for (const id of ["credentials", "login"])
    expect(check(id)).toMatchObject({ ok: "skipped", detail: expect.stringContaining("not checked") });
  expect(check("boundary")?.ok).toBe("skipped");
});

// On macOS only Claude Code can tell whether it has a login.
test.skipIf(process.platform === "darwin")("doctor fails a login that does not exist, with the remedy", async () => {
  const check = await doctor("llm: { models: { default: sonnet } }");
  expect(check("login")).toMatchObject({
    ok: false,
    area: "authentication",
    detail: `Claude Code is not logged in: there is no ${join(cwd, ".claude/.credentials.json")}`,
    remedy: 'Run "claude" once and log in.',
  });
  const codex = await doctor("llm: { provider: { backend: codex }, models: { default: gpt-6-sol } }");
  expect(codex("login")).toMatchObject({ ok: false, remedy: 'Run "codex login" once.' });
  await mkdir(join(cwd, "codex"));
  await writeFile(join(cwd, "codex/auth.json"), "{}");
  const elsewhere = await doctor("llm: { provider: { backend: codex }, models: { default: gpt-6-sol } }", {
    CODEX_HOME: join(cwd, "codex"),
  });
  expect(elsewhere("login")?.ok).toBe("skipped");
});

test("doctor fails no login that the settings do not use", async () => {
  const key = await doctor("llm: { provider: { auth: api_key } }", { ANTHROPIC_API_KEY: "sk" });
  expect(key("login")?.ok).toBe("skipped");
});

test("doctor reports a configuration that cannot be read as failed, and leaves out the checks that depend on it", async () => {
  const check = await doctor("lm: 1");
  expect(check("config")).toMatchObject({ ok: false, area: "configuration" });
  expect(check("config")?.detail).toContain('bridle.yaml:1:1: unknown key "lm". Did you mean "llm"?');
  expect(check("host")?.ok).toBe(true);
  expect(check("models")).toBeUndefined();
});

test("doctor shows the rules, and invalid rules fail with their position", async () => {
  const sound = await doctor("policy: { mode: ask }");
  expect(sound("policy")).toMatchObject({ ok: true, detail: expect.stringContaining("mode ask, 0 rules") });
  const broken = await doctor('policy: { rules: [{ tool: a, when: { b: "(" }, then: deny }] }');
  expect(broken("policy")).toMatchObject({ ok: false, area: "configuration" });
  expect(broken("policy")?.detail).toMatch(/bridle\.yaml:1:\d+: policy\.rules\.0\.when\.b is not a regular expression/);
});

test("doctor looks for credentials by name, and never shows their values", async () => {
  const missing = await doctor("llm: { provider: { auth: api_key } }");
  expect(missing("credentials")).toMatchObject({ ok: false, area: "configuration" });
  expect(missing("credentials")?.detail).toContain("ANTHROPIC_API_KEY");
  const unused = await doctor("", { ANTHROPIC_API_KEY: "sk-secret" });
  expect(unused("credentials")?.detail).toContain("ANTHROPIC_API_KEY is set but not used");
  expect(JSON.stringify(unused("credentials"))).not.toContain("sk-secret");
});

test("doctor fails an unknown model with the nearest known one", async () => {
  const check = await doctor("llm: { models: { default: sonet } }");
  expect(check("models")).toMatchObject({ ok: false, remedy: 'Write "sonnet" in llm.models.' });
});

test("doctor fails models without a default with their position, unless there is no backend", async () => {
  const check = await doctor("llm:\n  models:\n    triage: haiku\n");
  expect(check("models")).toMatchObject({
    ok: false,
    detail: "bridle.yaml:2:3: llm.models has no default. Roles that are missing in it use the default.",
  });
  const none = await doctor("llm: { provider: { backend: none }, models: {} }");
  expect(none("models")?.ok).toBe(true);
});

test("doctor shows values from the environment as references", async () => {
  const yaml = "llm: { provider: { auth: api_key, baseUrl: '${U}' }, models: { default: '${S}' } }";
  const environment = { U: "https://ada:s3cr3t@s3cr3t.example", S: "s3cr3t-model" };
  await doctor(yaml, environment);
  const checks = await runDoctor({ environment: { HOME: cwd, ...environment }, live: true }, cwd);
  expect(checks.find(({ id }) => id === "models")?.detail).toBe("default: ${S}");
  expect(JSON.stringify(checks)).not.toContain("s3cr3t");
  await doctor("llm: { models: { default: '${S}' } }", environment);
  const unknown = await runDoctor({ environment: { HOME: cwd, ...environment } }, cwd);
  expect(unknown.find(({ id }) => id === "models")?.detail).toContain('no model "${S}"');
});

test("doctor names ignored fields of prompt caching without failing", async () => {
  const check = await doctor("llm: { promptCaching: { systemTtl: 1h } }");
  expect(check("prompt-caching")).toMatchObject({ ok: true, detail: "claude-code ignores systemTtl" });
});

test("doctor lists the instructions of the machine and the folder as kept out", async () => {
  await writeFile(join(cwd, "CLAUDE.md"), "Always speak French.");
  const check = await doctor("");
  expect(check("implicit-sources")?.detail).toContain(join(cwd, "CLAUDE.md"));
});

test("doctor skips the checks of a host if a project has no backend", async () => {
  const check = await doctor("llm: { provider: { backend: none } }");
  for (const id of ["credentials", "implicit-sources"]) expect(check(id)?.ok, id).toBe("skipped");
});

test("doctor on a model API skips the checks of Claude Code, and fails missing credentials with the line to write", async () => {
  const check = await doctor("llm: { provider: { backend: anthropic, baseUrl: '${URL}' } }");
  for (const id of ["host", "implicit-sources", "boundary", "login"]) expect(check(id)?.ok, id).toBe("skipped");
  expect(check("credentials")).toMatchObject({
    ok: false,
    detail: expect.stringContaining("llm.provider.baseUrl needs URL, which the environment does not have."),
    remedy: expect.stringContaining('Write "apiKey: ${ANTHROPIC_API_KEY}" under llm.provider'),
  });
});

test("doctor accepts a credential in the file with a warning", async () => {
  const check = await doctor("llm: { provider: { backend: openai, apiKey: sk-typed }, models: { default: gpt } }");
  expect(check("credentials")).toMatchObject({
    ok: true,
    detail: expect.stringContaining("llm.provider.apiKey is in the file itself"),
    remedy: "Put it into the environment, and write ${NAME} in the file.",
  });
  expect(JSON.stringify(check("credentials"))).not.toContain("sk-typed");
});

test("doctor --live sends a real request to a model API, and embeds one text", async () => {
  const rehearsal = await startRehearsal({
    script: defineScript({ rehearsal: 1, turns: [{ steps: [{ say: "OK" }] }] }),
  });
  onTestFinished(() => rehearsal.close());
  const yaml = `
llm: { provider: { backend: openai, apiKey: "\${KEY}", baseUrl: "${rehearsal.url}" }, models: { default: gpt-6-sol } }
embeddings: { backend: openai-compatible, model: small, baseUrl: "${rehearsal.url}/v1" }
`;
  await writeFile(join(cwd, "bridle.yaml"), yaml);
  const checks = await runDoctor({ environment: { HOME: cwd, KEY: "sk-secret" }, live: true }, cwd);
  expect(checks.find(({ id }) => id === "login")).toMatchObject({ ok: true });
  expect(checks.find(({ id }) => id === "embeddings")).toMatchObject({
    ok: true,
    detail: expect.stringMatching(/^small on openai-compatible returns vectors of \d+ numbers$/),
  });
  expect(rehearsal.requests.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["/v1/responses", "/v1/embeddings"]),
  );
});

test("doctor --live distinguishes a server that is no API from a refused key", async () => {
  const pages = createServer((_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>"));
  onTestFinished(() => void pages.close());
  await once(pages.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(pages.address() as AddressInfo).port}/v1`;
  const yaml = `
llm: { provider: { backend: openai-compatible, baseUrl: "${url}" }, models: { default: m } }
embeddings: { backend: openai-compatible, model: small, baseUrl: "${url}" }
`;
  await writeFile(join(cwd, "bridle.yaml"), yaml);
  const checks = await runDoctor({ environment: { HOME: cwd }, live: true }, cwd);
  for (const id of ["login", "embeddings"]) {
    expect(checks.find((each) => each.id === id)).toMatchObject({
      ok: false,
      area: "configuration",
      remedy: expect.stringMatching(/\S/),
    });
  }
});

test("doctor --live sends nothing if credentials are missing, so that they are reported once", async () => {
  const yaml = `
llm: { provider: { backend: openai, apiKey: "\${KEY}" }, models: { default: gpt-6-sol } }
embeddings: { backend: openai, model: small, apiKey: "\${KEY}" }
`;
  await writeFile(join(cwd, "bridle.yaml"), yaml);
  const checks = await runDoctor({ environment: { HOME: cwd }, live: true }, cwd);
  expect(
    checks.filter(({ id, detail, remedy = "" }) => id !== "trust" && `${detail} ${remedy}`.includes("KEY")),
  ).toHaveLength(1);
  for (const id of ["login", "embeddings"]) {
    expect(checks.find((each) => each.id === id)).toMatchObject({
      ok: "skipped",
      detail: "not asked, because a setting that it needs is missing",
    });
  }
});

test("doctor --live reports an interruption without failing the interrupted check", async () => {
  const silent = createServer(() => interruption.abort());
  const interruption = new AbortController();
  onTestFinished(() => void silent.close().closeAllConnections());
  await once(silent.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
  const yaml = `llm: { provider: { backend: openai-compatible, baseUrl: "${url}" }, models: { default: m } }`;
  await writeFile(join(cwd, "bridle.yaml"), yaml);
  const options = { environment: { HOME: cwd }, live: true, signal: interruption.signal };
  const checks = await runDoctor(options, cwd);
  expect(checks.find(({ id }) => id === "login")).toMatchObject({
    ok: "skipped",
    detail: "interrupted before it was checked",
  });
});

test("doctor on Claude Code shows the variable of the credential with the auth mode", async () => {
  const check = await doctor("llm: { provider: { auth: api_key } }", { ANTHROPIC_API_KEY: "sk-secret" });
  expect(check("credentials")?.detail).toBe("auth: api_key, from ANTHROPIC_API_KEY");
});

test("doctor fails an old Node, and a host without its binary", () => {
  expect(checkNode("22.17.1")).toMatchObject({ ok: false, detail: "22.17.1 is older than 22.18." });
  expect(checkNode("22.18.0").ok).toBe(true);
});

test("doctor opens the event log of the project, and creates none", async () => {
  const check = await doctor("");
  expect(check("event-log")).toMatchObject({ ok: true, detail: join(cwd, ".bridle", "state.db") });
  expect(existsSync(join(cwd, ".bridle"))).toBe(false);
  await mkdir(join(cwd, ".bridle"));
  await writeFile(join(cwd, ".bridle", "state.db"), "not a database ".repeat(1000));
  const damaged = await doctor("");
  expect(damaged("event-log")).toMatchObject({ ok: false, detail: expect.stringContaining("state.db") });
});

test("doctor says which database of an event log cannot be reached, without its password", async () => {
  const yaml = 'eventLog: { type: postgres, url: "postgresql://ada:pw-8341@127.0.0.1:9/shop", schema: desk }';
  const found = (await doctor(yaml))("event-log");
  expect(found).toMatchObject({
    ok: false,
    detail: expect.stringContaining("PostgreSQL (127.0.0.1:9/shop, schema desk) cannot be reached"),
  });
  expect(JSON.stringify(found)).not.toContain("pw-8341");
});
