/** Tests the real Claude Code in namespaces: the logins, processes and files of each namespace. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AuthenticationError } from "@bridle/protocol";
import { defineScript, type Rehearsal, startRehearsal } from "@bridle/rehearsal";
import { startTlsProxy, type TlsProxy, writeFakeLogin } from "@bridle/rehearsal/tls";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { runDoctor } from "../src/conveniences.ts";
import { type CreateRuntimeOptions, createRuntime } from "../src/operations.ts";

let root = "";
let projectDir = "";
let rehearsal: Rehearsal;
let tlsProxy: TlsProxy;
/** The environment of a process that has both a login and a key. */
let processEnvironment: Record<string, string> = {};

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "bridle-namespaces-"));
  projectDir = join(root, "project");
  await mkdir(projectDir);
  rehearsal = await startRehearsal({
    script: defineScript({ rehearsal: 1, turns: [{ steps: [{ say: "Hello.", forever: true }] }] }),
  });
  tlsProxy = await startTlsProxy({ rehearsal, folder: root });
  const home = join(root, "home");
  await login(join(home, ".claude"), "of-the-process");
  await writeFile(
    join(home, ".claude.json"),
    JSON.stringify({ oauthAccount: { emailAddress: "process@example.com" } }),
  );
  processEnvironment = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    TMPDIR: tmpdir(),
    LANG: "C.UTF-8",
    XDG_CONFIG_HOME: home,
    ANTHROPIC_API_KEY: "sk-ant-api03-stray",
    CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-stray",
    ...tlsProxy.environment,
  };
  onTestFinished(async () => {
    await tlsProxy.close();
    await rehearsal.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  });
});

/** Writes a made-up login. Its token contains the user's name. */
async function login(configDir: string, whose: string): Promise<void> {
  await writeFakeLogin(configDir);
  const file = join(configDir, ".credentials.json");
  await writeFile(file, (await readFile(file, "utf8")).replace("rehearsal-access", whose));
}

const claudeFolder = (name: string) => join(projectDir, ".bridle", "ns", name, "claude-code");

async function runtimeOf(namespace: string, options: CreateRuntimeOptions = {}) {
  const runtime = await createRuntime({ projectDir, namespace, processEnvironment, ...options });
  onTestFinished(() => runtime.close());
  return runtime;
}

const modelRequests = () => rehearsal.requests.filter(({ path }) => path === "/v1/messages");
const tokens = () => modelRequests().map(({ headers }) => headers.authorization);

/** Lists the pids of processes with this Claude Code folder in their environment (Linux). */
async function processesOf(configDir: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const environments = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/environ`, "utf8").catch(() => "")));
  return pids.filter((_, index) => environments[index]?.split("\0").includes(`CLAUDE_CONFIG_DIR=${configDir}`));
}

test("a namespace never uses the login and credentials of the process, and the error says how to log in", async () => {
  const whole = { ...processEnvironment, CLAUDE_CONFIG_DIR: join(root, "home", ".claude") };
  for (const options of [{}, { processEnvironment: whole }, { environment: whole }]) {
    const runtime = await runtimeOf("ada", options);
    const asked = runtime.generateText({ prompt: "Hi" });
    await expect(asked).rejects.toThrow(AuthenticationError);
    await expect(asked).rejects.toThrow(
      `The namespace "ada" has a separate login: run "claude" with CLAUDE_CONFIG_DIR=${claudeFolder("ada")}`,
    );
    await runtime.close();
  }
  expect(rehearsal.requests).toEqual([]);
  expect(tlsProxy.hosts).toEqual([]);
});

test("doctor checks the login of the namespace, and says how to make it", async () => {
  const checks = await runDoctor({ projectDir, namespace: "ada", processEnvironment, live: true });
  expect(checks.find(({ id }) => id === "login")).toMatchObject({
    ok: false,
    remedy: expect.stringContaining(`CLAUDE_CONFIG_DIR=${claudeFolder("ada")}`),
  });
  expect(rehearsal.requests).toEqual([]);
});

test("two concurrent namespaces use their own logins and processes", async () => {
  for (const name of ["ada", "bob"]) await login(claudeFolder(name), `of-${name}`);
  const [ada, bob] = [await runtimeOf("ada"), await runtimeOf("bob")];
  await Promise.all([ada.generateText({ prompt: "Hi" }), bob.generateText({ prompt: "Hi" })]);
  expect(tokens().toSorted()).toEqual(["Bearer sk-ant-oat01-of-ada", "Bearer sk-ant-oat01-of-bob"]);
  const [ofAda, ofBob] = [await processesOf(claudeFolder("ada")), await processesOf(claudeFolder("bob"))];
  expect([ofAda.length > 0, ofBob.length > 0]).toEqual([true, true]);
  expect(ofAda.filter((pid) => ofBob.includes(pid))).toEqual([]);

  await ada.generateText({ prompt: "Hi" }); // while a process of bob waits for calls
  expect(tokens().at(-1)).toBe("Bearer sk-ant-oat01-of-ada");
  expect(await processesOf(claudeFolder("bob"))).toEqual(ofBob);
  await ada.close();
  await expect.poll(() => processesOf(claudeFolder("ada")), { timeout: 5000 }).toEqual([]);
  expect(await processesOf(claudeFolder("bob"))).toEqual(ofBob);
});

test("the host of a namespace writes nothing to the home of the process, and its folder is private to this user", async () => {
  await login(claudeFolder("ada"), "of-ada");
  const before = await readdir(join(root, "home"), { recursive: true });
  const runtime = await runtimeOf("ada");
  await runtime.generateText({ prompt: "Hi" });
  await runtime.close();
  expect(await readdir(join(root, "home"), { recursive: true })).toEqual(before);
  expect(await readdir(claudeFolder("ada"))).toContain(".claude.json");
  expect((await stat(claudeFolder("ada"))).mode & 0o777).toBe(0o700);
});

test("a key that is passed is used even if the namespace or the process has a login", async () => {
  await login(claudeFolder("ada"), "of-ada");
  await writeFile(
    join(projectDir, "bridle.yaml"),
    `llm: { provider: { auth: api_key, baseUrl: "${rehearsal.url}" } }\n`,
  );
  const environment = { ANTHROPIC_API_KEY: "key-of-ada", NO_PROXY: "127.0.0.1" };
  const runtime = await runtimeOf("ada", { environment });
  await runtime.generateText({ prompt: "Hi" });
  expect(modelRequests().map(({ headers }) => headers["x-api-key"])).toEqual(["key-of-ada"]);
  await expect(runtimeOf("bob")).rejects.toThrow("ANTHROPIC_API_KEY");
});
