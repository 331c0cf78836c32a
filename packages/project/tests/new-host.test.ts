import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { backendNames } from "../src/hosts/host-registry.ts";
import { configJsonSchema, openProject } from "../src/index.ts";

vi.mock("../src/hosts/registry.ts", async (importOriginal) => {
  const { definitions } = await importOriginal<typeof import("../src/hosts/registry.ts")>();
  const { tinyHost } = await import("./tiny-host/definition.ts");
  return { definitions: [...definitions, tinyHost] };
});

let projectDir = "";
beforeAll(async () => {
  projectDir = await mkdtemp(join(tmpdir(), "bridle-new-host-"));
  await writeFile(join(projectDir, "bridle.yaml"), `llm: { provider: { backend: tiny, token: "\${TINY_TOKEN}" } }\n`);
});
afterAll(() => rm(projectDir, { recursive: true }));

const open = (environment: Record<string, string> = { TINY_TOKEN: "t-secret-token" }) =>
  openProject({ projectDir, environment });

test("a host with one line in the registry runs, with its own default model", async () => {
  const runtime = await (await open()).createRuntime();
  expect((await runtime.generateText({ prompt: "Hi" })).text).toBe("Hello from tiny.");
  await runtime.close();
});

test("a new host's keys are part of the configuration schema, and its id can be chosen", () => {
  expect(backendNames).toContain("tiny");
  expect(JSON.stringify(configJsonSchema())).toContain("The token of the account.");
});

test("status, doctor and models include a new host, and name its credential without showing it", async () => {
  const project = await open();
  const status = await project.status();
  expect(status).toMatchObject({ backend: "tiny", auth: null, host: { tiny: "1.2.3" } });
  expect(status.models).toMatchObject([{ role: "default", model: "tiny-1", known: true }]);
  expect(status.credentials.present).toEqual([{ field: "llm.provider.token", variables: ["TINY_TOKEN"] }]);
  const checks = await project.doctor();
  expect(checks.find(({ id }) => id === "host")).toMatchObject({ ok: true, title: "Tiny", detail: "tiny 1.2.3" });
  expect(checks.filter(({ ok }) => ok === false)).toEqual([]);
  expect(await project.models()).toMatchObject({ backend: "tiny", asked: true, models: [{ id: "tiny-1" }] });
  expect(JSON.stringify([status, checks])).not.toContain("t-secret-token");
});

test("a missing credential of a new host is an error with the variable to set", async () => {
  await expect((await open({})).createRuntime()).rejects.toThrow(/llm\.provider\.token.*Set TINY_TOKEN/);
});
