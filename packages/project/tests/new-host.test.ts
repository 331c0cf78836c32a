import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineScript, type Rehearsal, startRehearsal } from "@bridle/rehearsal";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { configJsonSchema, openProject } from "../src/index.ts";
import { backendNames } from "../src/registries/host-registry.ts";

vi.mock("../src/registries/hosts.ts", async (importOriginal) => {
  const { definitions } = await importOriginal<typeof import("../src/registries/hosts.ts")>();
  const { tinyHost } = await import("./tiny-host/definition.ts");
  const load = async () => ({ ...(await tinyHost.load()), rehearsal: undefined });
  return { definitions: [...definitions, tinyHost, { ...tinyHost, id: "unrehearsed", title: "Unrehearsed", load }] };
});

const rehearse = new URL("greeting.rehearsal.yaml", import.meta.url).pathname;

let projectDir = "";
let server: Rehearsal;
beforeAll(async () => {
  projectDir = await mkdtemp(join(tmpdir(), "bridle-new-host-"));
  const script = defineScript({ rehearsal: 1, turns: [{ steps: [{ say: "Hello from tiny." }] }] });
  server = await startRehearsal({ script });
  const provider = `{ backend: tiny, token: "\${TINY_TOKEN}", baseUrl: "${server.url}" }`;
  await writeFile(join(projectDir, "bridle.yaml"), `llm: { provider: ${provider} }\n`);
});
afterAll(async () => {
  await server.close();
  await rm(projectDir, { recursive: true });
});

const open = (environment: Record<string, string> = { TINY_TOKEN: "t-secret-token" }) =>
  openProject({ projectDir, environment });

test("a host with one line in the registry runs, with its own default model", async () => {
  const runtime = await (await open()).createRuntime();
  expect((await runtime.generateText({ prompt: "Hi" })).text).toBe("Hello from tiny.");
  await runtime.close();
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer t-secret-token"]);
});

test("a new host follows a script, without its server, its credential or a cost", async () => {
  const requestsBefore = server.requests.length;
  const runtime = await (await open({})).createRuntime({ rehearse });
  const result = await runtime.generateText({ prompt: "Hello" });
  await runtime.close();
  expect(runtime.backend).toBe("tiny");
  expect(result.text).toBe("Hello to you.");
  expect(result).not.toHaveProperty("cost");
  expect(server.requests).toHaveLength(requestsBefore);
});

test("a host whose definition has no rehearsal refuses a script, and another backend is named", async () => {
  const backend = "unrehearsed" as never; // the type contains only the names in the real registry
  const project = await openProject({ projectDir, environment: {}, backend });
  await expect(project.createRuntime({ rehearse })).rejects.toThrow(
    "Unrehearsed (backend: unrehearsed) cannot be rehearsed, because it speaks no protocol of the scripted model. Leave the script out, or choose another backend, such as claude-code.",
  );
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
