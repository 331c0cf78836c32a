import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../scripts/packages.ts";
import { isSoak } from "./support/soak.ts";
import { openTestProject, type TestProject } from "./support/test-project.ts";

/** Text that the output of each example must contain. */
const printed: Readonly<Record<string, string>> = {
  "ask-orders/main.ts": '"state":"shipped"',
  "codesdk-port/adapter.test.ts": "fail 0",
  "every-backend/main.ts": "loop: run.started",
  "fill-object/main.ts": "high: Broken lamp (A-1001)",
  "ktx-port/adapter.test.ts": "fail 0",
  "lace-port/adapter.test.ts": "fail 0",
  "own-rules/main.ts": "Refunds over 50 euros need a person.",
  "test-an-agent/agent.test.ts": "pass 2",
};

/** The arguments of each program. */
const operands: Readonly<Record<string, string>> = {
  "every-backend/main.ts": join(root, "examples/every-backend/rehearsal.yaml"),
};

let project: TestProject;
beforeAll(async () => {
  project = await openTestProject(isSoak ? "claude-code" : "anthropic");
});
afterAll(() => project.close());

test("every example is run", () => {
  const found = globSync("*/{main,*.test}.ts", { cwd: join(root, "examples") });
  expect(found.sort()).toEqual(Object.keys(printed).sort());
});

test("an adapter to the port of an application has fewer than 150 lines of code, and imports only that port and bridle", () => {
  const adapters = globSync("*-port/adapter.ts", { cwd: join(root, "examples") });
  const texts = adapters.map((path) => readFileSync(join(root, "examples", path), "utf8"));
  expect(texts.filter((text) => linesOfCode(text) >= 150)).toEqual([]);
  const imported = texts.flatMap((text) => [...text.matchAll(/ from "([^"]+)";/g)].map(([, name]) => name));
  const others = imported.filter((name) => !name?.startsWith("node:"));
  expect([adapters.length, ...new Set(others)]).toEqual([3, "bridle", "./port.ts"]);
});

test.each(Object.entries(printed))("examples/%s", async (path, expected) => {
  const flags = path.endsWith(".test.ts") ? "--test " : "";
  const ended = await project.shell(`node ${flags}${join(root, "examples", path)} ${operands[path] ?? ""}`);
  expect(ended).toEqual({ code: 0, output: expect.stringContaining(expected) });
  expect(project.failures.map(({ message }) => message)).toEqual([]);
});

/** Removes blank lines and comments. */
function linesOfCode(text: string): number {
  return text.split("\n").filter((line) => !/^\s*(?:$|\/[/*]|\*)/.test(line)).length;
}
