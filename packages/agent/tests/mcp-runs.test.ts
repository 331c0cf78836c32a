/** Tests tools of servers in runs: through the tool executor, on every kind of backend. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createMemoryBackend, type ScriptedModel } from "@bridle/conformance";
import { createAgentRuntime, createPolicy } from "@bridle/core";
import { createRuntime } from "@bridle/project";
import type { RunEvent } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { loadAgent } from "../src/definition/load-agent.ts";
import { openAgent } from "../src/opening/open-agent.ts";
import { oddServer, openServer, sentTo, temporaryFolder } from "./mcp-test-context.ts";
import { manyTools } from "./servers/many-tools.ts";

function calling(...calls: { tool: string; input: unknown }[]): ScriptedModel {
  return [{ steps: [...calls.map((call) => ({ calls: [call] })), { say: "Done." }] }];
}

/** Performs a run on a scripted model in this process. */
async function run(
  model: ScriptedModel,
  options: Parameters<typeof openServer>[0],
  policy?: Parameters<typeof createPolicy>[0],
) {
  const { tools } = await openServer(options);
  const backend = createMemoryBackend(model);
  const runtime = createAgentRuntime({
    backend,
    models: { default: "m" },
    ...(policy && { policy: createPolicy(policy) }),
  });
  const events: RunEvent[] = [];
  const loop = runtime.runAgentLoop({ prompt: "go", tools, stepBudget: 9 });
  for await (const event of loop) events.push(event);
  await runtime.close();
  return { sent: backend.sent, events };
}

test("a call that the rules deny does not reach the server", async () => {
  const log = join(await temporaryFolder(), "log");
  const model = calling({ tool: "erase", input: { all: true } }, { tool: "echo", input: { text: "a" } });
  const { events } = await run(model, oddServer(["--log", log]), {
    mode: "yolo",
    rules: [{ tool: "erase", then: "deny" }],
  });
  expect(events.map(({ type }) => type)).toContain("tool.denied");
  expect((await sentTo(log, "tools/call")).map(({ params }) => params)).toMatchObject([{ name: "echo" }]);
});

test("a call with an invalid input does not reach the server, and the model gets the reasons", async () => {
  const log = join(await temporaryFolder(), "log");
  const { sent } = await run(calling({ tool: "echo", input: { kind: "c" } }), oddServer(["--log", log]));
  expect(sent.at(-1)?.texts.join()).toContain("kind: must be equal to one of the allowed values");
  expect(await sentTo(log, "tools/call")).toEqual([]);
});

test("a read-only mode allows calls of tools that the server declares as read-only", async () => {
  const model = calling({ tool: "echo", input: { text: "a" } }, { tool: "pid", input: {} });
  const { events } = await run(model, oddServer(), { mode: "read-only" });
  const settled = events.filter(({ type }) => type === "tool.finished" || type === "tool.denied");
  expect(settled.map(({ type }) => type)).toEqual(["tool.finished", "tool.denied"]);
});

test("a long result is shortened for the model and stored whole", async () => {
  const { sent, events } = await run(calling({ tool: "long", input: {} }), oddServer());
  expect(sent.at(-1)?.texts.join().length).toBeLessThan(60_000);
  expect(events.find(({ type }) => type === "tool.finished")).toHaveProperty("artifact");
});

test("the model gets two hundred schemas unchanged", async () => {
  const { sent } = await run([{ steps: [{ say: "Done." }] }], oddServer(["--tools", "many"]));
  expect(sent[0]?.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))).toEqual(
    manyTools,
  );
});

test("a server that hangs does not block the run", async () => {
  const { events } = await run(calling({ tool: "hang", input: {} }), oddServer([], { request_timeout: 0.3 }));
  expect(events.at(-1)).toMatchObject({ type: "run.finished", result: { stopReason: "natural", toolFailures: 1 } });
});

const script = `
rehearsal: 1
turns:
  - steps:
      - { call: echo, with: { text: from a server, lines: [{ n: 1 }] } }
      - say: "It says {{ echo.result }}"
`;

test.for(["claude-code", "anthropic", "openai"] as const)("a server's tool runs on %s", async (backend) => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "script.yaml"), script);
  const { tools } = await openServer(oddServer([], { tools: ["echo"] }));
  const environment = { PATH: process.env.PATH, HOME: folder };
  const runtime = await createRuntime({
    projectDir: folder,
    environment,
    backend,
    rehearse: join(folder, "script.yaml"),
    ...(backend === "openai" && { model: "gpt-6-sol" }),
  });
  onTestFinished(() => runtime.close());
  const result = await runtime.runAgentLoop({ prompt: "go", tools, stepBudget: 4 }).result;
  expect(result).toMatchObject({ stopReason: "natural", toolCalls: 1, toolFailures: 0 });
  expect(result.text).toContain('It says {"text":"from a server","lines":[{"n":1}]}');
});

test("an agent file names a server, and its tools follow the rules of the file", async () => {
  const folder = await temporaryFolder();
  const { command, args } = oddServer(["--log", join(folder, "log")]);
  const entry = { type: "mcp", name: "odd", command, args, tools: ["echo", "erase"], tool_prefix: "odd_" };
  const steps = [{ call: "odd_echo", with: { text: "hi" } }, { call: "odd_erase", with: {} }, { say: "Done." }];
  await writeFile(join(folder, "script.yaml"), JSON.stringify({ rehearsal: 1, turns: [{ steps }] }));
  const agentFile = {
    name: "desk",
    instructions: { inline: "Help." },
    model: { provider: "anthropic", name: "haiku" },
    tools: [entry],
    policy: { mode: "yolo", rules: [{ tool: "odd_erase", then: "deny" }] },
  };
  await writeFile(join(folder, "agent.yaml"), JSON.stringify(agentFile));
  const environment = { PATH: process.env.PATH, HOME: folder };
  const definition = await loadAgent("agent.yaml", { environment, cwd: folder });
  const agent = await openAgent(definition, { projectDir: folder, rehearse: join(folder, "script.yaml") });
  onTestFinished(() => agent.close());
  expect(await agent.run("go").result).toMatchObject({ stopReason: "natural", toolCalls: 2, toolFailures: 1 });
  expect((await sentTo(join(folder, "log"), "tools/call")).map(({ params }) => params)).toMatchObject([
    { name: "echo" },
  ]);
});
