/** Tests rules of a project that has several agents. */
import { ConfigError, type PolicyCall } from "@bridle/protocol";
import { expect, test } from "vitest";
import { createPolicy, type PolicyRules, type PolicyScope } from "./policy-rules.ts";

const scope: PolicyScope = { agent: "desk", agents: ["desk", "clerk"], tools: ["refund"], hasUnknownTools: false };
const call: PolicyCall = {
  tool: "lookup",
  input: {},
  annotations: {},
  builtin: false,
  callId: "c",
  runId: "r",
};

test("a rule about a tool of another agent matches nothing, and stops no run", async () => {
  const policy = createPolicy({ rules: [{ tool: "refund", then: "deny" }], disable: ["refund"] }, scope);
  expect(policy.checkNames?.(["lookup"])).toEqual([]);
  expect(await policy.evaluate(call, [])).toMatchObject({ rule: "default" });
});

test("a name that no agent has is refused with the nearest name of all agents", () => {
  for (const rules of [{ rules: [{ tool: "refnud", then: "deny" }] }, { disable: ["refnud"] }] as PolicyRules[]) {
    const check = () => createPolicy(rules, scope).checkNames?.(["lookup"]);
    expect(check).toThrow(ConfigError);
    expect(check).toThrow('names the tool "refnud", which does not exist. Did you mean "refund"?');
  }
});

test("a name that only a server may know is a notice, and a misspelt one is refused all the same", () => {
  const open = { ...scope, hasUnknownTools: true };
  const far = createPolicy({ disable: ["send_mail"] }, open).checkNames?.(["lookup"]);
  expect(far).toEqual([expect.stringContaining('names the tool "send_mail", which this agent does not have')]);
  expect(() => createPolicy({ disable: ["refnud"] }, open).checkNames?.(["lookup"])).toThrow('Did you mean "refund"?');
});

test("a rule for some agents decides in their runs only", async () => {
  const rules: PolicyRules = { mode: "yolo", rules: [{ tool: "lookup", agents: ["desk"], then: "deny" }] };
  const decide = (agent: string | undefined) => createPolicy(rules, { ...scope, agent }).evaluate(call, []);
  expect(await decide("desk")).toEqual({ decision: "deny", rule: "rules[0] lookup" });
  expect(await decide("clerk")).toEqual({ decision: "allow", rule: "mode:yolo" });
  expect(await decide(undefined)).toEqual({ decision: "allow", rule: "mode:yolo" });
});

test("the id of a policy names its agent, if that makes a difference", () => {
  const idOf = (agent: string, agents?: string[]) =>
    createPolicy({ rules: [{ tool: "a", then: "deny", ...(agents && { agents }) }] }, { ...scope, agent }).id;
  expect(idOf("desk")).toBe(idOf("clerk"));
  expect(idOf("desk", ["desk"])).not.toBe(idOf("clerk", ["desk"]));
});

test("a misspelt agent is refused with the nearest name, and one of another place is a notice", () => {
  const check = (agent: string) =>
    createPolicy({ rules: [{ tool: "lookup", agents: [agent], then: "deny" }] }, scope).checkNames?.(["lookup"]);
  expect(() => check("dekc")).toThrow('policy.rules.0.agents.0 names the agent "dekc"');
  expect(() => check("clerc")).toThrow('Did you mean "clerk"?');
  expect(check("warehouse-keeper")).toEqual([expect.stringContaining("The rule matches nothing, unless")]);
  expect(check("clerk")).toEqual([]);
});

test("a program cannot limit a rule to agents, because the rule would match nothing", () => {
  const limited = () => createPolicy({ rules: [{ tool: "lookup", agents: ["desk"], then: "deny" }] });
  expect(limited).toThrow("policy.rules.0.agents limits a rule to agents, which only rules of bridle.yaml can do.");
});

test("a condition about an input that the tool does not have is a notice with the nearest name", () => {
  const check = (when: Record<string, string>, fields: string[] | undefined) =>
    createPolicy({ rules: [{ tool: "lookup", when, then: "deny" }] }).checkNames?.(["lookup"], () => fields);
  expect(check({ pth: "etc" }, ["path", "depth"])).toEqual([
    expect.stringMatching(
      /^policy\.rules\.0\.when\.pth is about an input .*"lookup" does not have.*Did you mean "path"\?$/,
    ),
  ]);
  expect(check({ mail: "x" }, [])).toEqual([expect.stringContaining("It has none.")]);
  expect(check({ "path.0": "x", Depth: "1" }, ["path", "depth"])).toEqual([]);
  expect(check({ pth: "etc" }, undefined)).toEqual([]);
});
