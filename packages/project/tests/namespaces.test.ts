// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
/** Tests that a user's sessions, remembered answers and credentials are separate from those of other users in the same process. */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPolicy } from "@bridle/core";
import { defineTool, type RunEvent } from "@bridle/protocol";
import { defineScript, startRehearsal } from "@bridle/rehearsal";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { findPermissionFiles, listPermissions, openProject, openProjectEventLog } from "../src/index.ts";
import { type CreateRuntimeOptions, createEmbedder, createRuntime } from "../src/operations.ts";

const awkward = ["..", "a:b", "a_b", "A_B", "a".repeat(300), "é", "e\u0301"];
const home = await mkdtemp(join(tmpdir(), "bridle-home-of-the-process-"));
afterAll(() => rm(home, { recursive: true, force: true }));
const processEnvironment = { PATH: process.env.PATH, HOME: home, SHOP_TOKEN: "key-of-the-process" };

let root = "";
let projectDir = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "bridle-namespaces-"));
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  projectDir = join(root, "project");
  await mkdir(projectDir);
});

const project = (yaml: string) => writeFile(join(projectDir, "bridle.yaml"), yaml);

/** Creates a project with a model that always answers "Hello.", or that first reports a used-up window. */
async function projectOnModel(first?: object): Promise<Awaited<ReturnType<typeof startRehearsal>>> {
  const steps = [...(first ? [first] : []), { say: "Hello.", forever: true }];
  const rehearsal = await startRehearsal({ script: defineScript({ rehearsal: 1, turns: [{ steps }] }) });
  onTestFinished(() => rehearsal.close());
  await project(`llm: { provider: { backend: anthropic, apiKey: "\${SHOP_TOKEN}", baseUrl: "${rehearsal.url}" } }\n`);
  return rehearsal;
}

const handed = (namespace: string) => ({ SHOP_TOKEN: `key-of-${Buffer.from(namespace).toString("hex").slice(0, 20)}` });

async function runtimeOf(namespace: string, options: CreateRuntimeOptions = {}) {
  const environment = handed(namespace);
  const runtime = await createRuntime({ projectDir, namespace, environment, processEnvironment, ...options });
  onTestFinished(() => runtime.close());
  return runtime;
}

test("namespaces of any name with the same session name have separate event logs inside the project", async () => {
  await projectOnModel();
  for (const namespace of awkward) {
    const runtime = await runtimeOf(namespace, { eventLog: "project" });
    const session = await runtime.openSession({ id: "support", tools: [], stepBudget: 2 });
    await (await session.send(`I am ${namespace}.`)).result;
    await runtime.close();
  }
  for (const namespace of awkward) {
    const record = await openProjectEventLog({ projectDir, namespace, processEnvironment });
    const inputs = (await record.read({ sessionId: "support" })).filter(({ type }) => type === "model.input");
    expect(inputs).toMatchObject([{ messages: [{ content: [{ text: `I am ${namespace}.` }] }] }]);
    expect(await record.runs()).toHaveLength(1);
    record.close();
  }
  const own = await openProjectEventLog({ projectDir, environment: {} });
  expect(await own.runs()).toEqual([]);
  await own.close();
  expect(await readdir(root)).toEqual(["project"]);
  expect((await readdir(projectDir)).toSorted()).toEqual([".bridle", "bridle.yaml"]);
  const folders = await readdir(join(projectDir, ".bridle", "ns"));
  expect(folders.filter((name) => name !== ".gitignore")).toHaveLength(awkward.length);
});

test("empty and invalid namespaces are refused before any file is created", async () => {
  await project("llm: { provider: { backend: none } }\n");
  const attempt = (namespace: unknown) =>
    createRuntime({ projectDir, processEnvironment, namespace: namespace as string });
  await expect(attempt("")).rejects.toMatchObject({ code: "config", field: "namespace" });
  await expect(attempt("")).rejects.toThrow("leave namespace out for your own runs");
  for (const wrong of [undefined, null, 7]) await expect(attempt(wrong)).rejects.toThrow(`The namespace is ${wrong}`);
  expect(existsSync(join(projectDir, ".bridle"))).toBe(false);
});

test("the folders of a namespace are private to this user, even if they were not before, and ignored by version control", async () => {
  await project("llm: { provider: { backend: none } }\n");
  const folder = join(projectDir, ".bridle", "ns", "ada");
  await mkdir(join(folder, "claude-code"), { recursive: true, mode: 0o755 });
  await runtimeOf("ada");
  for (const path of [folder, join(folder, "claude-code"), join(folder, "home")])
    expect((await stat(path)).mode & 0o077).toBe(0);
  expect(await readFile(join(projectDir, ".bridle", "ns", ".gitignore"), "utf8")).toBe("*\n");
});

test("each namespace uses its own key; without one the key of the process is not used", async () => {
  const rehearsal = await projectOnModel();
  for (const namespace of ["ada", "bob"]) await (await runtimeOf(namespace)).generateText({ prompt: "Hi" });
  expect(rehearsal.requests.map(({ headers }) => headers["x-api-key"])).toEqual(
    ["ada", "bob"].map((each) => handed(each).SHOP_TOKEN),
  );
  const without = createRuntime({ projectDir, namespace: "cyd", processEnvironment });
  await expect(without).rejects.toThrow(
    /llm\.provider\.apiKey, which is missing.*A namespace gets no credentials from this process/,
  );
  expect(rehearsal.requests).toHaveLength(2);
});

test("a namespace gets the machine's variables from the process, a home of its own, and no credential", async () => {
  await project("llm: { provider: { auth: api_key } }\n");
  const machine = {
    PATH: "/bin",
    TMPDIR: "/tmp",
    LANG: "C.UTF-8",
    HTTPS_PROXY: "http://proxy.example",
    APPDATA: "/roaming",
    HOME: "/home/ada",
    XDG_CONFIG_HOME: "/home/ada/.config",
    CLAUDE_CONFIG_DIR: "/home/ada/.claude",
    ANTHROPIC_API_KEY: "k",
    CLAUDE_CODE_OAUTH_TOKEN: "t",
    AWS_PROFILE: "p",
    OPENAI_API_KEY: "o",
    DB: "d",
  };
  const folder = join(projectDir, ".bridle", "ns", "ada");
  const { environment } = (await openProject({ projectDir, namespace: "ada", processEnvironment: machine })).settings;
  expect(environment).toEqual({
    PATH: "/bin",
    TMPDIR: "/tmp",
    LANG: "C.UTF-8",
    HTTPS_PROXY: "http://proxy.example",
    HOME: join(folder, "home"),
    USERPROFILE: join(folder, "home"),
    CLAUDE_CONFIG_DIR: join(folder, "claude-code"),
    CODEX_HOME: join(folder, "codex"),
    COPILOT_HOME: join(folder, "copilot"),
  });
  const whole = (await openProject({ projectDir, namespace: "ada", environment: machine, processEnvironment: {} }))
    .settings;
  expect(whole.environment).toEqual({
    ...machine,
    USERPROFILE: join(folder, "home"),
    CLAUDE_CONFIG_DIR: join(folder, "claude-code"),
    CODEX_HOME: join(folder, "codex"),
    COPILOT_HOME: join(folder, "copilot"),
  });
});

test("a cloud login of the machine is refused in a namespace", async () => {
  await project("llm: { provider: { backend: vertex, project: p, location: l, credentials: application-default } }\n");
  await expect(runtimeOf("ada")).rejects.toThrow(
    /bridle\.yaml:1:\d+: llm\.provider\.credentials is application-default, the login of this machine, which a namespace does not use/,
  );
});

test("an embedder of a namespace takes no credential of the process", async () => {
  await project('embeddings: { backend: openai, model: m, apiKey: "${SHOP_TOKEN}" }\n');
  await expect(createEmbedder({ projectDir, namespace: "ada", processEnvironment })).rejects.toThrow("SHOP_TOKEN");
  const [ada, bob] = await Promise.all(
    ["ada", "bob"].map((namespace) =>
      createEmbedder({ projectDir, namespace, environment: { SHOP_TOKEN: "one-key" }, processEnvironment }),
    ),
  );
  expect(ada?.account).not.toBe(bob?.account);
  await Promise.all([ada?.close(), bob?.close()]);
});

test("remembered answers of a namespace do not apply to another, and are stored in the folder of the system's user", async () => {
  const rehearse = join(root, "script.yaml");
  const calls = "{ calls: [{ call: send, with: { to: x } }, { call: drop, with: { to: x } }] }";
  await writeFile(rehearse, `rehearsal: 1\nturns: [{ steps: [${calls}, { say: done }] }]\n`);
  await project("llm: { provider: { backend: anthropic, apiKey: k } }\n");
  const tool = (name: string) =>
    defineTool({ name, description: name, input: z.object({ to: z.string() }), execute: async () => "ok" });
  const tools = [tool("send"), tool("drop")];

  async function askedOf(namespace: string): Promise<string[]> {
    const asked: string[] = [];
    const runtime = await runtimeOf(namespace, {
      rehearse,
      policy: createPolicy({
        rules: [
          { tool: "send", then: "ask" },
          { tool: "drop", then: "ask" },
        ],
      }),
      approve({ tool: name }) {
        asked.push(name);
        return { decision: "allow", scope: name === "send" ? "always" : "project", by: namespace };
      },
    });
    await runtime.runAgentLoop({ prompt: "Go", tools, stepBudget: 3 }).result;
    await runtime.close();
    return asked.toSorted();
  }

  expect(await askedOf("ada")).toEqual(["drop", "send"]);
  expect(await askedOf("ada")).toEqual([]);
  expect(await askedOf("bob")).toEqual(["drop", "send"]);
  const files = (namespace: string) =>
    findPermissionFiles({ cwd: projectDir, projectDir, environment: processEnvironment, namespace });
  expect((await listPermissions(files("ada"))).map(({ by }) => by)).toEqual(["ada", "ada"]);
  expect((await listPermissions(files("bob"))).map(({ by }) => by)).toEqual(["bob", "bob"]);
  for (const { path } of files("ada"))
    expect(path.startsWith(join(home, ".config/bridle/projects/project-"))).toBe(true);
  expect(files("ada").map(({ path }) => path.split("/").slice(-3))).toEqual([
    ["ns", "ada", "permissions.yaml"],
    ["ns", "ada", "always.yaml"],
  ]);
});

test("a window that one namespace used up does not block another, even with the same key, and is in its status only", async () => {
  await projectOnModel({ limit: { resets_in_seconds: 3600 } });
  const environment = { SHOP_TOKEN: `shared-key-of-${root}` };
  const ada = await runtimeOf("ada", { environment, eventLog: "project" });
  const bob = await runtimeOf("bob", { environment, eventLog: "project", unattended: true }); // would wait if the window were shared
  await expect(ada.generateText({ prompt: "Hi" })).rejects.toMatchObject({ code: "usage_limit" });
  expect(await bob.generateText({ prompt: "Hi" })).toMatchObject({ text: "Hello." });
  const usedUp = async (namespace: string) =>
    (await (await openProject({ projectDir, namespace, environment, processEnvironment })).status()).limits.usedUp;
  expect(await usedUp("ada")).toMatchObject({ resetsAt: expect.any(String) });
  expect(await usedUp("bob")).toBeNull();
});

test("stored results of a namespace are found by their hash only in its own event log", async () => {
  await projectOnModel();
  const runtime = await runtimeOf("ada", { eventLog: "project" });
  await runtime.generateText({ prompt: "Hi" });
  await runtime.close();
  const records = await Promise.all(
    ["ada", "bob"].map((namespace) => openProjectEventLog({ projectDir, namespace, processEnvironment })),
  );
  const [ofAda, ofBob] = records;
  const [run] = (await ofAda?.runs()) ?? [];
  const kept = JSON.stringify(await ofAda?.read({ runId: run?.runId ?? "" })).match(/\b[0-9a-f]{64}\b/g) ?? [];
  const inAda = await Promise.all(kept.map((id) => ofAda?.artifact(id)));
  const inBob = await Promise.all(kept.map((id) => ofBob?.artifact(id)));
  expect(inAda.filter((text) => text !== undefined).length).toBeGreaterThan(0);
  expect(inBob.filter((text) => text !== undefined)).toEqual([]);
  for (const record of records) await record.close();
});

test("the event log of a namespace contains no credential of its user or of the process", async () => {
  await projectOnModel();
  const events: Record<string, RunEvent[]> = { ada: [], bob: [] };
  const prompt = [handed("ada").SHOP_TOKEN, processEnvironment.SHOP_TOKEN, handed("bob").SHOP_TOKEN].join(" and ");
  for (const namespace of ["ada", "bob"]) {
    const runtime = await runtimeOf(namespace, { onEvent: (event) => events[namespace]?.push(event) });
    await runtime.generateText({ prompt });
    await runtime.close();
  }
  expect(JSON.stringify(events.ada)).toContain(
    `[secret SHOP_TOKEN] and [secret SHOP_TOKEN] and ${handed("bob").SHOP_TOKEN}`,
  );
  expect(JSON.stringify(events.bob)).toContain(
    `${handed("ada").SHOP_TOKEN} and [secret SHOP_TOKEN] and [secret SHOP_TOKEN]`,
  );
});

test("status names the namespace, or null without one", async () => {
  await project("llm: { provider: { backend: none } }\n");
  expect(await (await openProject({ projectDir, namespace: "a:b", processEnvironment })).status()).toMatchObject({
    namespace: "a:b",
  });
  expect(await (await openProject({ projectDir, environment: {} })).status()).toMatchObject({ namespace: null });
  expect(existsSync(join(projectDir, ".bridle"))).toBe(false);
});
