import { type AnyTool, defineTool, type Policy } from "@bridle/protocol";
import { expect } from "vitest";
import { z } from "zod";
import { type Behaviour, collect, ofType, passedTools, sleep } from "./harness.ts";
import { call, echo } from "./tools-for-tests.ts";

const order = z.object({
  id: z.string().describe("The order's number"),
  status: z.enum(["open", "shipped"]).optional(),
  lines: z.array(z.object({ sku: z.string(), count: z.int().min(1) })).optional(),
});

/** A schema as an MCP server may send it, with constructs that Zod does not produce. */
const foreignSchema = {
  type: "object",
  properties: {
    filter: { $ref: "#/$defs/filter", description: "What to look for" },
    order: { enum: ["asc", "desc", null], default: "asc" },
    size: { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }] },
  },
  required: ["filter"],
  $defs: {
    filter: {
      anyOf: [
        { type: "object", properties: { field: { type: "string", pattern: "^[a-z]+$" } }, required: ["field"] },
        { type: "object", properties: { all: { type: "array", items: { $ref: "#/$defs/filter" } } } },
      ],
    },
  },
  additionalProperties: false,
};

function isSevenIn(input: unknown): boolean {
  return JSON.stringify(input).includes("7");
}

export function toolLaws(behaviour: Behaviour): void {
  behaviour(
    "reach the model with their names, descriptions and JSON Schemas, and no other tool does",
    async (start) => {
      const { runtime, host } = await start([{ steps: [{ say: "fine" }] }]);
      const lookUp = defineTool({
        name: "look_up",
        description: "Finds an order.",
        input: order,
        execute: async () => "-",
      });
      await runtime.runAgentLoop({ prompt: "go", tools: [lookUp, echo("a")], stepBudget: 2 }).result;
      const { $schema: _, ...inputSchema } = z.toJSONSchema(order, { io: "input" });
      expect(passedTools(host).sort()).toEqual(["a", "look_up"]);
      expect(host.sent()[0]?.tools.find(({ name }) => name === "look_up")).toEqual({
        name: "look_up",
        description: "Finds an order.",
        inputSchema,
      });
    },
  );

  behaviour("with an input schema from elsewhere reach the model with exactly that schema", async (start) => {
    const { runtime, host } = await start([
      {
        steps: [
          { calls: [{ tool: "query", input: { filter: 7 } }] },
          { calls: [{ tool: "query", input: { filter: { all: [{ field: "sku" }] } } }] },
          { say: "done" },
        ],
      },
    ]);
    const got: unknown[] = [];
    const query = defineTool({
      name: "query",
      description: "Asks a server.",
      input: { jsonSchema: foreignSchema, problems: (input) => (isSevenIn(input) ? ["filter: 7 is no filter"] : []) },
      execute: async (input) => {
        got.push(input);
        return "found";
      },
    });
    await runtime.runAgentLoop({ prompt: "go", tools: [query], stepBudget: 4 }).result;
    expect(JSON.stringify(host.sent()[0]?.tools[0]?.inputSchema)).toBe(JSON.stringify(foreignSchema));
    expect(host.sent()[1]?.texts.at(-1)).toContain("filter: 7 is no filter");
    expect(got).toEqual([{ filter: { all: [{ field: "sku" }] } }]);
  });

  behaviour("get parsed input and a context, and their text is sent to the model", async (start) => {
    const { runtime, host } = await start([
      { steps: [{ calls: [{ tool: "add", input: { a: 2 } }] }, { say: "done" }] },
    ]);
    const seen: unknown[] = [];
    const add = defineTool({
      name: "add",
      description: "Adds.",
      input: z.object({ a: z.number(), b: z.number().default(40) }),
      execute: async ({ a, b }, { runId, callId, signal, projectDir }) => {
        seen.push({ runId, callId: typeof callId, signal: signal.aborted, projectDir: typeof projectDir });
        return `The sum is ${a + b}.`;
      },
    });
    const run = runtime.runAgentLoop({ prompt: "go", tools: [add], stepBudget: 3 });
    expect((await run.result).toolFailures).toBe(0);
    expect(seen).toEqual([{ runId: run.id, callId: "string", signal: false, projectDir: "string" }]);
    expect(host.sent().at(-1)?.texts).toContain("The sum is 42.");
  });

  behaviour("are logged in order: requested, evaluated, started, progress, finished", async (start) => {
    const { runtime } = await start([{ steps: [{ calls: [{ tool: "work", input: {} }] }, { say: "done" }] }]);
    const work = defineTool({
      name: "work",
      description: "Works.",
      input: z.object({}),
      execute: async (_input, { progress }) => {
        progress("half way");
        return { markdown: "ready", structured: { rows: 3 } };
      },
    });
    const events = await collect(runtime.runAgentLoop({ prompt: "go", tools: [work], stepBudget: 3 }));
    expect(events.map(({ type }) => type).filter((type) => type.startsWith("tool."))).toEqual([
      "tool.requested",
      "tool.evaluated",
      "tool.started",
      "tool.progress",
      "tool.finished",
    ]);
    expect(ofType(events, "tool.finished")[0]).toMatchObject({ ok: true, output: "ready", structured: { rows: 3 } });
  });

  behaviour("never send structured results to the model", async (start) => {
    const { runtime, host } = await start([{ steps: [{ calls: [{ tool: "work", input: {} }] }, { say: "done" }] }]);
    const structured = { secret: "only-for-the-log" };
    const execute = async () => ({ markdown: "ready", structured });
    const work = defineTool({ name: "work", description: "Works.", input: z.object({}), execute });
    await runtime.runAgentLoop({ prompt: "go", tools: [work], stepBudget: 3 }).result;
    expect(JSON.stringify(host.sent())).not.toContain("only-for-the-log");
  });

  behaviour("run in parallel if they are read-only", async (start) => {
    const { runtime } = await start([
      { steps: [{ calls: [call("r", "1"), call("r", "2"), call("r", "3")] }, { say: "done" }] },
    ]);
    const { tool, max } = counting("r", true);
    const events = await collect(runtime.runAgentLoop({ prompt: "go", tools: [tool], stepBudget: 3 }));
    expect(max()).toBe(3);
    const order = events.map(({ type }) => type).filter((type) => type === "tool.started" || type === "tool.finished");
    expect(order).toEqual([...Array(3).fill("tool.started"), ...Array(3).fill("tool.finished")]);
  });

  behaviour("run in parallel if they say so, even if they are not read-only", async (start) => {
    const { runtime } = await start([
      { steps: [{ calls: [call("w", "1"), call("w", "2"), call("w", "3")] }, { say: "done" }] },
    ]);
    const { tool, max } = counting("w", false);
    const parallel: AnyTool = { ...tool, concurrency: "parallel" };
    await runtime.runAgentLoop({ prompt: "go", tools: [parallel], stepBudget: 3 }).result;
    expect(max()).toBe(3);
  });

  behaviour("run one after another, in the model's order, if they are not read-only", async (start) => {
    const { runtime } = await start([
      { steps: [{ calls: [call("w", "1"), call("w", "2"), call("w", "3")] }, { say: "done" }] },
    ]);
    const { tool, max, order } = counting("w", false);
    await runtime.runAgentLoop({ prompt: "go", tools: [tool], stepBudget: 3 }).result;
    expect(max()).toBe(1);
    expect(order).toEqual(["1", "2", "3"]);
  });

  behaviour("are requested again in the same step if their input does not fit, and then run", async (start) => {
    const corrected = { value: "right" };
    const wrong = [{ value: 7 }, "value: right"].map((input) => ({ tool: "a", input, corrected }));
    const { runtime } = await start([{ steps: [{ calls: wrong }, { say: "done" }] }]);
    const calls: unknown[] = [];
    const events = await collect(runtime.runAgentLoop({ prompt: "go", tools: [echo("a", calls)], stepBudget: 3 }));
    expect(calls).toEqual([corrected, corrected]);
    expect(ofType(events, "notice").filter(({ code }) => code === "call-repaired")).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ result: { stopReason: "natural", steps: 2, toolCalls: 2, toolFailures: 0 } });
  });

  behaviour("are denied if their input is invalid, with an error that the model can act on", async (start) => {
    const { runtime, host } = await start([
      {
        steps: [
          { calls: [{ tool: "look_up", input: { id: 7, status: "lost" } }] },
          { calls: [{ tool: "look_up", input: { id: "7" } }] },
          { say: "done" },
        ],
      },
    ]);
    const tool = defineTool({ name: "look_up", description: "Finds.", input: order, execute: async () => "found" });
    const run = runtime.runAgentLoop({ prompt: "go", tools: [tool], stepBudget: 5 });
    const [denied] = ofType(await collect(run), "tool.denied");
    expect(denied?.output).toMatch(/id: .*expected string.*received 7/s);
    expect(denied?.output).toContain("status");
    expect(host.sent()[1]?.texts).toContain(denied?.output);
    expect(await run.result).toMatchObject({ stopReason: "natural", toolCalls: 2, toolFailures: 1 });
  });

  behaviour("that were not passed to the run are refused, and the run continues", async (start) => {
    const { runtime } = await start([{ steps: [{ calls: [call("delete_all"), call("a")] }, { say: "done" }] }]);
    const calls: unknown[] = [];
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a", calls)], stepBudget: 5 });
    const events = await collect(run);
    const refused = ofType(events, "tool.requested").find(({ tool }) => tool === "delete_all");
    expect(ofType(events, "tool.denied").map(({ callId }) => callId)).toEqual([refused?.callId]);
    expect(await run.result).toMatchObject({ stopReason: "natural", toolCalls: 2, toolFailures: 1 });
    expect(calls).toHaveLength(1);
  });

  behaviour("that throw are answered with the error message, and the run continues", async (start) => {
    const { runtime, host } = await start([{ steps: [{ calls: [{ tool: "bad", input: {} }] }, { say: "done" }] }]);
    const execute = async (): Promise<string> => {
      throw new Error("the database is asleep");
    };
    const bad = defineTool({ name: "bad", description: "Fails.", input: z.object({}), execute });
    const run = runtime.runAgentLoop({ prompt: "go", tools: [bad], stepBudget: 3 });
    expect(await run.result).toMatchObject({ stopReason: "natural", toolFailures: 1 });
    expect(host.sent().at(-1)?.texts.join()).toContain("the database is asleep");
  });

  behaviour("that return a bare object fail with an error that names the tool", async (start) => {
    const { runtime } = await start([{ steps: [{ calls: [{ tool: "bare", input: {} }] }, { say: "done" }] }]);
    const execute = async () => JSON.parse('{ "rows": 3 }');
    const bare = defineTool({ name: "bare", description: "Returns rows.", input: z.object({}), execute });
    const events = await collect(runtime.runAgentLoop({ prompt: "go", tools: [bare], stepBudget: 3 }));
    expect(ofType(events, "tool.finished")[0]).toMatchObject({ ok: false });
    expect(ofType(events, "tool.finished")[0]?.output).toMatch(/bare returned .*rows.*markdown/);
  });

  behaviour("with long results are truncated, and the model can read the rest without loss", async (start) => {
    const whole = Array.from({ length: 9000 }, (_, line) => `line ${line} 🌍`).join("\n");
    const starts = [0, 30_000, 60_000, 90_000];
    const reads = starts.map((offset) => ({ calls: [{ tool: "read_result", input: { offset } }] }));
    const first = { calls: [{ tool: "dump", input: {} }] };
    const { runtime, host } = await start([{ steps: [first, ...reads, { say: "done" }] }]);
    const dump = defineTool({ name: "dump", description: "Dumps.", input: z.object({}), execute: async () => whole });
    const events = await collect(runtime.runAgentLoop({ prompt: "go", tools: [dump], stepBudget: 9 }));
    const [cut, ...pages] = ofType(events, "tool.finished");
    const texts = pages.map(({ output }) => output.slice(output.indexOf("\n") + 1));
    const read = starts.map((start, index) => texts[index]?.slice(0, (starts[index + 1] ?? whole.length) - start));
    expect(read.join("")).toBe(whole);
    expect(cut?.output.length).toBeLessThan(41_000);
    expect(cut?.output.startsWith("line 0 🌍\nline 1 🌍")).toBe(true);
    expect(cut?.output.endsWith("line 8999 🌍")).toBe(true);
    expect(cut?.output).toContain(`of ${whole.length} characters`);
    expect(cut?.artifact).toMatch(/^[0-9a-f]{64}$/);
    const atOnce = host.backend.features.offersLater === false ? ["dump", "read_result"] : ["dump"];
    expect(host.sent()[0]?.tools.map(({ name }) => name)).toEqual(atOnce);
    expect(
      host
        .sent()
        .at(-1)
        ?.tools.map(({ name }) => name)
        .sort(),
    ).toEqual(["dump", "read_result"]);
  });

  behaviour("have the same name for the model, the policy and the event log", async (start) => {
    const evaluated: string[] = [];
    const policy: Policy = {
      id: "test",
      evaluate: ({ tool }) => {
        evaluated.push(tool);
        return { decision: "allow", rule: "all" };
      },
    };
    const { runtime, host } = await start([{ steps: [{ calls: [call("my_tool")] }, { say: "done" }] }], { policy });
    const events = await collect(runtime.runAgentLoop({ prompt: "go", tools: [echo("my.tool")], stepBudget: 3 }));
    expect(passedTools(host)).toEqual(["my_tool"]);
    expect(evaluated).toEqual(["my_tool"]);
    expect(ofType(events, "tool.requested").map(({ tool }) => tool)).toEqual(["my_tool"]);
    expect(ofType(events, "tool.finished")).toMatchObject([{ ok: true }]);
  });

  behaviour("that exceed their time limit are aborted, and the run continues", async (start) => {
    const { runtime } = await start([{ steps: [{ calls: [{ tool: "slow", input: {} }] }, { say: "done" }] }]);
    let aborted = false;
    const execute = (_input: object, { signal }: { signal: AbortSignal }) =>
      new Promise<string>(() => signal.addEventListener("abort", () => (aborted = true)));
    const slow = defineTool({ name: "slow", description: "Hangs.", input: z.object({}), timeoutMs: 50, execute });
    const run = runtime.runAgentLoop({ prompt: "go", tools: [slow], stepBudget: 3 });
    const [finished] = ofType(await collect(run), "tool.finished");
    expect(finished).toMatchObject({ ok: false, output: expect.stringContaining("within 0.05 s") });
    expect(aborted).toBe(true);
    expect((await run.result).stopReason).toBe("natural");
  });
}

function counting(name: string, readOnly: boolean): { tool: AnyTool; max: () => number; order: string[] } {
  let now = 0;
  let max = 0;
  const order: string[] = [];
  const tool = defineTool({
    name,
    description: "Counts how many of it run at once.",
    input: z.object({ value: z.string() }),
    annotations: { readOnly },
    execute: async ({ value }) => {
      order.push(value);
      now += 1;
      max = Math.max(max, now);
      await sleep(150);
      now -= 1;
      return value;
    },
  });
  return { tool, max: () => max, order };
}
