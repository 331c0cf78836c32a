/** Tests that a misspelt option is rejected before anything is sent, because it may be an option that denies calls. */
import { createMemoryBackend } from "@bridle/conformance";
import { defineTool, InvalidRequestError, isBridleError, type LoopRequest } from "@bridle/protocol";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { createPolicy } from "../policy/policy-rules.ts";
import { createTestBackend, step } from "./runs-for-tests.ts";
import { createAgentRuntime } from "./runtime.ts";

const runtime = createAgentRuntime({ backend: createMemoryBackend([]), models: { default: "m" } });
afterAll(() => runtime.close());

let ran = 0;
const wipe = defineTool({
  name: "wipe",
  description: "Deletes everything.",
  input: z.object({}),
  execute: async () => `${++ran}`,
});
const policy = createPolicy({ rules: [{ tool: "wipe", then: "deny" }] });

/** An operation as a program without types calls it. */
type Loose = (options: object) => Promise<unknown>;
const session = () => runtime.openSession({ tools: [wipe] });

const doors: Readonly<Record<string, Loose>> = {
  generateText: (options) => runtime.generateText({ prompt: "x", ...options }),
  generateObject: (options) => runtime.generateObject({ prompt: "x", schema: z.object({}), ...options }),
  runAgentLoop: async (options) => runtime.runAgentLoop({ prompt: "x", tools: [wipe], ...options }).result,
  openSession: (options) => runtime.openSession({ tools: [wipe], ...options }),
  send: async (options) => (await (await session()).send("x", options)).result,
};

test.each(Object.entries(doors))("%s refuses a misspelt policy with the nearest name", async (name, door) => {
  const refused = await door({ polcy: policy }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(InvalidRequestError);
  expect(refused).toHaveProperty("message", `${name}: unknown key "polcy". Did you mean "policy"?`);
  expect(ran).toBe(0);
});

test.each(Object.entries(doors))("%s refuses rules where a policy belongs", async (_name, door) => {
  const refused = await door({ policy: { rules: [{ tool: "wipe", then: "deny" }] } }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(InvalidRequestError);
  expect(refused).toHaveProperty("message", expect.stringContaining("make it with createPolicy({ … })"));
});

test("a policy of a program with a misspelt list of disabled tools is refused", () => {
  const evaluate = () => ({ decision: "allow", rule: "mine" }) as const;
  for (const [key, hint] of [
    ["disabeld", 'Did you mean "disabled"?'],
    ["disable", "only createPolicy() knows"],
  ] as const) {
    const mine = { id: "mine", evaluate, [key]: ["wipe"] };
    expect(() => runtime.runAgentLoop({ prompt: "x", tools: [wipe], policy: mine })).toThrow(hint);
  }
});

test("fork refuses a misspelt step", async () => {
  const fork: Loose = async (options) => (await session()).fork(options);
  await expect(fork({ atStpe: 1 })).rejects.toThrow('fork: unknown key "atStpe". Did you mean "atStep"?');
});

test("send explains which options belong to the session", async () => {
  const send = doors.send as Loose;
  await expect(send({ model: "m" })).rejects.toThrow("It belongs to the session: pass it to openSession().");
});

test.each(Object.entries(doors))("%s accepts undefined for every known option", async (_name, door) => {
  const known = { policy: undefined, labels: undefined, projectDir: undefined };
  const outcome = await door(known).catch((error: unknown) => error);
  expect(outcome).not.toBeInstanceOf(InvalidRequestError);
});

test.each([
  ["an object", {}],
  ["a function", () => []],
  ["null", null],
])("tools that are %s instead of a list are refused in a sentence", (_what, tools) => {
  const request = { prompt: "x", tools } as unknown as LoopRequest;
  expect(() => runtime.runAgentLoop(request)).toThrow(/^runAgentLoop: tools is .+, but must be a list\.$/);
});

test.each([null, undefined, 7, "x"])("a request that is %j is refused in a sentence", (request) => {
  const loose = request as unknown as LoopRequest;
  expect(() => runtime.runAgentLoop(loose)).toThrow(InvalidRequestError);
  expect(() => runtime.runAgentLoop(loose)).toThrow("must be an object");
});

test("a model that calls a tool that the request lacks is not a budget that was exceeded", async () => {
  const backend = createTestBackend(async (host) => {
    host.emit({ type: "step.started", model: "m" });
    await host.callTool({ callId: "c1", tool: "lookup", input: {} });
    step(host);
    return { reason: "budget" };
  });
  const calling = createAgentRuntime({ backend, models: { default: "m" } });
  const error = await calling.generateText("x").catch((thrown: unknown) => thrown);
  expect(isBridleError(error) && error.code).toBe("invalid_request");
  expect(error).toHaveProperty("message", expect.stringContaining('called the tool "lookup"'));
  await calling.close();
});
