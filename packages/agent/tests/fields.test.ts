import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentSchema } from "../src/config/schema.ts";
import { AgentFileError, loadAgent } from "../src/index.ts";
import { fieldsOf } from "./schema-fields.ts";
import { shownPath, withField } from "./with-field.ts";

let cwd = "";
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-fields-"));
});
afterAll(() => rm(cwd, { recursive: true }));

/** Fields that accept any JSON value. */
const free = /\.value$|\.parameters\.\*\.(type|default)$|\.expected_tools\[\]\.args\.\*\./;
const fields = fieldsOf(agentSchema).filter((field) => !free.test(field));

/** A value that no field accepts, because no field is a list of lists. */
const wrong = [[]];

async function problemsOf(file: object): Promise<AgentFileError["problems"]> {
  await writeFile(join(cwd, "agent.yaml"), JSON.stringify(file, undefined, 2)); // YAML is a superset of JSON
  const failed = await loadAgent("agent.yaml", { cwd, environment: {} }).catch((error: unknown) => error);
  return failed instanceof AgentFileError ? failed.problems : [];
}

describe("an invalid value of an agent file is an error with its path and line", () => {
  test.each(fields)("%s", async (field) => {
    const problems = await problemsOf(withField(field, wrong));
    const path = shownPath(field);
    const told = problems.find((problem) => problem.field === path || problem.field?.startsWith(`${path}.`));
    expect(problems.map(({ message }) => message).join("\n")).toContain(path);
    expect(told?.position.line).toBeGreaterThan(1);
  });
});

test("the walk over the schema finds fields of every part of the file", () => {
  const parts = new Set(fields.map((field) => /^\w+/.exec(field)?.[0]));
  expect([...parts].sort()).toEqual(Object.keys(agentSchema.shape).sort());
  expect(fields).toContain("tools[](mcp).env");
  expect(fields).toContain("test_cases[].files[].path");
  expect(fields.length).toBeGreaterThan(300);
});
