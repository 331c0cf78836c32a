import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentRuntime } from "@bridle/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { childrenOf } from "../../claude-code/tests/support/processes.ts";
import { runtimeToolNames } from "../src/boundary/builtin-names.ts";
import { SharedRuntime } from "../src/process/shared-runtime.ts";
import { type BoundaryEvidence, collectEvidence, judgeEvidence } from "../src/proof/prove.ts";
import { startTestBackend } from "./support/test-backend.ts";
import { canary, plantTraps, type Traps } from "./support/traps.ts";

let folder = "";
let traps: Traps;
let evidence: BoundaryEvidence;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bridle-traps-"));
  traps = await plantTraps(folder);
  evidence = await collectEvidence(traps);
});
afterAll(() => rm(folder, { recursive: true }));

test("among traps, only the caller's input reaches the model, no tool of the runtime runs, and no other host is reached", () => {
  for (const finding of judgeEvidence(evidence)) expect(finding).toMatchObject({ ok: true });
  expect(evidence.requests).toHaveLength(2);
});

test("no text and no credential of a trap is in a request or its headers, and no trap has run", () => {
  expect(JSON.stringify(evidence.requests)).not.toContain(canary);
  expect(JSON.stringify(evidence.requests.map(({ headers }) => headers))).toContain("key-of-the-proof");
  expect(existsSync(traps.effectFile)).toBe(false);
});

test.each(["openai", "anthropic"] as const)(
  "without a key, no credential of the environment is sent to a server of your own that speaks the protocol of %s",
  async (api) => {
    const script = { rehearsal: 1 as const, turns: [{ steps: [{ say: "Hello." }] }] };
    const options = { api, apiKey: undefined, environment: traps.environment };
    const { backend, rehearsal, close } = await startTestBackend(script, options);
    const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
    expect((await runtime.generateText({ prompt: "go" })).text).toBe("Hello.");
    await runtime.close();
    await close();
    const sent = rehearsal.requests.map(({ headers }) => headers);
    expect(JSON.stringify(sent)).not.toContain(canary);
    for (const { authorization = "Bearer", "x-api-key": key = "" } of sent)
      expect(`${authorization}${key}`).toMatch(/^Bearer ?$/);
  },
);

/**
 * The variables that the runtime gets: private folders, the language, and two that the SDK sets, which turn off the keychain and set the
 * SDK's folder.
 */
const runtimeVariables = [
  "APPDATA",
  "COPILOT_DISABLE_KEYTAR",
  "COPILOT_HOME",
  "HOME",
  "LANG",
  "LOCALAPPDATA",
  "PATH",
  "TEMP",
  "TMP",
  "TMPDIR",
  "USERPROFILE",
];

test.runIf(process.platform === "linux")("the process of the runtime has only variables of the machine", async () => {
  const shared = new SharedRuntime({ ...traps.environment, LANG: "C.UTF-8" });
  try {
    await shared.acquire();
    const [own] = childrenOf(process.pid).filter(({ command }) => command.includes("copilot-runtime"));
    const variables = (await readFile(`/proc/${own?.pid}/environ`, "utf8")).split("\0").filter(Boolean);
    const names = variables
      .map((variable) => variable.split("=")[0] ?? "")
      .filter((name) => !name.startsWith("BRIDLE_"));
    expect(names.sort()).toEqual(runtimeVariables);
    expect(variables.join("\n")).not.toContain(canary);
  } finally {
    await shared.close();
  }
});

test("the calls by name cover every tool that the runtime offers if it may", async () => {
  const shared = new SharedRuntime(process.env);
  try {
    const { runtime } = await shared.acquire();
    const session = await runtime.client.createSession({
      model: "gpt-6-sol",
      provider: { type: "openai", wireApi: "responses", baseUrl: "http://127.0.0.1:9/v1", apiKey: "key" },
      availableTools: ["builtin:*", "mcp:*"],
      onPermissionRequest: () => ({ kind: "reject" }),
    });
    await session.rpc.tools.initializeAndValidate();
    const names = (await session.rpc.tools.getCurrentMetadata()).tools?.map(({ name }) => name) ?? [];
    expect(names).toContain("bash");
    const known: readonly string[] = runtimeToolNames;
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  } finally {
    await shared.close();
  }
});
