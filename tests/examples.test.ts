import { globSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../scripts/packages.ts";
import { openTestProject, type TestProject } from "./support/test-project.ts";

/** A part of the output of each example. */
const printed: Readonly<Record<string, string>> = {
  "ask-orders/main.ts": '"state":"shipped"',
  "every-backend/main.ts": "loop: run.started",
  "fill-object/main.ts": "high: Broken lamp (A-1001)",
  "own-rules/main.ts": "Refunds over 50 euros need a person.",
  "test-an-agent/agent.test.ts": "pass 2",
};

/** The arguments of each program. */
const operands: Readonly<Record<string, string>> = {
  "every-backend/main.ts": join(root, "examples/every-backend/rehearsal.yaml"),
};

let project: TestProject;
beforeAll(async () => {
  project = await openTestProject();
});
afterAll(() => project.close());

test("every example is run", () => {
  const found = globSync("*/{main,*.test}.ts", { cwd: join(root, "examples") });
  expect(found.sort()).toEqual(Object.keys(printed).sort());
});

test.each(Object.entries(printed))("examples/%s", async (path, expected) => {
  const flags = path.endsWith(".test.ts") ? "--test " : "";
  const ended = await project.shell(`node ${flags}${join(root, "examples", path)} ${operands[path] ?? ""}`);
  expect(ended).toEqual({ code: 0, output: expect.stringContaining(expected) });
  expect(project.failures.map(({ message }) => message)).toEqual([]);
});
