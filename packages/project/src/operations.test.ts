// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { createMemoryEventLog } from "@bridle/core";
import type { RunEvent } from "@bridle/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CreateRuntimeOptions, createRuntime, doctor, models, status } from "./operations.ts";
import { openProject } from "./project.ts";

let projectDir = "";
beforeAll(async () => {
  projectDir = await mkdtemp(join(tmpdir(), "bridle-runtime-"));
  await writeFile(
    join(projectDir, "bridle.yaml"),
    "llm:\n  provider: { backend: none }\n  models: { default: opus, triage: '${TRIAGE:-haiku}' }\n",
  );
});
afterAll(() => rm(projectDir, { recursive: true }));

test("a project without a backend fails if a model is needed, and says how to choose one", async () => {
  const runtime = await createRuntime({ projectDir, environment: {} });
  const attempt = runtime.generateText({ prompt: "Hello" });
  await expect(attempt).rejects.toThrow(/backend: none.*Set llm\.provider\.backend .*bridle\.yaml to claude-code/);
  await expect(attempt).rejects.toMatchObject({ code: "config" });
  expect(await runtime.checkAuth()).toMatchObject({ ok: false, mode: "none" });
  await runtime.close();
});

test("options override the file, and the file overrides the defaults", async () => {
  const { settings } = await openProject({ projectDir, environment: {}, model: "sonnet", models: { judge: "opus" } });
  expect(settings).toMatchObject({ provider: { backend: "none" } });
  expect(settings.models).toEqual({ default: "sonnet", triage: "haiku", judge: "opus" });
  expect((await openProject({ projectDir, environment: {}, backend: "claude-code" })).settings).toMatchObject({
    provider: { backend: "claude-code", auth: "session" },
    otherBackend: "none",
  });
});

test("an unknown backend or auth mode is refused with the nearest known name", async () => {
  const backend = "claude-cod" as "claude-code";
  await expect(createRuntime({ projectDir, environment: {}, backend })).rejects.toThrow(
    'There is no backend "claude-cod". Known: claude-code, codex, copilot, anthropic, openai, openai-compatible, gateway, vertex, bedrock, none. Did you mean "claude-code"?',
  );
  const auth = "apikey" as "api_key";
  await expect(createRuntime({ projectDir, environment: {}, auth })).rejects.toThrow('Did you mean "api_key"?');
});

test("a rehearsal takes no auth mode, and a project without a backend stays without one", async () => {
  const rehearse = join(import.meta.dirname, "../tests/greeting.rehearsal.yaml");
  const options = { projectDir, environment: {}, rehearse };
  const runtime = await createRuntime(options);
  await expect(runtime.generateText({ prompt: "Hello" })).rejects.toThrow(/backend: none/);
  await runtime.close();
  await expect(createRuntime({ ...options, backend: "claude-code", auth: "api_key" })).rejects.toThrow(
    "A rehearsal uses no login and no key",
  );
});

test("a missing rehearsal script is an error that names it", async () => {
  const options = { projectDir, environment: {}, rehearse: join(projectDir, "nowhere.yaml") };
  await expect(createRuntime(options)).rejects.toThrow(/nowhere\.yaml cannot be read/);
});

async function projectWith(yaml: string): Promise<string> {
  const folder = await mkdtemp(join(projectDir, "other-"));
  await writeFile(join(folder, "bridle.yaml"), yaml);
  return folder;
}

async function failureOf(yaml: string, options: CreateRuntimeOptions = {}): Promise<unknown> {
  const environment = { HOME: projectDir, ...options.environment };
  const folder = await projectWith(yaml);
  try {
    const runtime = await createRuntime({ ...options, environment, projectDir: folder });
    return await runtime.generateText({ prompt: "Hello" }).finally(() => runtime.close());
  } catch (error) {
    return error;
  }
}

test("an error about a setting has its position in the file", async () => {
  expect(await failureOf("llm:\n  models:\n    default: sonet\n")).toMatchObject({
    code: "model_not_found",
    message: expect.stringMatching(/bridle\.yaml:3:14: llm\.models\.default: The model "sonet" cannot be used/),
  });
  expect(await failureOf("llm:\n  models:\n    triage: haiku\n")).toMatchObject({
    position: { line: 2, column: 3 },
    message: expect.stringMatching(/bridle\.yaml:2:3: No model is set/),
  });
  const withoutModels = "llm:\n  provider: { backend: openai-compatible, baseUrl: 'http://127.0.0.1:9/v1' }\n";
  expect(await failureOf(withoutModels)).toMatchObject({
    position: { line: 1, column: 1 },
    message: expect.stringMatching(/bridle\.yaml:1:1: No model is set/),
  });
  expect(await failureOf("llm:\n  provider:\n    auth: api_key\n")).toMatchObject({
    position: { line: 3, column: 11 },
    message: expect.stringMatching(/bridle\.yaml:3:11: auth: api_key needs .*ANTHROPIC_API_KEY/),
  });
});

test("an error about an option does not blame the file", async () => {
  expect(await failureOf("llm: { models: { default: opus } }", { model: "sonet" })).toMatchObject({
    message: expect.stringMatching(/^The model "sonet" cannot be used/),
  });
});

test("a login is not sent to another address, and the address is not shown", async () => {
  const folder = await projectWith("llm:\n  provider:\n    baseUrl: ${U}\n");
  const options = { projectDir: folder, environment: { U: "https://user:hunter2@gw.example" } };
  const attempt = createRuntime(options);
  await expect(attempt).rejects.toThrow(
    /bridle\.yaml:3:14: llm\.provider\.baseUrl cannot be combined with auth: session/,
  );
  await expect(attempt).rejects.not.toThrow(/hunter2|gw\.example/);
  const key = { ...options.environment, ANTHROPIC_API_KEY: "k" };
  await (await createRuntime({ ...options, environment: key, backend: "claude-code", auth: "api_key" })).close();
});

test("a model from the environment is shown as its reference in events, results and errors", async () => {
  const events: RunEvent[] = [];
  const record = createMemoryEventLog();
  const options = {
    environment: { S: "s3cr3t-model" },
    onEvent: (event: RunEvent) => events.push(event),
    eventLog: record,
  };
  const error = await failureOf("llm: { models: { default: '${S}' } }", options);
  expect(error).toMatchObject({ code: "model_not_found", model: "${S}" });
  expect(events[0]).toMatchObject({ type: "run.started", model: "${S}" });
  expect(await record.read({ runId: events[0]?.runId ?? "" })).toEqual(events);
  expect(inspect([error, events], { depth: 20 })).not.toContain("s3cr3t");
});

test("a program reads the status, the checks and the models of a project without opening it", async () => {
  const options = { projectDir, environment: {} };
  expect(await status(options)).toMatchObject({ backend: "none", projectDir });
  expect((await doctor(options)).map(({ id }) => id)).toEqual(expect.arrayContaining(["node", "config"]));
  await expect(models(options)).rejects.toThrow(/backend: none.*has no models/);
  const listed = await models({ ...options, backend: "anthropic" });
  expect(listed).toMatchObject({ backend: "anthropic", asked: false });
  expect(listed.models.length).toBeGreaterThan(0);
});

test("a fault of the configuration is a failed check of doctor, and an error of status", async () => {
  const options = { projectDir: join(projectDir, "missing"), environment: {} };
  await expect(status(options)).rejects.toMatchObject({ code: "config" });
  expect((await doctor(options)).filter(({ ok }) => ok === false)).toMatchObject([{ id: "config" }]);
});

test("a runtime says before the first request what its host can do", async () => {
  const capabilitiesOf = async (
    provider: NonNullable<NonNullable<CreateRuntimeOptions["config"]>["llm"]>["provider"],
  ) => {
    const runtime = await createRuntime({ projectDir, environment: {}, config: { llm: { provider } } });
    await runtime.close();
    return runtime.capabilities;
  };
  const mcpTransports = ["stdio", "http", "sse"];
  expect(await capabilitiesOf({ backend: "claude-code" })).toMatchObject({
    parallelCalls: true,
    outstandingCalls: "overlapping",
    mcpTransports,
    features: { sampling: false, costBudget: true },
  });
  expect(await capabilitiesOf({ backend: "anthropic", apiKey: "made-up" })).toMatchObject({
    parallelCalls: true,
    outstandingCalls: "all",
    mcpTransports,
    features: { sampling: true },
  });
});
