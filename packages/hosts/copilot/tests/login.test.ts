/**
 * Tests the effects of a GitHub login on the real runtime with production options. A rehearsed GitHub is reached over TLS under GitHub's
 * own host names.
 */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentRuntime } from "@bridle/core";
import { AuthenticationError, defineTool, ModelNotFoundError, type RunEvent } from "@bridle/protocol";
import type { ScriptInput } from "@bridle/rehearsal";
import { copilotHosts } from "@bridle/rehearsal/tls";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { childrenOf } from "../../claude-code/tests/support/processes.ts";
import { sentRequests } from "../../model-api/tests/sent-requests.ts";
import { converseWithForger, forgedScript, judgeEvidence } from "../src/proof/prove.ts";
import { startCopilotSession } from "./support/test-session.ts";
import { canary, plantTraps } from "./support/traps.ts";

type Steps = ScriptInput["turns"][number]["steps"];

async function open(steps: Steps, options: Parameters<typeof startCopilotSession>[1] = {}, model = "gpt-6-sol") {
  const session = await startCopilotSession({ rehearsal: 1, turns: [{ steps }] } as ScriptInput, options);
  const runtime = createAgentRuntime({ backend: session.backend, models: { default: model } });
  onTestFinished(async () => {
    await runtime.close();
    await session.close();
  });
  const asked = () => session.rehearsal.requests.map(({ method, path }) => `${method} ${path}`);
  const payers = () => [...new Set(session.rehearsal.requests.map(({ headers }) => headers.authorization))];
  return { ...session, runtime, asked, payers };
}

/** The variables that the runtime gets: private folders, the language, the certificate, those of the SDK, and the login with its GitHub. */
const runtimeVariables = [
  "APPDATA",
  "COPILOT_DISABLE_KEYTAR",
  "COPILOT_GH_HOST",
  "COPILOT_HOME",
  "COPILOT_SDK_AUTH_TOKEN",
  "HOME",
  "HTTPS_PROXY",
  "LOCALAPPDATA",
  "NODE_EXTRA_CA_CERTS",
  "PATH",
  "TEMP",
  "TMP",
  "TMPDIR",
  "USERPROFILE",
];

test("among traps, the login pays, and only what was passed reaches the model: no tool of the runtime runs, and three addresses are asked", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bridle-traps-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const traps = await plantTraps(folder);
  const { HOME: _home, COPILOT_HOME: _folder, ...environment } = traps.environment;
  const session = await startCopilotSession(forgedScript(traps.effectFile), { environment });
  onTestFinished(session.close);
  const { backend, rehearsal, tlsProxy } = session;
  const refusals = await converseWithForger(backend, traps);
  const requests = rehearsal.requests.filter(({ method }) => method === "POST");
  const otherHosts = tlsProxy.hosts.filter((host) => !copilotHosts.includes(host));
  for (const finding of judgeEvidence({ requests, refusals, otherHosts })) expect(finding).toMatchObject({ ok: true });
  expect([...new Set(rehearsal.requests.map(({ method, path }) => `${method} ${path}`))]).toEqual([
    "GET /copilot_internal/user",
    "GET /models",
    "POST /responses",
  ]);
  expect([...new Set(rehearsal.requests.map(({ headers }) => headers.authorization))]).toEqual([
    "Bearer gho_rehearsal",
  ]);
  expect(JSON.stringify(rehearsal.requests)).not.toContain(canary);
  expect(existsSync(traps.effectFile)).toBe(false);
  if (process.platform !== "linux") return;
  const [own] = childrenOf(process.pid).filter(({ command }) => command.includes("copilot-runtime"));
  const variables = (await readFile(`/proc/${own?.pid}/environ`, "utf8")).split("\0").filter(Boolean);
  const names = variables.map((variable) => variable.split("=")[0] ?? "");
  expect(names.filter((name) => !name.startsWith("BRIDLE_")).sort()).toEqual(runtimeVariables);
  expect(variables.join("\n")).not.toContain(canary);
});

test("a token in the settings pays, although another login is stored, and goes to its own GitHub only", async () => {
  const hosts = ["api.acme.ghe.com", "api.individual.githubcopilot.com"];
  const options = { hosts, gitHubToken: "gho_rehearsal", gitHubHost: "acme.ghe.com" };
  const { backend, runtime, tlsProxy, payers, file, readLogin } = await open([{ say: "Hello." }], options);
  await writeFile(file, (await readLogin()).replaceAll("gho_rehearsal", "gho_stored"));
  expect((await runtime.generateText({ prompt: "Hello?" })).text).toBe("Hello.");
  expect(payers()).toEqual(["Bearer gho_rehearsal"]);
  expect([...new Set(tlsProxy.hosts)].sort()).toEqual(hosts);
  expect(backend.account).toMatch(/^copilot token https:\/\/acme\.ghe\.com [0-9a-f]{12}$/);
});

test("a refused token ends the run before any request to a model", async () => {
  const { runtime, backend, asked } = await open([{ say: "Hello." }], { gitHubToken: "gho_ended" });
  const run = runtime.generateText({ prompt: "Hello?" });
  await expect(run).rejects.toBeInstanceOf(AuthenticationError);
  await expect(run).rejects.toThrow(
    "refused the login: Bad credentials. (auth: session) Check llm.provider.gitHubToken",
  );
  expect(await backend.checkAuth()).toMatchObject({ ok: false, mode: "session" });
  expect([...new Set(asked())]).toEqual(["GET /copilot_internal/user"]);
});

test("a model that the plan does not have ends the run before any request to a model, and names the nearest", async () => {
  const { runtime, asked, backend } = await open([{ say: "Hello." }], {}, "gpt-6-son");
  const run = runtime.generateText({ prompt: "Hello?" });
  await expect(run).rejects.toBeInstanceOf(ModelNotFoundError);
  await expect(run).rejects.toThrow('The Copilot plan of the account has no model "gpt-6-son". Did you mean gpt-6-sol');
  expect(await backend.checkAuth()).toEqual({ ok: true, mode: "session", detail: "GitHub Copilot accepts the login." });
  expect(asked()).not.toContain("POST /responses");
});

test("a prompt over the model's limit is sent whole: the runtime neither drops messages nor compacts in its own words", async () => {
  const look = defineTool({
    name: "look",
    description: "Looks.",
    input: z.object({}),
    annotations: { readOnly: true },
    execute: async () => "seen",
  });
  const { runtime, rehearsal } = await open([{ call: "look", with: {} }, { say: "Done." }]);
  const prompt = "word ".repeat(190_000); // the rehearsed model accepts 180,000 tokens
  expect((await runtime.runAgentLoop({ prompt, tools: [look], stepBudget: 3 }).result).text).toBe("Done.");
  const sent = sentRequests(rehearsal.requests.filter(({ method }) => method === "POST"));
  expect(sent.map(({ texts }) => texts.map(({ length }) => length))).toEqual([[prompt.length], [prompt.length, 4]]);
});

test("a used-up month is one limit.reached event, and a UsageLimitError with its reset", async () => {
  const { runtime, asked } = await open([{ status: 402, limit: { resets_in_seconds: 3600 }, forever: true }]);
  const run = runtime.runAgentLoop({ prompt: "Hello?", tools: [], stepBudget: 1 });
  const events: RunEvent[] = [];
  for await (const event of run) if (event.type.startsWith("limit.")) events.push(event);
  expect(events).toMatchObject([{ type: "limit.reached", window: "month", resetsAt: expect.any(Number) }]);
  const { error } = await run.result;
  expect(error).toMatchObject({ code: "usage_limit", window: "month", resetsAt: expect.any(Date) });
  expect(asked().filter((request) => request.startsWith("POST"))).toHaveLength(1);
});
