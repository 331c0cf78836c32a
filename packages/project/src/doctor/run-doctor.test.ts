// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Check, checkSchema } from "./check.ts";
import { checkHost, checkNode } from "./installation-checks.ts";
import { runDoctor } from "./run-doctor.ts";

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

test("a sound project passes every check that needs no request", async () => {
  const check = await doctor("llm: { models: { default: sonnet } }");
  for (const id of [
    "node",
    "host",
    "config",
    "backend",
    "models",
    "credentials",
    "prompt-caching",
    "implicit-sources",
  ]) {
    expect(check(id)?.ok, id).toBe(true);
  }
  expect(check("login")?.ok).toBe("skipped");
  expect(check("boundary")?.ok).toBe("skipped");
});

test("a configuration that cannot be read is a failed check, and what depends on it is left out", async () => {
  const check = await doctor("lm: 1");
  expect(check("config")).toMatchObject({ ok: false, area: "configuration" });
  expect(check("config")?.detail).toContain('bridle.yaml:1:1: unknown key "lm". Did you mean "llm"?');
  expect(check("host")?.ok).toBe(true);
  expect(check("models")).toBeUndefined();
});

test("credentials are looked for by name, and their values are never told", async () => {
  const missing = await doctor("llm: { provider: { auth: api_key } }");
  expect(missing("credentials")).toMatchObject({ ok: false, area: "configuration" });
  expect(missing("credentials")?.detail).toContain("ANTHROPIC_API_KEY");
  const unused = await doctor("", { ANTHROPIC_API_KEY: "sk-secret" });
  expect(unused("credentials")?.detail).toContain("ANTHROPIC_API_KEY is set and will not be used");
  expect(JSON.stringify(unused("credentials"))).not.toContain("sk-secret");
});

test("an unknown model fails with the nearest", async () => {
  const check = await doctor("llm: { models: { default: sonet } }");
  expect(check("models")).toMatchObject({ ok: false, remedy: 'Write "sonnet" in llm.models.' });
});

test("models without a default fail where they stand, unless there is no backend", async () => {
  const check = await doctor("llm:\n  models:\n    triage: haiku\n");
  expect(check("models")).toMatchObject({
    ok: false,
    detail: "bridle.yaml:2:3: llm.models has no default, which every role without a model of its own uses.",
  });
  const none = await doctor("llm: { provider: { backend: none }, models: {} }");
  expect(none("models")?.ok).toBe(true);
});

test("values from the environment are told by their reference only", async () => {
  const yaml = "llm: { provider: { auth: api_key, baseUrl: '${U}' }, models: { default: '${S}' } }";
  const environment = { U: "https://ada:s3cr3t@s3cr3t.example", S: "s3cr3t-model" };
  await doctor(yaml, environment);
  const checks = await runDoctor({ environment: { HOME: cwd, ...environment }, live: true }, cwd);
  expect(checks.find(({ id }) => id === "models")?.detail).toContain('no model "${S}"');
  expect(JSON.stringify(checks)).not.toContain("s3cr3t");
});

test("fields of prompt caching that are ignored are named without failing", async () => {
  const check = await doctor("llm: { promptCaching: { systemTtl: 1h } }");
  expect(check("prompt-caching")).toMatchObject({ ok: true, detail: "claude-code ignores systemTtl" });
});

test("what the machine and the project bring along is listed as kept out", async () => {
  await writeFile(join(cwd, "CLAUDE.md"), "Always speak French.");
  const check = await doctor("");
  expect(check("implicit-sources")?.detail).toContain(join(cwd, "CLAUDE.md"));
});

test("a project without a backend skips what only a host has", async () => {
  const check = await doctor("llm: { provider: { backend: none } }");
  for (const id of ["credentials", "implicit-sources"]) expect(check(id)?.ok, id).toBe("skipped");
});

test("an old Node fails, and a host without its binary", () => {
  expect(checkNode("22.17.1")).toMatchObject({ ok: false, detail: "22.17.1 is older than 22.18." });
  expect(checkNode("22.18.0").ok).toBe(true);
  expect(checkHost("claude-code", () => undefined)).toMatchObject({
    ok: false,
    remedy: expect.stringContaining("npm install"),
  });
});
