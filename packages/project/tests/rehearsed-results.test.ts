/** Tests which part of a tool's result a rehearsal script gets, with the real Claude Code. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createRuntime } from "../src/index.ts";

const script = `rehearsal: 1
turns: [{ steps: [{ call: look, with: {} }, { say: "Got [{{ look.result }}]" }] }]
`;

const look = (output: () => string) =>
  defineTool({
    name: "look",
    description: "Looks.",
    input: z.object({}),
    annotations: { readOnly: true },
    execute: async () => output(),
  });

const results: readonly [string, () => string, string][] = [
  ["a text", () => "plain <b>text</b>", "plain <b>text</b>"],
  ["a text with lines", () => "one\n\ntwo\n", "one\n\ntwo\n"],
  [
    "a failure",
    () => {
      throw new Error("It is broken.");
    },
    "It is broken.",
  ],
];

test.each(["claude-sonnet-4-20250514", "sonnet"])(
  "a script on Claude Code with %s gets the results of tools without additions of the host",
  async (model) => {
    const projectDir = await mkdtemp(join(tmpdir(), "bridle-results-"));
    onTestFinished(() => rm(projectDir, { recursive: true }));
    await writeFile(join(projectDir, "script.yaml"), script);
    const environment = { PATH: process.env.PATH, HOME: projectDir };
    const options = { projectDir, environment, rehearse: join(projectDir, "script.yaml"), model };
    const runtime = await createRuntime(options);
    onTestFinished(() => runtime.close());
    for (const [, output, expected] of results) {
      const { text } = await runtime.runAgentLoop({ prompt: "go", tools: [look(output)], stepBudget: 3 }).result;
      expect(text).toBe(`Got [${expected}]`);
    }
  },
);
