import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { locatePermissionFiles } from "@bridle/app/permissions";
import { createRuntime } from "@bridle/project";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { runCli, type TestOptions } from "./cli-for-tests.ts";

let cwd = "";
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-namespace-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  await writeFile(join(cwd, "bridle.yaml"), "llm: { provider: { backend: anthropic, apiKey: k } }\n");
  await writeFile(join(cwd, "script.yaml"), "rehearsal: 1\nturns: [{ steps: [{ say: Hello. }] }]\n");
});

const home = await mkdtemp(join(tmpdir(), "bridle-home-of-the-operator-"));
afterAll(() => rm(home, { recursive: true }));
const environment = { PATH: process.env.PATH ?? "", HOME: home, ANTHROPIC_API_KEY: "sk-of-the-operator" };
const bridle = (words: readonly string[], options: TestOptions = {}) => runCli(words, { cwd, environment, ...options });

/** Runs a prompt in a user's namespace, as a server does. */
async function serve(namespace: string, prompt: string): Promise<void> {
  const runtime = await createRuntime({
    namespace,
    projectDir: cwd,
    processEnvironment: environment,
    eventLog: "project",
    rehearse: join(cwd, "script.yaml"),
  });
  await runtime.generateText({ prompt });
  await runtime.close();
}

test("--namespace reads the event log that a server wrote for one user, and no other user's", async () => {
  await serve("a:b", "I am a:b.");
  await serve("a_b", "I am a_b.");
  for (const namespace of ["a:b", "a_b"]) {
    const events = await bridle(["events", "--json", "--namespace", namespace]);
    expect(events).toMatchObject({ code: 0, stdout: expect.stringContaining(`I am ${namespace}.`) });
    expect((await bridle(["replay", "--fast", "--namespace", namespace])).stdout).toBe(
      `> I am ${namespace}.\n\nHello.\n`,
    );
  }
  expect(await bridle(["events"])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("The event log of this project is empty"),
  });
  const bundle = await bridle(["bundle", "--namespace", "a:b", "--out", "one.tar.gz"]);
  expect(bundle).toMatchObject({ code: 0, stderr: "" });
  expect(existsSync(join(cwd, "one.tar.gz"))).toBe(true);
});

test("bridle run --namespace creates its runtime for that user, and passes no environment on", async () => {
  const { options } = await bridle(["run", "--namespace", "ada", "Hi"]);
  expect(options?.project?.options).toMatchObject({ namespace: "ada", processEnvironment: environment });
  expect(options?.project?.options).not.toHaveProperty("environment");
  expect((await bridle(["run", "Hi"])).options?.project?.options).not.toHaveProperty("namespace");
});

test("the remembered answers of a namespace are listed and removed separately from the project's", async () => {
  const files = locatePermissionFiles({ namespace: "ada" }, { cwd, environment });
  const always = files.find(({ scope }) => scope === "always")?.path ?? "";
  await mkdir(dirname(always), { recursive: true });
  const entry = "- { tool: send, decision: allow, by: ada, at: 2026-01-31T12:00:00.000Z }\n";
  await writeFile(always, entry);
  const list = async (...words: string[]) =>
    JSON.parse((await bridle(["permissions", "list", "--json", ...words])).stdout);
  expect(await list()).toEqual([]);
  const [found] = await list("--namespace", "ada");
  expect(found).toMatchObject({ tool: "send", scope: "always" });
  expect(await bridle(["permissions", "remove", found.id])).toMatchObject({ code: 3 });
  expect(await bridle(["permissions", "remove", found.id, "--namespace", "ada"])).toMatchObject({ code: 0 });
  expect(await list("--namespace", "ada")).toEqual([]);
});

test("status names the namespace, and credentials of this environment do not count for a namespace", async () => {
  await writeFile(join(cwd, "bridle.yaml"), "llm: { provider: { auth: api_key } }\n");
  const { stdout } = await bridle(["status", "--namespace", "user 7"]);
  expect(stdout).toMatch(/^Namespace "user 7"$/m);
  expect(stdout).toContain("missing in the environment: ANTHROPIC_API_KEY");
  expect((await bridle(["status"])).stdout).not.toMatch(/Namespace|missing/);
  expect(await bridle(["status", "--namespace", ""])).toMatchObject({ code: 2 });
  const doctor = await bridle(["doctor", "--namespace", "user 7"]);
  expect(doctor.stdout).toContain("ANTHROPIC_API_KEY");
});
