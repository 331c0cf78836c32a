/** Tests agents as tools of other agents, on the real Claude Code and on a model API, both in a rehearsal. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createMemoryBackend, ofType } from "@bridle/conformance";
import { createAgentRuntime, createMemoryEventLog } from "@bridle/core";
import { addUsage, type EventOf, noUsage, resolveAnnotations } from "@bridle/protocol";
import { expect, test } from "vitest";
import { createAgentFixture } from "../../tests/agent-fixture.ts";
import { agentFolder, playAgent } from "../../tests/play-agent.ts";
import { agentTool, describeAgent } from "../index.ts";
import { delegationFiles } from "./nested-files-for-tests.ts";

const { agentFile, api, calls, functions, models, toolModule, turn } = delegationFiles;

const whereModule = `import { writeFileSync } from "node:fs";
export const where = {
  name: "where", description: "Notes where it works.", annotations: { readOnly: true },
  input: { jsonSchema: { type: "object", properties: {} }, problems: () => [] },
  execute: async (_input, { projectDir, environment }) => {
    writeFileSync(projectDir + "/where.txt", String(environment.PLACE));
    return "noted";
  },
};
`;

test.each([
  ["openai", "claude-code", "openai"],
  ["codex", "copilot", "codex"],
  ["copilot", "codex", "claude-code"],
] as const)("an agent on %s calls agents on %s and %s, and all figures are exact", async (boss, reader, writer) => {
  const eventLog = createMemoryEventLog();
  const { events, result } = await playAgent({
    folder: await agentFolder(),
    files: {
      "bridle.yaml": "",
      "tools.mjs": toolModule,
      "agent.yaml": agentFile("boss", models[boss], calls("reader", "writer")),
      "reader.yaml": agentFile("reader", models[reader], functions("look")),
      "writer.yaml": agentFile("writer", models[writer]),
      "script.yaml": `rehearsal: 1\nturns:\n${turn(
        "boss",
        "{ calls: [{ call: reader, with: { task: Read it. } }, { call: writer, with: { task: Write it. } }], usage: { input: 10, output: 1 } }, { say: 'All is done.', usage: { input: 20, output: 2 } }",
      )}${turn("reader", "{ call: look, usage: { input: 100, output: 3 } }, { say: I have read it., usage: { input: 200, output: 4 } }")}${turn("writer", "{ say: I have written it., usage: { input: 1000, output: 5 } }")}`,
    },
    options: { eventLog },
  });
  expect(result).toMatchObject({ stopReason: "natural", text: "All is done.", steps: 2 });
  expect(
    ofType(events, "tool.finished")
      .map(({ output }) => output)
      .sort(),
  ).toEqual(["I have read it.", "I have written it."]);
  const started = ofType(events, "nested.started");
  expect(started.map(({ agent, backend }) => [agent, backend]).sort()).toEqual([
    ["reader", reader],
    ["writer", writer],
  ]);
  const logged = await Promise.all(started.map(({ nestedRunId }) => eventLog.read({ runId: nestedRunId })));
  const ends = logged.map((each) => each.at(-1) as EventOf<"run.finished">);
  expect(result.nested).toMatchObject({
    runs: 2,
    steps: 3,
    toolCalls: 1,
    usage: ends.reduce((sum, { result: { usage } }) => addUsage(sum, usage), noUsage),
  });
  expect(result.usage).toMatchObject({ inputTokens: 30, outputTokens: 3 });
  expect(result.nested?.usage).toMatchObject({ inputTokens: 1300, outputTokens: 12 });
  expect(ofType(events, "tool.progress").map(({ message }) => message)).toContain("→ look {}");
  const { runId } = ofType(events, "run.started")[0] ?? {};
  const callIds = ofType(events, "tool.requested").map(({ callId }) => callId);
  const parents = logged.map(([first]) => first?.type === "run.started" && [first.parentRunId, first.parentCallId]);
  expect(parents.toSorted()).toEqual(callIds.map((callId) => [runId, callId]).toSorted());
});

test("a nested agent's question reaches the person of the outer run, through three levels", async () => {
  const asked: unknown[] = [];
  const { events, result } = await playAgent({
    folder: await agentFolder(),
    files: {
      "bridle.yaml": "",
      "tools.mjs": toolModule,
      "agent.yaml": agentFile("boss", api, calls("middle")),
      "middle.yaml": agentFile("middle", api, calls("last")),
      "last.yaml": agentFile("last", api, `${functions("erase")}policy: { mode: normal }\n`),
      "script.yaml": `rehearsal: 1\nturns:\n${turn(
        "boss",
        "{ call: middle, with: { task: a } }, { say: '{{ middle.result }}' }",
      )}${turn("middle", "{ call: last, with: { task: b } }, { say: '{{ last.result }}' }")}${turn("last", "{ call: erase }, { say: Not allowed. }")}`,
    },
    approve: ({ tool, labels }) => {
      asked.push([tool, labels?.agent]);
      return { decision: "deny", by: "ada" };
    },
  });
  expect(asked).toEqual([["erase", "last"]]);
  expect(result).toMatchObject({ text: "Not allowed.", nested: { runs: 2 } });
  expect(ofType(events, "approval.decided")).toMatchObject([
    { decision: "deny", by: "ada", nested: { callId: expect.any(String) } },
  ]);
});

test("a mode that a caller gets from outside does not replace the mode in the file of its nested agent", async () => {
  const { events, result } = await playAgent({
    folder: await agentFolder(),
    files: {
      "bridle.yaml": "",
      "tools.mjs": toolModule,
      "agent.yaml": agentFile("boss", api, calls("reader")),
      "reader.yaml": agentFile("reader", api, `${functions("erase")}policy: { mode: read-only }\n`),
      "script.yaml": `rehearsal: 1\nturns:\n${turn("boss", "{ call: reader, with: { task: a } }, { say: '{{ reader.result }}' }")}${turn("reader", "{ call: erase }, { say: '{{ erase.result }}' }")}`,
    },
    options: { mode: "yolo" },
  });
  expect(ofType(events, "tool.progress").map(({ message }) => message)).toEqual(["✗ erase denied"]);
  expect(result.text).toContain("read-only");
});

test("a nested agent works in the folder of its caller's run, with the variables of that run", async () => {
  const [folder, fixture] = [await agentFolder(), await createAgentFixture({ "tools.mjs": whereModule })];
  try {
    const calling = (tool: string, input = {}) => [{ steps: [{ calls: [{ tool, input }] }, { say: "Done." }] }];
    const reader = await fixture.open(agentFile("reader", api, functions("where")), calling("where"));
    const backend = createMemoryBackend(calling("reader", { task: "a" }));
    const runtime = createAgentRuntime({ backend, models: { default: "memory-1" } });
    const environment = { PLACE: "of the caller" };
    const run = runtime.runAgentLoop({
      prompt: "go",
      tools: [agentTool(reader.agent)],
      projectDir: folder,
      environment,
    });
    await run.result;
    await runtime.close();
    expect(await readFile(join(folder, "where.txt"), "utf8")).toBe("of the caller");
  } finally {
    await fixture.close();
  }
});

test("limits of an entry count besides those of the agent file: the smallest ends the call", async () => {
  const outputs = async (entry: string, file: string) => {
    const { events } = await playAgent({
      folder: await agentFolder(),
      files: {
        "bridle.yaml": "",
        "tools.mjs": toolModule,
        "agent.yaml": agentFile("boss", api, `tools: [{ type: agent, name: helper, file: helper.yaml, ${entry} }]\n`),
        "helper.yaml": agentFile("helper", api, `${functions("look")}execution: { ${file} }\n`),
        "script.yaml": `rehearsal: 1\nturns:\n${turn("boss", "{ call: helper, with: { task: a } }, { say: ok }")}${turn("helper", "{ say: I look., call: look, forever: true }")}`,
      },
    });
    return ofType(events, "tool.finished").map(({ output }) => output.split("\n")[0]);
  };
  expect(await outputs("max_steps: 9", "max_steps: 2")).toEqual([
    "The agent helper did not finish: it reached a budget after 2 steps.",
  ]);
  expect(await outputs("max_steps: 1", "max_steps: 2")).toEqual([
    "The agent helper did not finish: it reached a budget after 1 step.",
  ]);
});

test("a nested agent that reaches its limit of steps is a failed call with its last words", async () => {
  const { events } = await playAgent({
    folder: await agentFolder(),
    files: {
      "bridle.yaml": "",
      "tools.mjs": toolModule,
      "agent.yaml": agentFile("boss", api, "tools: [{ type: agent, name: helper, file: helper.yaml, max_steps: 2 }]\n"),
      "helper.yaml": agentFile("helper", api, functions("look")),
      "script.yaml": `rehearsal: 1\nturns:\n${turn("boss", "{ call: helper, with: { task: a } }, { say: ok }")}${turn("helper", "{ say: I look., call: look, forever: true }")}`,
    },
  });
  expect(ofType(events, "tool.finished")).toMatchObject([
    {
      ok: false,
      output:
        "The agent helper did not finish: it reached a budget after 2 steps.\n\nIts last words, which may be incomplete:\n\nI look.",
    },
  ]);
});

test("the promises of an agent as a tool follow from its tools", async () => {
  const fixture = await createAgentFixture({ "tools.mjs": toolModule });
  const promisesOf = async (tools: string) => {
    const { agent } = await fixture.open(agentFile("a", api, tools));
    const tool = agentTool(agent, { name: "helper" });
    return [tool.name, resolveAnnotations(tool.annotations), tool.nestedTools];
  };
  try {
    const reads = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
    const erases = { readOnly: false, destructive: true, idempotent: false, openWorld: true };
    expect(await promisesOf("")).toEqual(["helper", reads, []]);
    expect(await promisesOf(functions("look"))).toEqual(["helper", reads, ["look"]]);
    expect(await promisesOf(functions("look", "erase"))).toEqual(["helper", erases, ["look", "erase"]]);
    expect(await promisesOf(`${functions("look", "erase")}policy: { disable: [erase] }\n`)).toEqual([
      "helper",
      reads,
      ["look"],
    ]);
  } finally {
    await fixture.close();
  }
});

test("the description of an agent shows what its agents promise, without opening a model", async () => {
  const fixture = await createAgentFixture({
    "tools.mjs": toolModule,
    "b.yaml": agentFile("b", api, functions("look")),
    "c.yaml": agentFile("c", models["claude-code"], functions("erase")),
  });
  try {
    const { tools, problems } = await describeAgent(await fixture.load(agentFile("a", api, calls("b", "c"))), {
      projectDir: fixture.folder,
    });
    expect(problems).toEqual([]);
    expect(tools).toMatchObject([
      {
        name: "b",
        kind: "agent",
        source: "the agent b.yaml",
        description: "Knows about b.",
        annotations: { readOnly: true },
      },
      { name: "c", annotations: { readOnly: false, destructive: true } },
    ]);
  } finally {
    await fixture.close();
  }
});
