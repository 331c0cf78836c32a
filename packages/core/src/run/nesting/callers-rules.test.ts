/** Tests that a caller's rules apply to its own tools: their permissions do not cover another tool with the same name in a run below. */
import { ofType } from "@bridle/conformance";
import {
  type AgentRun,
  type AnyTool,
  type Approval,
  type Policy,
  type RememberedAnswer,
  resolveAnnotations,
  type ToolAnnotations,
} from "@bridle/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { createMemoryPermissions } from "../../approvals/memory-permissions.ts";
import { policyModes } from "../../policy/policy-modes.ts";
import { createPolicy, type Decision, type PolicyRules } from "../../policy/policy-rules.ts";
import { begin, createTestTool } from "../../runtime/runs-for-tests.ts";
import { agentOn, callsThenAnswers, eventsOf, hostThat } from "./nested-runs-for-tests.ts";

const searching = (annotations: ToolAnnotations, parts: Partial<AnyTool> = {}) =>
  createTestTool("search", async () => "found", { annotations, ...parts });
const reading = searching({ readOnly: true });
const wiping = searching({ destructive: true });

interface Agent {
  readonly tools?: readonly AnyTool[];
  readonly rules?: PolicyRules | Policy | undefined;
  /** The rules of the agent's runtime, such as those of a project. */
  readonly shared?: Policy | undefined;
  readonly permissions?: ReturnType<typeof createMemoryPermissions> | undefined;
}

const toPolicy = (rules: PolicyRules | Policy | undefined) =>
  rules === undefined || "evaluate" in rules ? rules : createPolicy(rules);

/** Lets the last of these agents call `search`, and each of the others call the next agent. Returns the decision and the questions. */
async function decide(
  agents: readonly Agent[],
  approve?: (approval: Approval) => { decision: "allow"; scope?: "session" },
) {
  const runs: AgentRun[] = [];
  const asked: Approval[] = [];
  const nameOf = (index: number) => `agent_${index}`;
  const requestOf = (index: number, below: readonly AnyTool[]) => {
    const { tools = [], rules } = agents[index] ?? {};
    return { tools: [...tools, ...below], policy: toPolicy(rules) };
  };
  const hostOf = (index: number) =>
    hostThat(callsThenAnswers([index === agents.length - 1 ? "search" : nameOf(index + 1)]));
  let below: readonly AnyTool[] = [];
  for (let index = agents.length - 1; index > 0; index--) {
    const { shared: policy, permissions } = agents[index] ?? {};
    const parts = { nestedTools: ["search", "agent_2"] };
    below = [agentOn(nameOf(index), hostOf(index), requestOf(index, below), { runs, parts, policy, permissions })];
  }
  const { shared: policy, permissions } = agents[0] ?? {};
  const asking = (approval: Approval) => {
    asked.push(approval);
    return approve?.(approval) ?? ({ decision: "deny" } as const);
  };
  const options = { policy, permissions, ...(approve && { approve: asking }) };
  await begin(hostOf(0), requestOf(0, below), options).result;
  const calling = runs.at(-1);
  const events = calling ? await eventsOf(calling) : [];
  const calls = ofType(events, "tool.requested").filter(({ tool }) => tool === "search");
  const started = ofType(events, "tool.started").filter(({ callId }) => calls.some((each) => each.callId === callId));
  return { hasRun: started.length > 0, asked };
}

const allowing: PolicyRules = { rules: [{ tool: "search", then: "allow" }] };
const yes = () => ({ decision: "allow" }) as const;

test("what a caller allows for its own tool does not allow a nested agent's destructive tool of that name", async () => {
  expect(await decide([{ tools: [reading], rules: allowing }, { tools: [wiping] }])).toMatchObject({ hasRun: false });
  const { hasRun, asked } = await decide([{ tools: [reading], rules: allowing }, { tools: [wiping] }], yes);
  expect({ hasRun, asked }).toMatchObject({
    hasRun: true,
    asked: [{ tool: "search", rule: "annotation:destructive" }],
  });
});

test.each([
  ["source", { source: "another server" }],
  ["description", { description: "Searches and forgets." }],
  ["annotations", { annotations: { readOnly: true, openWorld: true } }],
  ["schema", { input: z.object({ path: z.string().optional() }) }],
] satisfies [string, Partial<AnyTool>][])(
  "a tool that differs from the caller's in its %s is another tool",
  async (_part, parts) => {
    const unannotated = searching({});
    expect(await decide([{ tools: [unannotated], rules: allowing }, { tools: [unannotated] }])).toMatchObject({
      hasRun: true,
    });
    const other = searching({}, parts);
    expect(await decide([{ tools: [unannotated], rules: allowing }, { tools: [other] }])).toMatchObject({
      hasRun: false,
    });
  },
);

test("a caller without a tool of that name names the nested agent's tool", async () => {
  expect(await decide([{ rules: allowing }, { tools: [wiping] }])).toMatchObject({ hasRun: true });
});

test("rules that a project has for all agents are about the tools of each", async () => {
  const shared = createPolicy(allowing);
  expect(
    await decide([
      { tools: [reading], shared },
      { tools: [wiping], shared },
    ]),
  ).toMatchObject({ hasRun: true });
  const rules = { rules: [{ tool: "search", then: "allow" }], mode: "auto" } as const;
  expect(
    await decide([
      { tools: [reading], shared },
      { tools: [wiping], shared, rules },
    ]),
  ).toMatchObject({ hasRun: true });
  expect(
    await decide([
      { tools: [reading], shared, rules },
      { tools: [wiping], shared },
    ]),
  ).toMatchObject({ hasRun: false });
});

test("a caller's denials and questions hold for every tool of that name", async () => {
  const with_ = (then: Decision) => [
    { tools: [reading], rules: { mode: "yolo", rules: [{ tool: "search", then }] } as const },
    { tools: [wiping] },
  ];
  expect(await decide(with_("deny"), yes)).toMatchObject({ hasRun: false, asked: [] });
  const asking = { tools: [reading], rules: { rules: [{ tool: "search", then: "ask" }] } as const };
  expect(
    await decide([asking, { tools: [searching({ readOnly: true, openWorld: false }, { source: "x" })] }], yes),
  ).toMatchObject({
    asked: [{ rule: "rules[0] search" }],
  });
  expect(
    await decide([{ tools: [reading], rules: { mode: "yolo", disable: ["search"] } }, { tools: [wiping] }], yes),
  ).toMatchObject({ hasRun: false });
});

test("a caller's mode is about all tools", async () => {
  expect(await decide([{ tools: [reading], rules: { mode: "yolo" } }, { tools: [wiping] }])).toMatchObject({
    hasRun: true,
  });
});

test("an answer for the caller's tool is not one for the nested agent's, and an answer for that one is", async () => {
  const about = { tool: "search", decision: "allow", scope: "project", by: "ada", at: "2026-01-31T00:00:00Z" } as const;
  const permissions = createMemoryPermissions();
  const asks = { rules: [{ tool: "search", then: "ask" }] } as const;
  await begin(
    hostThat(callsThenAnswers(["search"])),
    { tools: [reading], policy: createPolicy(asks) },
    {
      permissions,
      approve: () => ({ decision: "allow", scope: "project" }),
    },
  ).result;
  const [remembered] = await permissions.read();
  expect(remembered).toMatchObject({ tool: "search", scope: "project" });
  const chain = (answers: readonly RememberedAnswer[]) => [
    { tools: [reading], rules: allowing, permissions: createMemoryPermissions(answers) },
    { tools: [wiping] },
  ];
  expect(await decide(chain(remembered ? [remembered] : []))).toMatchObject({ hasRun: false });
  const { asked } = await decide(chain([]), () => ({ decision: "allow", scope: "session" }));
  expect(asked).toHaveLength(1);
  const [first] = asked;
  if (first?.identity === undefined) return expect.fail("a question names its tool");
  expect(await decide(chain([{ ...about, identity: first.identity }]))).toMatchObject({ hasRun: true });
});

test("a policy of a program that allows by name is held to the caller's tool, too", async () => {
  const byName: Policy = {
    id: "by-name",
    evaluate: ({ tool }) => ({ decision: ["search", "agent_1"].includes(tool) ? "allow" : "ask", rule: "by-name" }),
  };
  expect(await decide([{ tools: [reading], rules: byName }, { tools: [wiping] }])).toMatchObject({ hasRun: false });
  expect(await decide([{ tools: [reading], rules: byName }, { tools: [reading] }])).toMatchObject({ hasRun: true });
});

test("each of three levels binds what it allows to its own tool", async () => {
  const middle = { tools: [wiping], rules: allowing };
  expect(await decide([{ tools: [reading], rules: allowing }, middle, { tools: [wiping] }])).toMatchObject({
    hasRun: false,
  });
  expect(await decide([{ tools: [wiping], rules: allowing }, { tools: [reading] }, { tools: [wiping] }])).toMatchObject(
    { hasRun: true },
  );
  expect(
    await decide([{ tools: [wiping], rules: allowing }, { tools: [reading], rules: allowing }, { tools: [wiping] }]),
  ).toMatchObject({ hasRun: false });
});

const kinds: readonly AnyTool[] = [
  reading,
  wiping,
  searching({}),
  searching({ readOnly: true, openWorld: true }),
  searching({ destructive: false, openWorld: false }),
];
const verdict = fc.constantFrom<Decision>("allow", "ask", "deny");
const someRules: fc.Arbitrary<PolicyRules> = fc.record({
  mode: fc.constantFrom(...policyModes),
  disable: fc.constantFrom([], [], ["search"]),
  rules: fc.array(fc.record({ tool: fc.constant("search"), then: verdict }), { maxLength: 2 }),
  annotations: fc.record({ readOnly: verdict, destructive: verdict, openWorld: verdict }, { requiredKeys: [] }),
});
const level = fc.record({ kind: fc.option(fc.nat(kinds.length - 1)), rules: fc.option(someRules, { nil: undefined }) });
const last = fc.record({ kind: fc.nat(kinds.length - 1), rules: fc.option(someRules, { nil: undefined }) });

test("for all rules and tools on three levels, a call runs only if each level allows this very tool", {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(level, level, last, fc.boolean(), async (first, second, third, isAttended) => {
      const planned = [first, second, third];
      const agents = planned.map(({ kind, rules }, index) => ({
        tools: kind === null ? [] : kinds.slice(kind, kind + 1),
        rules: rules && { ...rules, rules: [...(rules.rules ?? []), ...agentRules.slice(index)] },
      }));
      const { hasRun, asked } = await decide(agents, isAttended ? yes : undefined);
      const called = kinds[third.kind];
      const decisions = planned.map(({ kind, rules }, index) => {
        const isOther = kind !== null && kind !== third.kind && index < 2;
        return expected(rules, called, isOther && JSON.stringify(rules) !== JSON.stringify(third.rules));
      });
      const callers = rulesOf(planned.slice(0, 2));
      if (callers.some(({ mode, annotations }) => mode === "ask" || annotations?.readOnly === "deny")) return; // about the agents, too
      if (decisions.includes("deny")) expect({ hasRun, asked }).toEqual({ hasRun: false, asked: [] });
      else if (decisions.includes("ask")) expect([hasRun, asked.length]).toEqual([isAttended, isAttended ? 1 : 0]);
      else expect([hasRun, asked.length]).toEqual([true, 0]);
    }),
    { numRuns: 300 * Number(process.env.SOAK_FACTOR ?? 1) },
  );
});

/** Rules that always allow calls to the agents. */
const agentRules = [1, 2].map((index) => ({ tool: `agent_${index}`, then: "allow" }) as const);

const rulesOf = (levels: readonly { readonly rules: PolicyRules | undefined }[]) =>
  levels.flatMap(({ rules }) => rules ?? []);

/** Computes the decision of one level's rules without the code under test: permissions by name do not count for another tool. */
function expected(rules: PolicyRules | undefined, called: AnyTool | undefined, isOther: boolean): Decision {
  if (rules === undefined) return "allow";
  const { mode, disable, rules: named = [], annotations = {} } = rules;
  const promised = resolveAnnotations(called?.annotations);
  const own = named[0]?.then;
  const defaults = { readOnly: "allow", destructive: "ask", openWorld: "ask", ...annotations } as const;
  const verdicts = (["readOnly", "destructive", "openWorld"] as const).flatMap((name) =>
    promised[name] ? [defaults[name]] : [],
  );
  if (disable?.includes("search") || own === "deny" || verdicts.includes("deny")) return "deny";
  if (mode === "read-only" && !promised.readOnly) return "deny";
  if (mode === "yolo" || mode === "ask") return mode === "ask" ? "ask" : "allow";
  if (mode === "auto" && own !== "ask" && !promised.destructive) return "allow";
  if (own === "ask" || (own === "allow" && !isOther)) return own;
  return verdicts.length === 0 || verdicts.includes("ask") ? "ask" : "allow";
}
