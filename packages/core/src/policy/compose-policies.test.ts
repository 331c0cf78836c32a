import { createMemoryBackend } from "@bridle/conformance";
import { allowAllTools, type LoopRequest, type Policy, type SendOptions } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { createMemoryEventLog } from "../event-log/memory-event-log.ts";
import { createTestTool } from "../runtime/runs-for-tests.ts";
import { createAgentRuntime } from "../runtime/runtime.ts";
import { composePolicies } from "./compose-policies.ts";
import { createPolicy, type PolicyRules } from "./policy-rules.ts";

const rule = (then: "allow" | "ask" | "deny"): PolicyRules => ({ rules: [{ tool: "pay", then }] });
const pay = createTestTool("pay", async () => "paid");
const model = [{ steps: [{ calls: [{ tool: "pay", input: {} }] }, { say: "So." }] }];

function stage(policy?: Policy) {
  const record = createMemoryEventLog();
  const backend = createMemoryBackend(model);
  const runtime = createAgentRuntime({
    backend,
    models: { default: "m" },
    eventLog: record,
    ...(policy && { policy }),
  });
  return { record, backend, runtime };
}

async function outcomeOf(own: Policy | undefined, runtime: Policy | undefined): Promise<string> {
  const request: LoopRequest = { prompt: "Go", tools: [pay], stepBudget: 3, ...(own && { policy: own }) };
  const { toolFailures } = await stage(runtime).runtime.runAgentLoop(request).result;
  return toolFailures === 0 ? "runs" : "is denied";
}

describe("the rules of a run", () => {
  test.each([
    ["deny", undefined, "is denied"],
    ["deny", "allow", "is denied"],
    ["allow", "ask", "runs"],
    ["allow", "deny", "is denied"],
    [undefined, "deny", "is denied"],
    ["allow", undefined, "runs"],
  ] as const)("that say %s, combined with %s from the runtime: a call %s", async (own, runtime, outcome) => {
    const policyOf = (then: "allow" | "ask" | "deny" | undefined) => then && createPolicy(rule(then));
    expect(await outcomeOf(policyOf(own), policyOf(runtime))).toBe(outcome);
  });

  test("may be a mode", async () => {
    expect(await outcomeOf(createPolicy({ mode: "read-only" }), createPolicy({ mode: "yolo" }))).toBe("is denied");
    expect(await outcomeOf(createPolicy({ mode: "yolo" }), createPolicy({ mode: "normal" }))).toBe("runs");
    expect(await outcomeOf(createPolicy({ mode: "yolo" }), createPolicy({ mode: "read-only" }))).toBe("is denied");
  });

  const broken: [what: string, evaluate: Policy["evaluate"]][] = [
    ["decide an unknown value", () => ({ decision: "perhaps", rule: "odd" }) as never],
    ["decide nothing", () => undefined as never],
    ["name no rule", () => ({ decision: "ask" }) as never],
    ["throw", () => Promise.reject(new Error("the policy broke"))],
  ];
  test.each(broken)("allow nothing if the runtime's rules %s", async (_what, evaluate) => {
    expect(await outcomeOf(createPolicy({ mode: "yolo" }), { id: "broken", evaluate })).toBe("is denied");
    expect(await outcomeOf({ id: "broken", evaluate }, createPolicy({ mode: "yolo" }))).toBe("is denied");
  });

  test("remove disabled tools from the request, like the runtime's rules", async () => {
    const { runtime, backend } = stage(createPolicy({ disable: ["look"] }));
    const tools = ["look", "pay", "mail"].map((name) => createTestTool(name, async () => name));
    const policy = createPolicy({ disable: ["pay"] });
    await runtime.runAgentLoop({ prompt: "Go", tools, stepBudget: 3, policy }).result;
    expect(backend.sent[0]?.tools.map(({ name }) => name)).toEqual(["mail"]);
  });

  test("that name an unknown tool are refused before the first request", () => {
    const { runtime } = stage();
    const policy = createPolicy({ rules: [{ tool: "play", then: "allow" }] });
    expect(() => runtime.runAgentLoop({ prompt: "Go", tools: [pay], stepBudget: 3, policy })).toThrow("pay");
  });

  test("are logged with the runtime's, and equal rules have equal ids", () => {
    const [own, runtime] = [createPolicy(rule("allow")), createPolicy(rule("ask"))];
    expect(composePolicies(own, runtime).id).toBe(composePolicies(createPolicy(rule("allow")), runtime).id);
    expect(composePolicies(own, runtime).id).not.toBe(composePolicies(runtime, own).id);
    expect(composePolicies(own, allowAllTools)).toBe(own);
    expect(composePolicies(undefined, runtime)).toBe(runtime);
    const odd: Policy = { id: "odd", snapshot: "no JSON", evaluate: runtime.evaluate };
    const plain: Policy = { id: "plain", evaluate: runtime.evaluate };
    expect(JSON.parse(composePolicies(odd, plain).snapshot ?? "")).toEqual({ own: "no JSON", runtime: "plain" });
  });
});

test("a session's rules apply to each of its runs and no other, and are logged with each run", async () => {
  const { runtime, record } = stage(createPolicy({ mode: "yolo" }));
  const session = await runtime.openSession({ tools: [pay], stepBudget: 3, policy: createPolicy(rule("deny")) });
  for (const prompt of ["One", "Two"]) {
    expect((await (await session.send(prompt)).result).toolFailures).toBe(1);
  }
  const other = await runtime.openSession({ tools: [pay], stepBudget: 3 });
  expect((await (await other.send("One")).result).toolFailures).toBe(0);
  const starts = (await record.read({ sessionId: session.id })).filter((event) => event.type === "run.started");
  const texts = await Promise.all(starts.map(({ policy }) => record.artifact(policy)));
  const [first, second] = texts.map((text) => JSON.parse(text ?? ""));
  expect(first).toMatchObject({ own: { rules: [{ tool: "pay", then: "deny" }] }, runtime: { mode: "yolo" } });
  expect(second).toEqual(first);
});

test("an undefined policy of a send leaves the session's rules in force", async () => {
  const { runtime } = stage();
  const session = await runtime.openSession({ tools: [pay], policy: createPolicy(rule("deny")) });
  const options = { policy: undefined } as unknown as SendOptions; // compiles without exactOptionalPropertyTypes
  expect((await (await session.send("Pay", options)).result).toolFailures).toBe(1);
});
