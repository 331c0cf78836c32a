import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Options } from "@anthropic-ai/claude-agent-sdk";
import { createAgentRuntime } from "@bridle/core";
import { defineTool } from "@bridle/protocol";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { startTestContext } from "./support/test-context.ts";

const seen = vi.hoisted(() => ({ built: new Set<unknown>(), used: [] as unknown[] }));

vi.mock("../src/boundary/host-options.ts", async (importOriginal) => {
  const boundary = await importOriginal<typeof import("../src/boundary/host-options.ts")>();
  const hostOptions: typeof boundary.hostOptions = (parts) => {
    const options = boundary.hostOptions(parts);
    seen.built.add(options);
    return options;
  };
  return { ...boundary, hostOptions };
});

vi.mock("@anthropic-ai/claude-agent-sdk", async (importOriginal) => {
  const sdk = await importOriginal<typeof import("@anthropic-ai/claude-agent-sdk")>();
  function noting<P extends { options?: Options }, R>(entry: (parameters: P) => R): (parameters: P) => R {
    return (parameters) => {
      seen.used.push(parameters.options);
      return entry(parameters);
    };
  }
  const query = noting(sdk.query);
  const startup = noting((parameters: { options?: Options }) => sdk.startup(parameters));
  const prewarm = noting((parameters: { options?: Options }) => sdk.prewarm(parameters));
  return { ...sdk, query, startup, prewarm };
});

test("texts, objects, loops and probes start the host only with options from host-options.ts", async () => {
  const { backend, close } = await startTestContext({
    rehearsal: 1,
    turns: [{ when: { user: "object" }, steps: [{ object: { n: 1 } }] }, { steps: [{ say: "ok" }] }],
  });
  const runtime = createAgentRuntime({ backend, models: { default: "sonnet" } });
  const tool = defineTool({ name: "look", description: "Looks.", input: z.object({}), execute: async () => "-" });
  await runtime.generateText({ prompt: "text" });
  await runtime.generateObject({ prompt: "object", schema: z.object({ n: z.number() }) });
  await runtime.runAgentLoop({ prompt: "loop", tools: [tool], stepBudget: 2 }).result;
  await runtime.checkAuth();
  await runtime.close();
  await close();
  expect(seen.used).toHaveLength(4);
  for (const options of seen.used) expect(seen.built.has(options)).toBe(true);
});

test("only start-host.ts imports an entry point of the SDK or sends an undocumented request", async () => {
  const root = join(import.meta.dirname, "../../..");
  const files = (await readdir(root, { recursive: true })).filter((path) =>
    /^(?:(?:hosts|stores)\/)?[a-z-]+\/src\/.*(?<!\.test)\.ts$/.test(path),
  );
  expect(files.length).toBeGreaterThan(50);
  const undocumented = /rewind_conversation/;
  const entries = /import\s*\{[^}]*\b(query|startup|prewarm)\b[^}]*\}\s*from\s*"@anthropic-ai\/claude-agent-sdk/;
  const texts = await Promise.all(
    files.map(async (file) => ({ file, text: await readFile(join(root, file), "utf8") })),
  );
  for (const expression of [entries, undocumented]) {
    const found = texts.filter(({ text }) => expression.test(text)).map(({ file }) => file);
    expect(found).toEqual(["hosts/claude-code/src/boundary/start-host.ts"]);
  }
});
