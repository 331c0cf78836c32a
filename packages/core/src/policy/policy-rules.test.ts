import { ConfigError, type PolicyCall, type RememberedAnswer, type ToolAnnotations } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { sha256 } from "../system/hash.ts";
import { createPolicy, type PolicyRules } from "./policy-rules.ts";

const reads: ToolAnnotations = { readOnly: true };
const wipes: ToolAnnotations = { destructive: true };

function call(annotations: ToolAnnotations = {}, parts: Partial<PolicyCall> = {}): PolicyCall {
  return {
    tool: "run_sql",
    input: { statement: "select 1" },
    annotations,
    builtin: false,
    callId: "call",
    runId: "run",
    ...parts,
  };
}

function answer(parts: Partial<RememberedAnswer> = {}): RememberedAnswer {
  return { tool: "run_sql", decision: "allow", scope: "project", by: "ada", at: "2026-01-31T12:00:00.000Z", ...parts };
}

async function decide(rules: PolicyRules, asked = call(), remembered: RememberedAnswer[] = []): Promise<string> {
  const { decision, rule } = await createPolicy(rules).evaluate(asked, remembered);
  return `${decision} by ${rule}`;
}

describe("a mode", () => {
  const table: [mode: PolicyRules["mode"], plain: string, reading: string, wiping: string][] = [
    ["read-only", "deny by mode:read-only", "allow by annotation:readOnly", "deny by mode:read-only"],
    ["ask", "ask by mode:ask", "ask by mode:ask", "ask by mode:ask"],
    ["normal", "ask by default", "allow by annotation:readOnly", "ask by annotation:destructive"],
    ["auto", "allow by mode:auto", "allow by mode:auto", "ask by annotation:destructive"],
    ["yolo", "allow by mode:yolo", "allow by mode:yolo", "allow by mode:yolo"],
  ];
  for (const [mode, plain, reading, wiping] of table) {
    test(`${mode} decides about a plain, a read-only and a destructive tool`, async () => {
      const found = await Promise.all([{}, reads, wipes].map((each) => decide({ ...(mode && { mode }) }, call(each))));
      expect(found).toEqual([plain, reading, wiping]);
    });

    test(`${mode} neither offers a disabled tool nor allows a denied call`, async () => {
      const rules: PolicyRules = { ...(mode && { mode }), rules: [{ tool: "run_sql", then: "deny" }] };
      expect(await decide(rules, call(reads))).toBe("deny by rules[0] run_sql");
      expect(await decide({ ...rules, disable: ["run_sql"] }, call(reads))).toBe("deny by disable");
      const kept = [answer({ decision: "deny" })];
      expect(await decide({ ...(mode && { mode }) }, call(reads), kept)).toBe("deny by remembered:project");
    });
  }

  test.each([
    ["read-only", "deny by mode:read-only", "allow by rules[0] run_sql", "allow by remembered:project"],
    ["ask", "ask by mode:ask", "ask by mode:ask", "ask by mode:ask"],
    ["normal", "ask by rules[0] run_sql", "allow by rules[0] run_sql", "allow by remembered:project"],
    ["auto", "ask by rules[0] run_sql", "allow by mode:auto", "allow by remembered:project"],
    ["yolo", "allow by mode:yolo", "allow by mode:yolo", "allow by mode:yolo"],
    ["dontAsk", "deny by rules[0] run_sql", "allow by rules[0] run_sql", "allow by remembered:project"],
  ] as const)(
    "%s and a rule that asks, one that allows, and a question that was answered",
    async (mode, asks, allows, answered) => {
      const local: ToolAnnotations = { destructive: false, openWorld: false };
      const asking: PolicyRules = { mode, rules: [{ tool: "run_sql", then: "ask" }] };
      const reading = mode === "read-only" ? reads : local;
      expect(await decide(asking, call(local))).toBe(asks);
      expect(await decide({ mode, rules: [{ tool: "run_sql", then: "allow" }] }, call(reading))).toBe(allows);
      expect(await decide(asking, call(reading), [answer()])).toBe(answered);
    },
  );

  test("auto asks only about inputs that fit a rule that asks", async () => {
    const rules: PolicyRules = {
      mode: "auto",
      rules: [{ tool: "run_sql", when: { statement: "^drop" }, then: "ask" }],
    };
    const local: ToolAnnotations = { destructive: false, openWorld: false };
    expect(await decide(rules, call(local, { input: { statement: "drop a" } }))).toBe("ask by rules[0] run_sql");
    expect(await decide(rules, call(local))).toBe("allow by mode:auto");
  });

  test("has aliases, and the alias dontAsk also denies every call that would be asked", async () => {
    const snapshots = ["manual", "default", "acceptAll", "bypassPermissions", "plan"] as const;
    expect(snapshots.map((mode) => JSON.parse(createPolicy({ mode }).snapshot ?? "").mode)).toEqual([
      "normal",
      "normal",
      "yolo",
      "yolo",
      "read-only",
    ]);
    expect(await decide({ mode: "dontAsk" })).toBe("deny by default");
  });

  test("with an unknown name is refused with the nearest", () => {
    expect(() => createPolicy({ mode: "read_only" as "ask" })).toThrow('no policy mode "read_only"');
    expect(() => createPolicy({ mode: "read_only" as "ask" })).toThrow('Did you mean "read-only"?');
  });
});

describe("a rule", () => {
  const selects: PolicyRules = {
    rules: [
      { tool: "run_sql", when: { statement: "^select" }, then: "allow" },
      { tool: "run_sql", then: "deny" },
    ],
  };

  test("applies if it is the first that matches the input, ignoring case", async () => {
    expect(await decide(selects, call({}, { input: { statement: "SELECT 2" } }))).toBe("allow by rules[0] run_sql");
    expect(await decide(selects, call({}, { input: { statement: "drop table a" } }))).toBe("deny by rules[1] run_sql");
    expect(await decide(selects, call({}, { input: {} }))).toBe("deny by rules[1] run_sql");
  });

  test("matches nested fields, and fields that are not text", async () => {
    const rules: PolicyRules = {
      rules: [{ tool: "run_sql", when: { "order.lines": "^\\[1,", "a.b": "x" }, then: "allow" }],
    };
    const input = { order: { lines: [1, 2] }, "a.b": "x" };
    expect(await decide(rules, call({}, { input }))).toBe("allow by rules[0] run_sql");
    expect(await decide(rules, call({}, { input: { ...input, order: null } }))).toBe("ask by default");
    expect(await decide({ rules: [{ tool: "run_sql", when: { toString: "." }, then: "allow" }] })).toBe(
      "ask by default",
    );
  });

  test("precedes annotations, and a remembered answer precedes both", async () => {
    const rules: PolicyRules = { rules: [{ tool: "run_sql", then: "ask" }] };
    expect(await decide(rules, call(reads))).toBe("ask by rules[0] run_sql");
    expect(await decide(rules, call(reads), [answer()])).toBe("allow by remembered:project");
    expect(await decide(rules, call(reads), [answer({ when: { statement: "^drop" } })])).toBe(
      "ask by rules[0] run_sql",
    );
    expect(await decide(rules, call(reads), [answer({ tool: "other" })])).toBe("ask by rules[0] run_sql");
  });

  test("about an unknown tool is an error with its position and the nearest name", () => {
    const position = { file: "bridle.yaml", line: 4, column: 13 };
    const policy = createPolicy({
      rules: [{ tool: "run_sq", then: "ask" }],
      positions: { "rules.0.tool": position },
    });
    expect(() => policy.checkNames?.(["run_sql"])).toThrow(ConfigError);
    expect(() => policy.checkNames?.(["run_sql"])).toThrow(
      'bridle.yaml:4:13: policy.rules.0.tool names the tool "run_sq", which does not exist. Did you mean "run_sql"?',
    );
    const disabling = createPolicy({ disable: ["gone"] });
    expect(() => disabling.checkNames?.(["run_sql"])).toThrow("policy.disable.0 names the tool");
    policy.checkNames?.(["run_sq", "run_sql"]);
  });

  test("with a pattern that is not a regular expression is an error", () => {
    const rules = [{ tool: "a", when: { statement: "(" }, then: "allow" as const }];
    expect(() => createPolicy({ rules })).toThrow("policy.rules.0.when.statement is not a regular expression");
  });
});

describe("annotations", () => {
  test("with different decisions lead to the strictest one", async () => {
    expect(await decide({}, call({ readOnly: true, openWorld: true }))).toBe("ask by annotation:openWorld");
    const rules: PolicyRules = { annotations: { openWorld: "allow", destructive: "deny" } };
    expect(await decide(rules, call({ readOnly: true, openWorld: true }))).toBe("allow by annotation:readOnly");
    expect(await decide(rules, call({ readOnly: true, destructive: true }))).toBe("deny by annotation:destructive");
  });
});

test("an unattended run denies calls that would be asked, and the model gets the reason", async () => {
  const decision = await createPolicy({ unattended: true }).evaluate(call(), []);
  expect(decision).toMatchObject({
    decision: "deny",
    rule: "default",
    reason: expect.stringContaining("nobody can be asked"),
  });
});

test("equal rules have equal ids, which are the hashes of their snapshots", () => {
  const one = createPolicy({ mode: "plan", disable: ["a"] });
  const two = createPolicy({ disable: ["a"], mode: "read-only" });
  expect(one.id).toBe(two.id);
  expect(one.id).toBe(sha256(one.snapshot ?? ""));
  expect(createPolicy({ disable: ["b"], mode: "plan" }).id).not.toBe(one.id);
});
