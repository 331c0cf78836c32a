/** Type-checks the example host of `packages/protocol/README.md` as a reader would copy it, and runs it on a server. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { createAgentRuntime } from "@bridle/core";
import { type Backend, defineTool } from "@bridle/protocol";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { root } from "../scripts/packages.ts";
import { binFolder, runCommand } from "../scripts/run-command.ts";
import { blocksOf, readDocuments } from "./support/markdown.ts";

const blocks = readDocuments(["packages/protocol/README.md"]).flatMap(blocksOf);
const findBlock = (text: string) => blocks.find(({ code }) => code.includes(text))?.code ?? "";
const example = findBlock("export function createEchoBackend");
const registryLine = findBlock("export const definitions");
const suiteCall = findBlock("testBackend(");

mkdirSync(join(root, ".bridle"), { recursive: true });
const folder = mkdtempSync(join(root, ".bridle/protocol-readme-"));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
write("echo-backend.ts", example);

/** The part of the conformance suite's call that a host author writes. */
const scriptedServer = `import type { ScriptedModel, SentRequest } from "@bridle/conformance";
import { createEchoBackend } from "./echo-backend.ts";
declare function startScriptedServer(
  script: ScriptedModel,
): Promise<{ url: string; sent(): readonly SentRequest[]; close(): Promise<void> }>;
`;

test("the example host and its call of the conformance suite have no type errors", async () => {
  write("conformance.test.ts", `${scriptedServer}${suiteCall}`);
  write("tsconfig.json", JSON.stringify({ extends: "../../tsconfig.json", include: ["*.ts"] }));
  const checked = await runCommand(join(binFolder, "tsc"), ["--noEmit", "-p", folder]);
  expect(checked).toEqual({ code: 0, output: "" });
});

test("the registry line of the README is the line of the registry, with the example host", () => {
  const registry = readFileSync(join(root, "packages/project/src/registries/hosts.ts"), "utf8");
  expect(registryLine).toContain(" echoHost,");
  expect(registry).toContain(registryLine.replace(" echoHost,", ""));
});

async function openEchoBackend(url: string): Promise<Backend> {
  const { createEchoBackend }: { createEchoBackend(url: string): Backend } = await import(
    join(folder, "echo-backend.ts")
  );
  return createEchoBackend(url);
}

/** Starts a server that sends these answers one after another, and keeps the requests. */
async function startServer(answers: unknown[]) {
  const requests: unknown[] = [];
  const server = createServer(async (incoming, response) => {
    requests.push(await json(incoming));
    response.end(JSON.stringify(answers.shift()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function openRuntime(url: string) {
  const runtime = createAgentRuntime({ backend: await openEchoBackend(url), models: { default: "echo-1" } });
  onTestFinished(() => runtime.close());
  return runtime;
}

const tokens = { in: 10, out: 5 };

test("the example host runs a tool call, sends its result to the model, and continues the session", async () => {
  const { url, requests } = await startServer([
    { text: "I look.", calls: [{ id: "c1", name: "find", input: { id: "A-1" } }], tokens },
    { text: "It is on its way.", tokens },
    { text: "Tomorrow.", tokens },
  ]);
  const runtime = await openRuntime(url);
  const find = defineTool({
    name: "find",
    description: "Finds an order.",
    input: z.object({ id: z.string() }),
    execute: async ({ id }) => `${id} is shipped`,
  });
  const session = await runtime.openSession({ tools: [find], stepBudget: 5 });
  const first = await (await session.send("Where is A-1?")).result;
  expect(first).toMatchObject({ stopReason: "natural", text: "It is on its way.", steps: 2, toolCalls: 1 });
  expect(first.usage).toMatchObject({ inputTokens: 20, outputTokens: 10 });
  expect((await (await session.send("When does it arrive?")).result).text).toBe("Tomorrow.");
  expect(requests).toMatchObject([
    { model: "echo-1", tools: [{ name: "find" }], messages: [{ role: "user" }] },
    { messages: [{}, {}, { content: [{ type: "tool-result", callId: "c1", output: "A-1 is shipped" }] }] },
    { messages: [{}, {}, {}, {}, { content: [{ type: "text", text: "When does it arrive?" }] }] },
  ]);
});

test("the example host ends a run at its step budget, and a run that is stopped", async () => {
  const { url } = await startServer([{ text: "", calls: [{ id: "c1", name: "missing", input: {} }], tokens }]);
  const run = (await openRuntime(url)).runAgentLoop({ prompt: "go", tools: [], stepBudget: 1 });
  expect(await run.result).toMatchObject({ stopReason: "budget", steps: 1 });
  const stopped = (await openRuntime(url)).runAgentLoop({ prompt: "go", tools: [], stepBudget: 1 });
  stopped.stop("enough");
  expect((await stopped.result).stopReason).toBe("stopped");
});

test("the example host fails with the error classes of the README", async () => {
  const { url } = await startServer([{ answer: "in another form" }]);
  await expect((await openRuntime(url)).generateText({ prompt: "go" })).rejects.toMatchObject({
    code: "backend_crash",
    message: expect.stringContaining("sent an invalid answer"),
  });
  await expect((await openRuntime("http://127.0.0.1:1")).generateText({ prompt: "go" })).rejects.toMatchObject({
    code: "network",
    message: expect.stringContaining("cannot be reached. Start the server"),
  });
});
