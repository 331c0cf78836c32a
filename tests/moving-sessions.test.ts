/** Continues one conversation on several real hosts with rehearsed models, and reads the requests from the wire. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryBackend, inRows, type ScriptedModel, type SentRequest } from "@bridle/conformance";
import { createAgentRuntime, createMemoryEventLog } from "@bridle/core";
import { type AgentSession, buildHistory, defineTool } from "@bridle/protocol";
import { openStore } from "@bridle/store-sqlite";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import * as local from "../packages/hosts/claude-code/tests/support/test-context.ts";
import { sentRequests as sentByCodex } from "../packages/hosts/codex/tests/support/codex-wire.ts";
import * as codexHost from "../packages/hosts/codex/tests/support/test-backend.ts";
import * as copilotHost from "../packages/hosts/copilot/tests/support/test-backend.ts";
import { sentRequests } from "../packages/hosts/model-api/tests/sent-requests.ts";
import * as remote from "../packages/hosts/model-api/tests/test-backend.ts";
import { toScript } from "../packages/hosts/shared/tests/to-script.ts";

const look = defineTool({
  name: "look",
  description: "Looks.",
  input: z.object({ at: z.string() }),
  execute: async ({ at }) => `At ${at} there is «${"ünïcødé 🐎 ".repeat(30)}».`,
});
const request = { id: "moving", tools: [look], stepBudget: 5, system: "You look at things." };
const call = (at: string) => ({ tool: "look", input: { at } });

/** Each turn makes two concurrent calls and then a third call, whose input is invalid in every other turn. */
const model: ScriptedModel = [1, 2, 3, 4, 5, 6, 7, 8].map((turn) => ({
  prompt: `Turn ${turn}`,
  steps: [
    { say: `Looking for ${turn}.`, calls: [call(`${turn}a`), call(`${turn}b`)] },
    { calls: [turn % 2 === 0 ? call(`${turn}c`) : { tool: "look", input: { at: turn } }] },
    { say: `Answer ${turn}.` },
  ],
}));

interface Host {
  backend: Parameters<typeof createAgentRuntime>[0]["backend"];
  model: string;
  sent(): readonly SentRequest[];
}

async function claudeCode(script = model) {
  const stage = await local.startTestContext(toScript(script, local.claudeRefusals), {
    extraEnvironment: { CLAUDE_CODE_MAX_RETRIES: "0" },
  });
  onTestFinished(stage.close);
  const { backend, rehearsal, home } = stage;
  return { backend, model: "sonnet", sent: () => local.sentRequests(rehearsal.requests), home };
}

async function modelApi(id: "anthropic" | "openai-compatible", script = model): Promise<Host> {
  const stage = await remote.startTestBackend(remote.toCorrectingScript(script), (url) => remote.optionsFor(id, url));
  onTestFinished(stage.close);
  const { backend, rehearsal } = stage;
  return { backend, model: remote.modelOf[id], sent: () => sentRequests(rehearsal.requests) };
}

async function codex(): Promise<Host> {
  const stage = await codexHost.startCodex(toScript(model, codexHost.codexRefusals));
  onTestFinished(stage.close);
  const { backend, rehearsal } = stage;
  return { backend, model: "gpt-6-sol", sent: () => sentByCodex(rehearsal.requests) };
}

async function copilot(): Promise<Host> {
  const stage = await copilotHost.startTestBackend(toScript(model, copilotHost.copilotRefusals));
  onTestFinished(stage.close);
  const { backend, rehearsal } = stage;
  return { backend, model: "gpt-6-sol", sent: () => sentRequests(rehearsal.requests) };
}

test("a conversation moves from host to host, and each host gets the exact history, calls and results included", async () => {
  const record = createMemoryEventLog();
  const claude = await claudeCode();
  const [onCodex, onCopilot] = [await codex(), await copilot()];
  const [anthropic, compatible] = [await modelApi("anthropic"), await modelApi("openai-compatible")];
  const hosts: Host[] = [claude, onCodex, onCopilot, anthropic, onCodex, claude, compatible, onCopilot];
  for (const [index, host] of hosts.entries()) {
    const runtime = createAgentRuntime({
      ...host,
      models: { default: host.model },
      eventLog: record,
      projectDir: claude.home.project,
    });
    const session = await runtime.openSession(request);
    const before = session.history();
    const sent = host.sent().length;
    const { stopReason } = await (await session.send(`Turn ${index + 1}`)).result;
    expect(stopReason).toBe("natural");
    const asked = { role: "user" as const, content: [{ type: "text" as const, text: `Turn ${index + 1}` }] };
    expect(inRows(host.sent()[sent]?.messages ?? [])).toEqual(inRows([...before, asked]));
    expect(inRows(host.sent().at(-1)?.messages ?? [])).toEqual(inRows(session.history().slice(0, -1)));
    for (const own of ["projects", "sessions", "backups", "history.jsonl"]) {
      await rm(join(claude.home.configDir, own), { recursive: true, force: true });
    }
  }
  const events = await record.read({ sessionId: "moving" });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  const parts = buildHistory(events).flatMap(({ content }) => content);
  expect(parts.filter(({ type }) => type === "tool-result")).toHaveLength(24);
  expect(events.flatMap((event) => (event.type === "run.started" ? [event.backend] : []))).toEqual([
    "claude-code",
    "codex",
    "copilot",
    "anthropic",
    "codex",
    "claude-code",
    "openai-compatible",
    "copilot",
  ]);
});

async function sayAll(session: AgentSession, prompts: readonly string[]): Promise<void> {
  for (const prompt of prompts) expect((await (await session.send(prompt)).result).stopReason).toBe("natural");
}

test("a prompt that is too long for a model API is sent again without long results, once", async () => {
  const long = { fail: "context-overflow" as const };
  const host = await modelApi("anthropic", [
    ...model.slice(0, 2),
    { prompt: "Third", steps: [long, { say: "Fits." }] },
    { prompt: "Fourth", steps: [{ ...long, forever: true }] },
  ]);
  const runtime = createAgentRuntime({ ...host, models: { default: host.model } });
  const session = await runtime.openSession(request);
  await sayAll(session, ["Turn 1", "Turn 2", "Third"]);
  const [whole = "", short = ""] = host
    .sent()
    .slice(-2)
    .map(({ messages }) => JSON.stringify(messages));
  expect(whole).toContain("ünïcødé");
  expect(short).not.toContain("ünïcødé");
  expect(short).toContain("was left out to make room");
  expect((await (await session.send("Fourth")).result).error).toMatchObject({ name: "ContextOverflowError" });
});

test("a prompt that is too long for Claude Code is compacted by the model, and a new process continues", async () => {
  const stage = await local.startTestContext({
    rehearsal: 1,
    turns: [
      { when: { user: "<conversation>" }, steps: [{ say: "They looked around." }] },
      {
        when: { user: "Fourth", message: 4 },
        steps: [{ status: 400, message: "prompt is too long: 250000 tokens > 200000 maximum" }],
      },
      { when: { user: "Turn" }, steps: [{ call: "look", with: { at: "a" } }, { say: "Seen." }] },
      { steps: [{ say: "Fits." }] },
    ],
  });
  onTestFinished(stage.close);
  const runtime = createAgentRuntime({
    backend: stage.backend,
    models: { default: "sonnet" },
    projectDir: stage.home.project,
  });
  const session = await runtime.openSession({ ...request, compaction: "summarise" });
  await sayAll(session, ["Turn 1", "Turn 2", "Turn 3"]);
  const result = await (await session.send("Fourth")).result;
  expect(result).toMatchObject({ stopReason: "natural", text: "Fits." });
  const messages = local.sentRequests(stage.rehearsal.requests).at(-1)?.messages ?? [];
  expect(JSON.stringify(messages)).toContain("They looked around.");
  expect(JSON.stringify(messages)).not.toContain("Turn 1");
  expect(JSON.stringify(messages)).toContain("Turn 3");
});

test("a conversation continues from the event log on disk after everything that had it open is closed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bridle-sessions-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const backend = createMemoryBackend(model);
  let before: AgentSession["totals"] | undefined;
  for (const turn of [1, 2, 3]) {
    const record = openStore({ folder });
    const runtime = createAgentRuntime({ backend, models: { default: "m" }, eventLog: record });
    const session = await runtime.openSession(request);
    if (before) expect(session.totals).toEqual(before);
    const history = session.history();
    await sayAll(session, [`Turn ${turn}`]);
    expect(backend.sent.at(-3)?.messages.slice(0, -1)).toEqual(history);
    expect(buildHistory(await record.read({ sessionId: session.id }))).toEqual(session.history());
    before = session.totals;
    await runtime.close();
    record.close();
  }
  expect(before?.toolCalls).toBe(9);
});
