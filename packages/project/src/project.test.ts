// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProject } from "./project.ts";

let projectDir = "";
beforeEach(async () => {
  projectDir = await mkdtemp(join(tmpdir(), "bridle-handle-"));
});
afterEach(() => rm(projectDir, { recursive: true }));

function write(text: string): Promise<void> {
  return writeFile(join(projectDir, "bridle.yaml"), text);
}

test("a project keeps the file that it was opened with, even if it is derived", async () => {
  await write("llm: { provider: { backend: none }, models: { default: '${MODEL}' } }\n");
  const project = await openProject({ projectDir, environment: { MODEL: "opus" } });
  await write("llm: [");
  expect(project.with({ backend: "claude-code" }).settings).toMatchObject({
    provider: { backend: "claude-code" },
    otherBackend: "none",
    models: { default: "opus" },
  });
  expect(project.with({ environment: { MODEL: "haiku" } }).settings.models).toEqual({ default: "haiku" });
  expect((await openProject({ project, model: "sonnet" })).settings.models).toEqual({ default: "sonnet" });
  expect((await project.supportFacts()).project?.file?.text).toContain("${MODEL}");
});

test("a derived project keeps every option that is not given again", async () => {
  const project = await openProject({ projectDir, environment: {}, model: "opus", models: { judge: "haiku" } });
  const derived = project.with({ unattended: true, model: undefined });
  expect(derived.settings).toMatchObject({
    models: { default: "opus", judge: "haiku" },
    limits: { onUsageLimit: "wait" },
  });
  expect(project.settings.limits).toEqual({});
  expect(project.with({})).toBe(project);
});

test("new process variables replace the earlier ones, but in a namespace never the user's own", async () => {
  const own = { ANTHROPIC_API_KEY: "of-the-user" };
  const process = { PATH: "/bin", ANTHROPIC_API_KEY: "of-the-process" };
  const project = await openProject({ projectDir, environment: { A: "1" } });
  expect(project.with({ processEnvironment: process }).environment).toEqual(process);
  const tenant = await openProject({ projectDir, namespace: "ada", environment: own, processEnvironment: {} });
  expect(tenant.with({ processEnvironment: process }).environment).toMatchObject({ ...own, PATH: "/bin" });
  expect(tenant.folder).toBe(join(projectDir, ".bridle", "ns", "ada"));
  expect(tenant.testRunsFolder).toBe(join(tenant.folder, "test-runs"));
});

test("a namespace that is present but undefined is refused, also for a derived project", async () => {
  const nobody = { namespace: undefined } as unknown as { namespace: string };
  await expect(openProject({ projectDir, environment: {}, ...nobody })).rejects.toThrow("The namespace is undefined");
  const project = await openProject({ projectDir, environment: {} });
  expect(() => project.with(nobody)).toThrow("The namespace is undefined");
});

test("a derived project with invalid options is refused like a project that is opened with them", async () => {
  const project = await openProject({ projectDir, environment: {} });
  expect(() => project.with({ backend: "openai", auth: "session" })).toThrow("Leave one of the two out");
});

test("a rehearsal takes no auth mode, whenever it was chosen", async () => {
  const project = await openProject({ projectDir, environment: {}, auth: "api_key" });
  await expect(project.createRuntime({ rehearse: "script.yaml" })).rejects.toThrow("uses no login and no key");
});
