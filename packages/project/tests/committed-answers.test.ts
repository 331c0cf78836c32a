/** Tests that a project's files do not answer for the user, because anyone may have written these files. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createPolicy } from "@bridle/core";
import { defineTool, silentLogger } from "@bridle/protocol";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { createRuntime } from "../src/operations.ts";

let root = "";
let projectDir = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "bridle-clone-"));
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  projectDir = join(root, "clone");
  await mkdir(projectDir);
  await writeFile(join(projectDir, "bridle.yaml"), "llm: { provider: { backend: anthropic, apiKey: k } }\n");
  await writeFile(
    join(root, "script.yaml"),
    "rehearsal: 1\nturns: [{ steps: [{ call: send, with: {} }, { say: done }] }]\n",
  );
});

const entry = "- { tool: send, decision: allow, by: ada, at: 2026-01-31T12:00:00.000Z }\n";

/** Performs a run. Returns the calls that needed the user's answer, and the warnings. */
async function play(namespace?: string, scope: "once" | "project" = "once") {
  const asked: string[] = [];
  const warn = vi.fn();
  const runtime = await createRuntime({
    projectDir,
    processEnvironment: { HOME: join(root, "home") },
    rehearse: join(root, "script.yaml"),
    ...(namespace !== undefined && { namespace }),
    logger: { ...silentLogger, warn },
    policy: createPolicy(),
    approve({ tool }) {
      asked.push(tool);
      return { decision: "allow", scope };
    },
  });
  const input = z.object({});
  const send = defineTool({ name: "send", description: "Sends it.", input, execute: async () => "sent" });
  await runtime.runAgentLoop({ prompt: "Go", tools: [send], stepBudget: 3 }).result;
  await runtime.close();
  return { asked, warnings: warn.mock.calls.map(([, message]) => message) };
}

test.each([
  [".bridle/permissions.yaml", undefined],
  [".bridle/ns/ada/permissions.yaml", "ada"],
  [".bridle/ns/ada/always.yaml", "ada"],
])("remembered answers in %s of a project spare no question, and a warning says so", async (path, namespace) => {
  const file = join(projectDir, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, entry);
  const { asked, warnings } = await play(namespace);
  expect(asked).toEqual(["send"]);
  expect(warnings).toEqual([expect.stringContaining(`The remembered answers in ${file} are not used`)]);
});

test.each([undefined, "ada"])(
  "the user's own remembered answers spare a question (namespace: %s)",
  async (namespace) => {
    expect((await play(namespace, "project")).asked).toEqual(["send"]);
    expect(await play(namespace)).toEqual({ asked: [], warnings: [] });
  },
);
