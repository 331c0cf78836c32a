import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createAgentRuntime } from "@bridle/core";
import { AuthenticationError } from "@bridle/protocol";
import type { ScriptInput } from "@bridle/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { childrenOf } from "../../claude-code/tests/support/processes.ts";
import { createCodexBackend } from "../src/backend.ts";
import { codexEnvironment, refuseReservedForCodex } from "../src/environment/environment.ts";
import { modelRequests } from "./support/codex-wire.ts";
import { hostileVariables, payerVariables } from "./support/payer-variables.ts";
import { startCodex } from "./support/test-backend.ts";
import { startCodexSession } from "./support/test-session.ts";

const hello: ScriptInput = { rehearsal: 1, turns: [{ steps: [{ say: "Hello." }] }] };
const machine = { PATH: "/bin", LANG: "C", HTTPS_PROXY: "http://proxy.example:3128", SSL_CERT_FILE: "/ca.pem" };

test("of all variables that Codex reads, the process gets those of the machine, and with auth: api_key its key", () => {
  const environment = { ...machine, ...hostileVariables, OPENAI_API_KEY: "sk-paid" };
  expect(codexEnvironment({ auth: "session", environment })).toEqual(machine);
  expect(codexEnvironment({ auth: "api_key", environment })).toEqual({ ...machine, BRIDLE_CODEX_API_KEY: "sk-paid" });
});

/** Variables that a program may pass to tools by name, because they are credentials of commands and not of Codex. */
const forCommands: readonly string[] = [
  "GH_TOKEN",
  "GITHUB_TOKEN",
  "GOOGLE_CLOUD_PROJECT",
  "ACTIONS_ID_TOKEN_REQUEST_URL",
];

test.each(payerVariables.filter((name) => !forCommands.includes(name)))(
  "%s cannot be passed to Codex by name either",
  (name) => {
    const extraEnvironment = { [name.toLowerCase()]: "trapped" };
    expect(() => codexEnvironment({ auth: "session", environment: {}, extraEnvironment })).toThrow(
      "must not be passed to Codex",
    );
    expect(() => refuseReservedForCodex({ [name]: "trapped" })).toThrow("must not be passed to Codex's tools");
  },
);

test("a ChatGPT login pays, although the environment has every other credential and address", async () => {
  const { backend, rehearsal, tlsProxy, readLogin, close } = await startCodexSession(hello, {
    environment: hostileVariables,
  });
  const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
  onTestFinished(close);
  const { cost } = await runtime.generateText({ prompt: "Hello?" });
  expect(cost?.estimate).toBe(true);
  expectNoTrap(process.pid);
  const [request, ...more] = modelRequests(rehearsal.requests);
  expect(more).toEqual([]);
  expect(request?.headers.authorization).toBe(`Bearer ${JSON.parse(await readLogin()).tokens.access_token}`);
  expect(JSON.stringify(rehearsal.requests)).not.toContain("trapped");
  expect(new Set(tlsProxy.hosts)).toEqual(new Set(["chatgpt.com"]));
  await runtime.close();
});

test("the key pays with auth: api_key, although the environment has every other credential and address", async () => {
  const { backend, rehearsal, close } = await startCodex(hello, {
    environment: { ...hostileVariables, OPENAI_API_KEY: "sk-paid" },
  });
  const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
  onTestFinished(close);
  const { cost } = await runtime.generateText({ prompt: "Hello?" });
  expect(cost?.estimate).toBe(false);
  expectNoTrap(process.pid);
  expect(rehearsal.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer sk-paid"]);
  expect(JSON.stringify(rehearsal.requests)).not.toContain("trapped");
  await runtime.close();
});

test("a login by a key that Codex has stored pays, and its cost is no estimate", async () => {
  const { backend, rehearsal, tlsProxy, home, close } = await startCodexSession(hello, {
    environment: hostileVariables,
    hosts: ["api.openai.com"],
  });
  await writeFile(join(home, ".codex/auth.json"), JSON.stringify({ OPENAI_API_KEY: "sk-stored" }));
  const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
  onTestFinished(close);
  const { cost } = await runtime.generateText({ prompt: "Hello?" });
  expect(rehearsal.requests.map(({ headers, path }) => [path, headers.authorization])).toEqual([
    ["/v1/responses", "Bearer sk-stored"],
  ]);
  expect(new Set(tlsProxy.hosts)).toEqual(new Set(["api.openai.com"]));
  expect(cost?.estimate).toBe(false);
  await runtime.close();
});

test("without a login nothing is started, and the error contains the remedy", async () => {
  const backend = createCodexBackend({
    environment: { PATH: process.env.PATH, HOME: "/nowhere", ...hostileVariables },
  });
  const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
  const asked = runtime.generateText({ prompt: "Hello?" });
  await expect(asked).rejects.toThrow(AuthenticationError);
  await expect(asked).rejects.toThrow('Run "codex login" once');
  await runtime.close();
});

/** Checks the environment of the Codex processes that this program has started. */
function expectNoTrap(pid: number): void {
  const started = childrenOf(pid).filter(({ command }) => command.includes("app-server"));
  expect(started).toHaveLength(1);
  for (const { pid } of started) expect(readFileSync(`/proc/${pid}/environ`, "utf8")).not.toContain("trapped");
}
