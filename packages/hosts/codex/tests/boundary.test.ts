import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentRuntime } from "@bridle/core";
import { defineTool, type RunEvent } from "@bridle/protocol";
import type { Rehearsal } from "@bridle/rehearsal";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { forgedCalls } from "../src/proof/forged-calls.ts";
import { collectCodexEvidence, judgeCodexEvidence, proveCodexBoundary } from "../src/proof/prove.ts";
import { findSentAdditions } from "../src/proof/sent-input.ts";
import { codexTrapVariables, plantCodexTraps, trapPrompt, trapWord, variableWords } from "../src/proof/traps.ts";
import { modelRequests } from "./support/codex-wire.ts";
import { startCodexSession } from "./support/test-session.ts";

let root = "";
let home = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "bridle-traps-"));
  home = join(root, "home");
});
afterEach(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));

const look = defineTool({
  name: "look",
  description: "Looks.",
  input: z.object({ at: z.string() }),
  execute: async () => "seen",
});

test("with a key, among traps in the home, at every level of the project and in the environment, the boundary holds", async () => {
  const traps = await plantCodexTraps({ home, root });
  const environment = { PATH: process.env.PATH, HOME: home };
  const evidence = await collectCodexEvidence({ environment }, traps);
  for (const { title, detail } of judgeCodexEvidence(evidence)) expect.soft(detail, title).toBe("");
  expect(evidence.requests).toHaveLength(6);
});

test("the proof for bridle doctor plants its traps in a folder of its own, and leaves the user's home as it is", async () => {
  const environment = { PATH: process.env.PATH, HOME: home };
  const findings = await proveCodexBoundary({ environment });
  expect(findings.filter(({ ok }) => !ok)).toEqual([]);
  expect(await rm(home).catch(({ code }) => code)).toBe("ENOENT");
});

test.each<[model: string, builtins: string[]]>([
  ["gpt-5.5", []],
  ["gpt-5.6-terra", []],
  ["gpt-6-sol", []],
  ["a-model-of-tomorrow", []],
  ["gpt-5.5", ["apply_patch"]],
])(
  "with a ChatGPT login, among the same traps, %s gets only what was passed with %j open, and the login pays",
  async (model, builtins) => {
    const traps = await plantCodexTraps({ home, root });
    const forged = forgedCalls(traps.effect);
    const steps = [{ calls: [...forged, { call: "look", with: { at: "it" } }] }, { say: "Done." }];
    const session = await startCodexSession(
      { rehearsal: 1, turns: [{ steps }] },
      { environment: { ...codexTrapVariables, PATH: `${traps.programs}:${process.env.PATH}` }, home },
    );
    const { backend, rehearsal, tlsProxy, readLogin, close } = session;
    const login = await readLogin();
    const runtime = createAgentRuntime({ backend, models: { default: model } });
    const events: RunEvent[] = [];
    const request = { prompt: trapPrompt, system: "You are OURS.", tools: [look], builtins, stepBudget: 3 };
    const run = runtime.runAgentLoop({ ...request, projectDir: traps.project });
    for await (const event of run) events.push(event);
    expect(await run.result).toMatchObject({ stopReason: "natural", text: "Done.", steps: 2 });
    await runtime.close();
    expectOnlyPassed(rehearsal, builtins, [home, traps.project]);
    expect(events.filter(({ type }) => type === "tool.denied")).toHaveLength(forged.length);
    expect(events.filter(({ type }) => type === "tool.started")).toHaveLength(1);
    const sources = events.flatMap((event) => (event.type === "model.input" ? event.implicitSources : []));
    expect(sources.filter(({ inForce }) => inForce).map(({ kind }) => kind)).toEqual(["auth"]);
    expect(sources.filter(({ path = "" }) => path.startsWith(root)).length).toBeGreaterThan(10);
    const payers = new Set(modelRequests(rehearsal.requests).map(({ headers }) => headers.authorization));
    expect([...payers]).toEqual([`Bearer ${JSON.parse(login).tokens.access_token}`]);
    expect(new Set(tlsProxy.hosts)).toEqual(new Set(["chatgpt.com"]));
    expect(await readLogin()).toBe(login);
    await close();
    expect(await traps.marks()).toEqual([]);
  },
);

function expectOnlyPassed({ requests }: Rehearsal, builtins: readonly string[], places: readonly string[]): void {
  const tools = ["look", "read_result", ...builtins];
  const expected = { instructions: "You are OURS.", prompt: trapPrompt, tools };
  const sent = modelRequests(requests);
  expect(sent.flatMap(({ body }) => findSentAdditions(body, expected))).toEqual([]);
  expect(sent).toHaveLength(2);
  const everything = JSON.stringify(requests);
  expect([trapWord, ...variableWords, ...places].filter((word) => everything.includes(word))).toEqual([]);
  expect(JSON.stringify(sent.map(({ body }) => body)).includes("rehearsal@example.com")).toBe(false);
  const others = requests.filter((request) => !sent.includes(request)).map(({ path }) => path);
  expect(others.filter((path) => !path.startsWith("/backend-api/wham/"))).toEqual([]);
}
