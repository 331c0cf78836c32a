// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
/** Tests the real host with a rehearsed model, created from a project's settings. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool, type RunEvent } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createRuntime } from "../src/operations.ts";

const rehearse = new URL("greeting.rehearsal.yaml", import.meta.url).pathname;

test("a run without an answer in the script does not affect a concurrent run, and neither shows the model's name", async () => {
  const projectDir = await mkdtemp(join(tmpdir(), "bridle-rehearsed-"));
  onTestFinished(() => rm(projectDir, { recursive: true }));
  await writeFile(join(projectDir, "bridle.yaml"), "llm: { models: { default: '${S}' } }\n");
  const environment = { PATH: process.env.PATH, HOME: projectDir, S: "claude-s3cr3t-5" };
  const events: RunEvent[] = [];
  const runtime = await createRuntime({ projectDir, environment, rehearse, onEvent: (event) => events.push(event) });
  const [good, bad] = await Promise.allSettled([
    runtime.generateText({ prompt: "Hello" }),
    runtime.generateText({ prompt: "Goodbye" }),
  ]);
  await runtime.close();
  expect(good).toMatchObject({ status: "fulfilled", value: { text: "Hello to you.", model: "${S}" } });
  expect(bad).toMatchObject({
    status: "rejected",
    reason: { message: expect.stringMatching(/^The rehearsal does not match: .*no turn matches .*Goodbye/) },
  });
  expect(events.some(({ type }) => type === "step.started")).toBe(true);
  expect(JSON.stringify([events, good, bad])).not.toContain("s3cr3t");
});

test.each(["anthropic", "openai", "openai-compatible", "gateway", "vertex", "bedrock"] as const)(
  "on %s a rehearsal needs neither credentials nor an address, whatever the file contains",
  async (backend) => {
    const projectDir = await mkdtemp(join(tmpdir(), "bridle-rehearsed-"));
    onTestFinished(() => rm(projectDir, { recursive: true }));
    await writeFile(join(projectDir, "bridle.yaml"), yamlOf[backend]);
    const runtime = await createRuntime({ projectDir, environment: {}, rehearse });
    const [good, bad] = await Promise.allSettled([
      runtime.generateText({ prompt: "Hello" }),
      runtime.generateText({ prompt: "Goodbye" }),
    ]);
    await runtime.close();
    expect(runtime.backend).toBe(backend);
    expect(good).toMatchObject({ status: "fulfilled", value: { text: "Hello to you." } });
    expect(good).not.toHaveProperty("value.cost");
    expect(bad).toMatchObject({ reason: { message: expect.stringMatching(/^The rehearsal does not match: /) } });
  },
);

test.each(["claude-code", "openai-compatible"] as const)(
  "on %s a model in code answers, and calls tools",
  async (backend) => {
    const projectDir = await mkdtemp(join(tmpdir(), "bridle-rehearsed-"));
    onTestFinished(() => rm(projectDir, { recursive: true }));
    const runtime = await createRuntime({
      projectDir,
      backend,
      environment: { PATH: process.env.PATH, HOME: projectDir },
      rehearse: ({ user, step, results }) =>
        step === 1 ? { call: "count", with: { text: user } } : { say: `${results[0]?.text} letters` },
    });
    const count = defineTool({
      name: "count",
      description: "Counts letters.",
      input: z.object({ text: z.string() }),
      execute: async ({ text }) => String(text.length),
    });
    const result = await runtime.runAgentLoop({ prompt: "Hello", model: "sonnet", tools: [count] }).result;
    await runtime.close();
    expect(result).toMatchObject({ stopReason: "natural", text: "5 letters", toolCalls: 1 });
  },
);

test("on a model API the check of the credentials names the script without an answer to it", async () => {
  const runtime = await createRuntime({ projectDir: tmpdir(), environment: {}, backend: "anthropic", rehearse });
  const failure: unknown = await runtime.checkAuth().catch((error: unknown) => error);
  await runtime.close();
  expect(failure).toMatchObject({ message: expect.stringContaining(`${rehearse}: no turn matches`) });
});

const nowhere = 'baseUrl: "https://nowhere.invalid", apiKey: "${KEY}"';
const yamlOf = {
  anthropic: `llm: { provider: { backend: anthropic, ${nowhere} } }`,
  openai: `llm: { provider: { backend: openai, ${nowhere} }, models: { default: gpt-6-sol } }`,
  "openai-compatible":
    "llm: { provider: { backend: openai-compatible, baseUrl: '${URL}' }, models: { default: llama } }",
  gateway: `llm: { provider: { backend: gateway, ${nowhere} } }`,
  vertex: "llm: { provider: { backend: vertex, project: '${P}', keyFile: nowhere.json } }",
  bedrock: "llm: { provider: { backend: bedrock, region: '${AWS_REGION}' } }",
};

test("a rehearsal reports tokens and no cost", async () => {
  const projectDir = await mkdtemp(join(tmpdir(), "bridle-rehearsed-"));
  onTestFinished(() => rm(projectDir, { recursive: true }));
  const environment = { PATH: process.env.PATH, HOME: projectDir };
  const runtime = await createRuntime({ projectDir, environment, rehearse });
  const answer = await runtime.generateText({ prompt: "Hello" });
  await runtime.close();
  expect(answer.usage.outputTokens).toBeGreaterThan(0);
  expect(answer).not.toHaveProperty("cost");
});
