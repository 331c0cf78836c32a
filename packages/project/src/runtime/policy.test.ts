import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseConfig } from "../config/parse.ts";
import { type PolicyOptions, resolvePolicy } from "./policy.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "bridle-policy-"));
});
afterEach(() => rm(folder, { recursive: true }));

const rules = `policy:
  mode: auto
  disable: [drop_all]
  rules:
    - { tool: run_sql, when: { statement: "^select" }, then: allow }
    - { tool: run_sql, then: deny }
`;

/** Returns the policy of a project with this `bridle.yaml`. */
function policyOf(yaml: string, options: PolicyOptions = {}) {
  const { config, positions } = parseConfig(yaml, "bridle.yaml", {});
  return resolvePolicy(
    { ...(config.policy && { policy: config.policy }), positions, environment: {}, projectDir: folder },
    options,
    folder,
  );
}

describe("the rules of a project", () => {
  test("are those of its file, under the mode of the caller", async () => {
    const snapshot = JSON.parse((await policyOf(rules, { mode: "plan" }))?.snapshot ?? "");
    expect(snapshot).toMatchObject({ mode: "read-only", disable: ["drop_all"] });
    expect(snapshot.rules).toHaveLength(2);
  });

  test("are missing if neither its file nor the caller has any", async () => {
    expect(await policyOf("llm: {}")).toBeUndefined();
    expect((await policyOf("llm: {}", { mode: "ask" }))?.snapshot).toContain('"mode":"ask"');
  });

  test("about a tool that does not exist are an error with their position", async () => {
    const policy = await policyOf(rules);
    expect(() => policy?.checkNames?.(["run_sq", "drop_all"])).toThrow(
      'bridle.yaml:5:15: policy.rules.0.tool names the tool "run_sql", which does not exist. Did you mean "run_sq"?',
    );
  });

  test("with an invalid pattern, an invalid word or an unknown key are an error with the position", async () => {
    const broken = rules.replace("^select", "(");
    await expect(policyOf(broken)).rejects.toThrow(
      "bridle.yaml:5:43: policy.rules.0.when.statement is not a regular expression",
    );
    await expect(async () => policyOf(rules.replace("then: deny", "then: denny"))).rejects.toThrow(
      'policy.rules.1.then is "denny", but must be one of allow, ask, deny. Did you mean "deny"?',
    );
    await expect(async () => policyOf(rules.replace("tool: run_sql, then", "tol: run_sql, then"))).rejects.toThrow(
      'unknown key "tol". Did you mean "tool"?',
    );
  });

  test("are replaced by those of another file, which contains nothing else", async () => {
    await writeFile(join(folder, "strict.yaml"), "policy: { mode: ask }\n");
    expect((await policyOf(rules, { policyFile: "strict.yaml" }))?.snapshot).toContain('"rules":[]');
    await writeFile(join(folder, "whole.yaml"), `${rules}llm: {}\n`);
    await expect(policyOf(rules, { policyFile: "whole.yaml" })).rejects.toThrow('whole.yaml:7:1: "llm" is not part');
    await writeFile(join(folder, "empty.yaml"), "");
    await expect(policyOf(rules, { policyFile: "empty.yaml" })).rejects.toThrow('Write them under the key "policy"');
    await expect(policyOf(rules, { policyFile: "gone.yaml" })).rejects.toThrow("gone.yaml: the policy cannot be read");
  });
});
