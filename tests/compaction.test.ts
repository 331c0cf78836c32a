/** Compacts conversations that grow too long, through the public library, on real hosts with a rehearsed model. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentRun, createMemoryEventLog, createRuntime, defineTool, type RunEvent } from "bridle";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";

const tooLong = { status: 400, message: "prompt is too long: 250000 tokens > 200000 maximum" };
const look = (at: string) => ({ call: "look", with: { at } });
const script = {
  rehearsal: 1,
  turns: [
    { when: { user: "<conversation>" }, steps: [{ say: "They looked around." }] },
    { when: { user: "Fourth", message: 4 }, steps: [{ ...tooLong, forever: true }] },
    { when: { user: "Never" }, steps: [{ ...tooLong, forever: true }] },
    { when: { user: "Begin" }, steps: [look("a"), look("b"), tooLong] },
    { when: { user: "Continue the task" }, steps: [{ say: "All seen." }] },
    { when: { user: "Turn" }, steps: [look("here"), { say: "Seen." }] },
    { steps: [{ say: "Fits." }] },
  ],
};
const models = { "claude-code": "sonnet", anthropic: "claude-sonnet-5", "openai-compatible": "gpt-6-sol" };

async function stageOn(backend: keyof typeof models) {
  const projectDir = await mkdtemp(join(tmpdir(), "bridle-compaction-"));
  onTestFinished(() => rm(projectDir, { recursive: true, force: true }));
  const rehearse = join(projectDir, "long.rehearsal.yaml");
  await writeFile(rehearse, JSON.stringify(script));
  const chosen = { llm: { provider: { backend }, models: { default: models[backend] } } };
  await writeFile(join(projectDir, "bridle.yaml"), JSON.stringify(chosen));
  const calls: string[] = [];
  const tool = defineTool({
    name: "look",
    description: "Looks.",
    input: z.object({ at: z.string() }),
    execute: async ({ at }) => {
      calls.push(at);
      return `At ${at} there is ${"x".repeat(2500)}.`;
    },
  });
  const environment = { PATH: process.env.PATH, HOME: projectDir };
  const record = createMemoryEventLog();
  const runtime = await createRuntime({ projectDir, environment, rehearse, eventLog: record });
  onTestFinished(() => runtime.close());
  return { runtime, calls, record, request: { tools: [tool], stepBudget: 9 } };
}

async function read(run: AgentRun) {
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  const replaced = events.filter(({ type }) => type === "history.replaced");
  return { result: await run.result, replaced };
}

test.each(Object.keys(models) as (keyof typeof models)[])(
  "on %s a prompt that is too long is compacted once and answered; if it is still too long, the error is a ContextOverflowError",
  async (backend) => {
    const { runtime, request } = await stageOn(backend);
    const session = await runtime.openSession({ ...request, compaction: "summarise" });
    const turn = (role: "user" | "assistant", content: string) => ({ role, content });
    const said = [
      turn("user", "Turn 1"),
      turn("assistant", "Seen."),
      turn("user", "Turn 2"),
      turn("assistant", "Seen."),
    ];
    await (await session.send([...said, turn("user", "Turn 3")])).result;
    const { result, replaced } = await read(await session.send("Fourth"));
    expect(result).toMatchObject({ stopReason: "natural", text: "Fits." });
    expect(replaced).toMatchObject([{ reason: "compacted", strategy: "summarise" }]);
    expect(JSON.stringify(session.history())).toContain("They looked around.");
    const again = await read(await session.send("Never"));
    expect(again.result).toMatchObject({ stopReason: "error", error: { name: "ContextOverflowError" } });
    expect(again.replaced).toHaveLength(1);
  },
);

test.each(Object.keys(models) as (keyof typeof models)[])(
  "on %s a run whose results grow too long continues with shorter ones, and repeats no call",
  async (backend) => {
    const { runtime, request, calls } = await stageOn(backend);
    const { result, replaced } = await read(runtime.runAgentLoop({ ...request, prompt: "Begin" }));
    expect(result).toMatchObject({ stopReason: "natural", text: "All seen.", toolCalls: 2, toolFailures: 0 });
    expect(calls).toEqual(["a", "b"]);
    expect(replaced).toMatchObject([{ reason: "compacted", strategy: "drop-tool-results" }]);
    const none = await read(runtime.runAgentLoop({ ...request, prompt: "Begin", compaction: "none" }));
    expect(none.result).toMatchObject({ stopReason: "error", error: { name: "ContextOverflowError" } });
  },
);
