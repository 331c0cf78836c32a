// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRuntime } from "./create-runtime.ts";
import { resolveSettings } from "./settings.ts";

let projectDir = "";
beforeAll(async () => {
  projectDir = await mkdtemp(join(tmpdir(), "bridle-runtime-"));
  await writeFile(
    join(projectDir, "bridle.yaml"),
    "llm:\n  provider: { backend: none }\n  models: { default: opus, triage: '${TRIAGE:-haiku}' }\n",
  );
});
afterAll(() => rm(projectDir, { recursive: true }));

test("a project without a backend fails where a model is needed, and says how to choose one", async () => {
  const runtime = await createRuntime({ projectDir, environment: {} });
  const attempt = runtime.generateText({ prompt: "Hello" });
  await expect(attempt).rejects.toThrow(/backend: none.*Set llm\.provider\.backend .*bridle\.yaml to claude-code/);
  await expect(attempt).rejects.toMatchObject({ code: "config" });
  expect(await runtime.checkAuth()).toMatchObject({ ok: false, mode: "none" });
  await runtime.close();
});

test("options come before the file, and the file before the defaults", async () => {
  const settings = await resolveSettings({ projectDir, environment: {}, model: "sonnet", models: { judge: "opus" } });
  expect(settings).toMatchObject({ backend: "none", auth: "session" });
  expect(settings.models).toEqual({ default: "sonnet", triage: "haiku", judge: "opus" });
  expect(await resolveSettings({ projectDir, environment: {}, backend: "claude-code" })).toMatchObject({
    backend: "claude-code",
  });
});

test("an unknown backend or auth mode is refused with the nearest known name", async () => {
  const backend = "claude-cod" as "claude-code";
  await expect(createRuntime({ projectDir, environment: {}, backend })).rejects.toThrow(
    'There is no backend "claude-cod". Known: claude-code, none. Did you mean "claude-code"?',
  );
  const auth = "apikey" as "api_key";
  await expect(createRuntime({ projectDir, environment: {}, auth })).rejects.toThrow('Did you mean "api_key"?');
});

test("a rehearsal takes no other backend and no auth mode", async () => {
  const options = { projectDir, environment: {}, rehearse: "script.yaml" };
  await expect(createRuntime({ ...options, backend: "none" })).rejects.toThrow("A rehearsal runs on claude-code");
  await expect(createRuntime({ ...options, auth: "api_key" })).rejects.toThrow("A rehearsal uses no login and no key");
});

test("a rehearsal script that is missing is an error that names it", async () => {
  const options = { projectDir, environment: {}, rehearse: join(projectDir, "nowhere.yaml") };
  await expect(createRuntime(options)).rejects.toThrow(/nowhere\.yaml cannot be read/);
});
