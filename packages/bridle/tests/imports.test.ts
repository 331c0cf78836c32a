/** Checks which npm packages a program loads, and when. An import of Bridle must not load packages that the program does not use. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const run = promisify(execFile);
const program = join(import.meta.dirname, "loaded-packages.ts");

let project = "";
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "bridle-imports-"));
  await writeFile(join(project, "script.yaml"), "rehearsal: 1\nturns: [{ steps: [{ say: Hello. }] }]\n");
});
afterAll(() => rm(project, { recursive: true }));

/** Returns the npm packages that a program loads if it imports Bridle and, with `backend`, makes one call. */
async function loadedPackages(backend?: string): Promise<string[]> {
  if (backend !== undefined) {
    const yaml = `llm:\n  provider: { backend: ${backend} }\n  models: { default: claude-sonnet-5-5 }\n`;
    await writeFile(join(project, "bridle.yaml"), yaml);
  }
  const args = ["--conditions=@bridle/source", program, ...(backend === undefined ? [] : [project])];
  const { stdout } = await run(process.execPath, args);
  return JSON.parse(stdout);
}

test("importing the library loads no host, no provider and no parser", async () => {
  expect(await loadedPackages()).toEqual(["@opentelemetry/api", "zod"]);
});

test("a call on a model API loads its provider, but not the Agent SDK", async () => {
  const loaded = await loadedPackages("anthropic");
  expect(loaded).toContain("@ai-sdk/anthropic");
  expect(loaded).toContain("yaml");
  expect(loaded).not.toContain("@anthropic-ai/claude-agent-sdk");
});

test("a call on Claude Code loads the Agent SDK, but no provider of a model API", async () => {
  const loaded = await loadedPackages("claude-code");
  expect(loaded).toContain("@anthropic-ai/claude-agent-sdk");
  expect(loaded.filter((name) => name.startsWith("@ai-sdk/"))).toEqual([]);
});
