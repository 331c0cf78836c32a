/** Tests other programs' agents as tools: a small scripted agent, and Bridle's own. */

import { getEventListeners } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ofType } from "@bridle/conformance";
import { type Approver, resolveAnnotations, silentLogger, TrustedFolder } from "@bridle/protocol";
import { expect, test, vi } from "vitest";
import { agentFolder, playAgent } from "../../../tests/play-agent.ts";
import { openAcpTool } from "./open-acp-tool.ts";

const trusted = await TrustedFolder.require(undefined, []);

const program = join(import.meta.dirname, "../../../tests/servers/acp-agent.mjs");

/** Calls the tool of an agent once, in a run. */
async function callAgent(
  task: string,
  { policy = "", approve, pidFile }: { policy?: string; approve?: Approver; pidFile?: string } = {},
) {
  const folder = await agentFolder();
  const opened = await openAcpTool(
    {
      type: "acp",
      name: "coder",
      description: "Codes.",
      command: process.execPath,
      args: [program],
      timeout: 30,
      env: { SECRET: "given", ...(pidFile !== undefined && { PID_FILE: pidFile }) },
    },
    { environment: { PATH: process.env.PATH, SECRET: "of the machine" }, trusted },
  );
  return playAgent({
    folder,
    files: {
      "bridle.yaml": "",
      "agent.yaml": `name: boss\nmodel: { provider: openai, name: gpt-5.5, api_key: k }\ninstructions: { inline: Boss. }\n${policy}`,
      "script.yaml": `rehearsal: 1\nturns: [{ steps: [{ call: coder, with: { task: ${task} } }, { say: "{{ coder.result }}" }] }]\n`,
    },
    options: { tools: opened.tools },
    ...(approve && { approve }),
  });
}

test("an agent of another program answers, with no variables but the given ones", async () => {
  const { result, events } = await callAgent("hello");
  expect(result).toMatchObject({ stopReason: "natural", text: "secret given." });
  expect(ofType(events, "tool.finished")[0]?.structured).toEqual({ agent: "coder", stopReason: "end_turn" });
});

test("its permission requests are answered by the rules, and by the person if the rules ask", async () => {
  const asked: unknown[] = [];
  const { result, events } = await callAgent("ask", {
    policy:
      "policy: { rules: [{ tool: coder, then: allow }, { tool: coder_execute, then: ask }, { tool: coder_read, then: allow }] }\n",
    approve: ({ tool, input, preview, annotations }) => {
      asked.push([tool, input, preview, annotations && resolveAnnotations(annotations).destructive]);
      return { decision: "deny", message: "not that" };
    },
  });
  expect(asked).toEqual([
    ["coder_execute", { title: "Run rm", input: { command: "rm -r ." }, locations: null }, "Run rm", true],
  ]);
  expect(result.text).toBe("yes no secret given.");
  expect(ofType(events, "tool.progress").map(({ message }) => message)).toEqual([
    "✓ coder_read Read a.txt",
    "✗ coder_execute Run rm",
  ]);
  expect(ofType(events, "approval.decided")).toMatchObject([{ decision: "deny", message: "not that" }]);
});

test("both requests are refused if nobody can be asked", async () => {
  const policy = "policy: { rules: [{ tool: coder, then: allow }] }\n";
  expect((await callAgent("ask", { policy })).result.text).toBe("no no secret given.");
});

test("two questions of one call are put one after the other", async () => {
  const policy = "policy: { rules: [{ tool: coder, then: allow }] }\n";
  const { result, events } = await callAgent("ask", { policy, approve: async () => ({ decision: "allow" }) });
  expect(result.text).toBe("yes yes secret given.");
  expect(events.filter(({ type }) => type.startsWith("approval.")).map(({ type }) => type)).toEqual([
    "approval.requested",
    "approval.decided",
    "approval.requested",
    "approval.decided",
  ]);
  expect(new Set(ofType(events, "approval.requested").map(({ approvalId }) => approvalId)).size).toBe(2);
});

test("an agent that would be allowed for ever is not allowed, but one that is refused for ever is refused", async () => {
  const policy = "policy: { rules: [{ tool: coder, then: allow }] }\n";
  const allowed = await callAgent("forever", { policy, approve: () => ({ decision: "allow" }) });
  expect(allowed.result.text).toBe("cancelled secret given.");
  expect(ofType(allowed.events, "tool.progress").map(({ message }) => message)).toEqual([
    "✗ coder_edit Edit a.txt: the agent cannot be allowed this only once",
  ]);
  const denied = await callAgent("forever", { policy, approve: () => ({ decision: "deny" }) });
  expect(denied.result.text).toBe("never secret given.");
});

test("an agent that refuses or ends is a failed call that says so", async () => {
  const outputs = async (task: string) =>
    ofType((await callAgent(task)).events, "tool.finished").map(({ ok: good, output }) => [good, output]);
  expect(await outputs("refuse")).toEqual([[false, "The agent coder did not finish (refusal).\n\nsecret given."]]);
  expect(await outputs("crash")).toEqual([[false, expect.stringMatching(/^The agent coder ended \(exit code 3\)\. /)]]);
});

test("the question of an agent that dies while it is open is taken back, and the run continues", async () => {
  const policy = "policy: { rules: [{ tool: coder, then: allow }] }\n";
  const pidFile = join(await agentFolder(), "pid");
  const takenBack: boolean[] = [];
  const approve: Approver = async (_approval, signal) => {
    process.kill(Number(await readFile(pidFile, "utf8")), "SIGTERM");
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        takenBack.push(true);
        reject(signal.reason);
      });
    });
  };
  const { result, events } = await callAgent("die", { policy, approve, pidFile });
  expect(result).toMatchObject({ stopReason: "natural", text: expect.stringContaining("coder ended (exit code 3)") });
  expect(takenBack).toEqual([true]);
  expect(ofType(events, "approval.decided")).toMatchObject([{ decision: "deny", source: "run-ended" }]);
});

test("an agent never starts in a rehearsal, and is never offered as one that only reads", async () => {
  const opened = await openAcpTool(
    { type: "acp", name: "coder", description: "Codes.", command: "no-such-program", timeout: 30 },
    { environment: {}, isRehearsed: true, trusted },
  );
  const [tool] = opened.tools;
  expect(resolveAnnotations(tool?.annotations)).toEqual({
    readOnly: false,
    destructive: true,
    idempotent: false,
    openWorld: true,
  });
  const folder = await agentFolder();
  const script =
    'rehearsal: 1\nturns: [{ steps: [{ call: coder, with: { task: a } }, { say: "{{ coder.result }}" }] }]\n';
  const agent = "name: boss\nmodel: { provider: openai, name: gpt-5.5, api_key: k }\ninstructions: { inline: Boss. }\n";
  const files = { "bridle.yaml": "", "agent.yaml": agent, "script.yaml": script };
  const { result } = await playAgent({ folder, files, options: { tools: opened.tools } });
  expect(result.text).toContain("calls its own model, so it cannot be rehearsed.");
});

/** Opens the tool in a folder, and calls the tool outside of a run. */
async function callAlone(task: string, signal: AbortSignal) {
  const folder = await agentFolder();
  const config = { type: "acp", name: "coder", description: "Codes.", command: process.execPath, timeout: 30 } as const;
  const env = { PID_FILE: join(folder, "pid") };
  const opened = await openAcpTool(
    { ...config, args: [program], env },
    { environment: { PATH: process.env.PATH }, trusted },
  );
  const context = { signal, runId: "r", callId: "c", projectDir: folder, environment: {} };
  const call = opened.tools[0]?.execute({ task }, { ...context, logger: silentLogger, progress: () => {} });
  return { call, pidFile: env.PID_FILE };
}

test("a call that is over leaves nothing at the signal of its run", async () => {
  const { signal } = new AbortController();
  const { call } = await callAlone("hello", signal);
  await call;
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test.each(["wait", "hang"])("an agent that shall %s has ended soon after its call is cancelled", async (task) => {
  const stop = new AbortController();
  const { call, pidFile } = await callAlone(task, stop.signal);
  const pid = await vi.waitFor(async () => Number(await readFile(pidFile, "utf8")), 10_000);
  stop.abort();
  await call?.catch(() => {});
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});
