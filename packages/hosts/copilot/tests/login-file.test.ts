/** Checks that the user's own login file is only read, and never changed. */
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createAgentRuntime } from "@bridle/core";
import { BackendCrashError } from "@bridle/protocol";
import type { ScriptInput } from "@bridle/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { childrenOf } from "../../claude-code/tests/support/processes.ts";
import { filesWith } from "../../shared/tests/files-with.ts";
import { createCopilotBackend } from "../src/backend.ts";
import { readStoredLogin } from "../src/login/stored-login.ts";
import { startCopilotSession } from "./support/test-session.ts";

const account = { host: "https://github.com", login: "octo" };
const key = "https://github.com:octo";

test("after runs and a kill in the middle of a request, the file is the same, and no other file has the token", async () => {
  const turns = [
    { when: { user: "wait" }, steps: [{ say: "Well", stall: true, forever: true }] },
    { steps: [{ say: "Hello." }] },
  ];
  const session = await startCopilotSession({ rehearsal: 1, turns } as ScriptInput);
  const runtime = createAgentRuntime({ backend: session.backend, models: { default: "gpt-6-sol" } });
  onTestFinished(async () => {
    await runtime.close();
    await session.close();
  });
  const before = await session.readLogin();
  const { mtimeMs } = await stat(session.file);
  expect((await runtime.generateText({ prompt: "Hello?" })).text).toBe("Hello.");

  const own = () => childrenOf(process.pid).filter(({ command }) => command.includes("copilot-runtime"));
  const run = runtime.runAgentLoop({ prompt: "wait", tools: [], stepBudget: 1 });
  for await (const { type } of run)
    if (type === "text.delta") for (const { pid } of own()) process.kill(pid, "SIGKILL");
  expect((await run.result).error).toBeInstanceOf(BackendCrashError);
  expect((await runtime.generateText({ prompt: "Hello?" })).text).toBe("Hello.");

  if (process.platform === "linux")
    expect(await filesWith("gho_rehearsal", await privateFolderOf(own()[0]?.pid))).toEqual([]);
  expect(await filesWith("gho_rehearsal", session.home)).toEqual([session.file]);
  expect(await session.readLogin()).toBe(before);
  expect((await stat(session.file)).mtimeMs).toBe(mtimeMs);
});

test("the next run uses the login that is stored then; one on another account, or after a logout, ends with the remedy", async () => {
  const session = await startCopilotSession({ rehearsal: 1, turns: [{ steps: [{ say: "Hello." }] }] });
  const runtime = createAgentRuntime({ backend: session.backend, models: { default: "gpt-6-sol" } });
  onTestFinished(async () => {
    await runtime.close();
    await session.close();
  });
  await runtime.generateText({ prompt: "Hello?" });
  const first = await session.readLogin();
  await writeFile(session.file, stored({ lastLoggedInUser: account, authTokens: { [key]: { token: "gho_other" } } }));
  await expect(runtime.generateText({ prompt: "Hello?" })).rejects.toThrow("is now that of octo at https://github.com");
  await writeFile(session.file, first.replaceAll("gho_rehearsal", "gho_ended"));
  await expect(runtime.generateText({ prompt: "Hello?" })).rejects.toThrow("Bad credentials");
  await rm(session.file);
  await expect(runtime.generateText({ prompt: "Hello?" })).rejects.toThrow(
    'not logged in (auth: session). Run "copilot login"',
  );
  const payers = session.rehearsal.requests.map(({ headers }) => headers.authorization);
  expect([...new Set(payers)]).toEqual(["Bearer gho_rehearsal", "Bearer gho_ended"]);
});

/** The forms in which the runtime 1.0.85 stores and reads logins. */
test.each([
  ["the newest form", { lastLoggedInUser: account, authTokens: { [key]: { token: "gho_a" } } }],
  ["the older form", { lastLoggedInUser: account, copilotTokens: { [key]: "gho_a" } }],
  ["a list of accounts without the last one", { loggedInUsers: [account], authTokens: { [key]: { token: "gho_a" } } }],
])("%s of a login is read", async (_form, file) => {
  expect(await read(stored(file))).toEqual({ host: "https://github.com", name: "octo", token: "gho_a" });
});

const entra = { token: "t", expiresAt: "2026-01-01T00:00:00Z", accountType: "entra" };
test.each([
  ["without an account", stored({}), 'Copilot is not logged in (auth: session). Run "copilot login" once'],
  ["with the token in the keyring", stored({ lastLoggedInUser: account }), '"storeTokenPlaintext": true'],
  ["of another kind of account", stored({ lastLoggedInUser: account, authTokens: { [key]: entra } }), "one of entra"],
  ["that is broken", "{", "is not the file that Copilot stores its logins in"],
])("a file %s is an AuthenticationError with the remedy, and starts nothing", async (_name, text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});

test("variables of the environment are no login, and neither are settings of the other mode", async () => {
  const environment = { HOME: "/nowhere", GH_TOKEN: "gho_a", GITHUB_TOKEN: "gho_b", COPILOT_GITHUB_TOKEN: "gho_c" };
  const runtime = createAgentRuntime({
    backend: createCopilotBackend({ auth: "session", environment }),
    models: { default: "gpt-6-sol" },
  });
  await expect(runtime.generateText({ prompt: "Hello?" })).rejects.toThrow("Copilot is not logged in");
  await runtime.close();
  expect(() => createCopilotBackend({ auth: "session", apiKey: "k" })).toThrow(
    "apiKey cannot be combined with auth: session",
  );
  expect(() => createCopilotBackend({ apiKey: "k", gitHubToken: "gho_a" })).toThrow(
    "gitHubToken belongs to auth: session",
  );
  expect(() => createCopilotBackend({ auth: "session", gitHubHost: "acme.ghe.com" })).toThrow("belongs to gitHubToken");
});

test("a classic token is refused before it is sent anywhere", async () => {
  const backend = createCopilotBackend({ auth: "session", gitHubToken: "ghp_classic" });
  await expect(backend.checkAuth()).rejects.toThrow(
    "classic personal access token (ghp_), which Copilot does not accept",
  );
  await backend.close();
});

function stored(content: object): string {
  return `// This file is managed automatically.\n${JSON.stringify(content)}`;
}

async function read(text: string) {
  const home = await mkdtemp(join(tmpdir(), "bridle-copilot-file-"));
  onTestFinished(() => rm(home, { recursive: true }));
  await writeFile(join(home, "config.json"), text);
  return readStoredLogin({ COPILOT_HOME: home });
}

async function privateFolderOf(pid: number | undefined): Promise<string> {
  const variables = (await readFile(`/proc/${pid}/environ`, "utf8")).split("\0");
  const home = variables.find((variable) => variable.startsWith("COPILOT_HOME="))?.slice("COPILOT_HOME=".length);
  if (!home) throw new Error(`The process ${pid} has no COPILOT_HOME.`);
  return dirname(home);
}

test("a login file that cannot be read is no missing one: the error names it", async () => {
  const home = await mkdtemp(join(tmpdir(), "bridle-login-"));
  onTestFinished(() => rm(home, { recursive: true }));
  await mkdir(join(home, ".copilot", "config.json"), { recursive: true });
  expect(() => readStoredLogin({ HOME: home })).toThrow(/Copilot.s file of logins, .*config\.json, cannot be read/);
});
