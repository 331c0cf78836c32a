import { type Policy, StructuredOutputError } from "@bridle/protocol";
import { expect } from "vitest";
import { z } from "zod";
import { type Behaviour, collect, ofType } from "./harness.ts";
import { call, echo } from "./tools-for-tests.ts";

const city = z.object({ name: z.string(), population: z.int().refine((count) => count % 2 === 0, "must be even") });

export function objectLaws(behaviour: Behaviour): void {
  behaviour("that is valid is returned, parsed", async (start) => {
    const { runtime } = await start([{ steps: [{ object: { name: "Bern", population: 134_000 } }] }]);
    const { object } = await runtime.generateObject({ prompt: "go", schema: city });
    expect(object).toEqual({ name: "Bern", population: 134_000 });
  });

  behaviour("that does not fit is requested again with the issues, in the same conversation", async (start) => {
    const { runtime, host } = await start([
      { steps: [{ object: { name: "Bern", population: 3 } }] },
      { prompt: "does not fit", steps: [{ object: { name: "Bern", population: 4 } }] },
    ]);
    const { object } = await runtime.generateObject({ prompt: "go", schema: city });
    expect(object).toEqual({ name: "Bern", population: 4 });
    const last = host.sent().at(-1)?.texts ?? [];
    expect(last).toContain("go");
    expect(last.join("\n")).toContain("population: must be even");
  });

  behaviour("that never fits is a StructuredOutputError with the last text and the issues", async (start) => {
    const { runtime } = await start([{ steps: [{ object: { name: "Bern", population: 3 } }] }]);
    const failing = runtime.generateObject({ prompt: "go", schema: city, schemaRetries: 1 });
    await expect(failing).rejects.toBeInstanceOf(StructuredOutputError);
    await expect(failing).rejects.toMatchObject({
      issues: [{ path: "population", message: "must be even" }],
      text: '{"name":"Bern","population":3}',
      runId: expect.any(String),
    });
  });

  behaviour("that violates the JSON Schema every time is a StructuredOutputError", async (start) => {
    const { runtime } = await start([{ steps: [{ object: { name: 7 }, forever: true }] }]);
    const failing = runtime.generateObject({ prompt: "go", schema: city, schemaRetries: 1 });
    await expect(failing).rejects.toBeInstanceOf(StructuredOutputError);
    await expect(failing).rejects.toMatchObject({ text: expect.stringContaining("7") });
    await expect(failing).rejects.toMatchObject({
      issues: expect.arrayContaining([expect.objectContaining({ message: expect.any(String) })]),
    });
  });

  behaviour("that is missing from a successful answer is a StructuredOutputError, never undefined", async (start) => {
    const { runtime } = await start([{ steps: [{ say: "No object today." }, { say: "No object today." }] }]);
    const failing = runtime.generateObject({ prompt: "go", schema: city, schemaRetries: 0 });
    await expect(failing).rejects.toBeInstanceOf(StructuredOutputError);
    await expect(failing).rejects.toMatchObject({ text: "No object today." });
  });

  behaviour("can end a run with tools, and the session's next run has it in its history", async (start) => {
    const { runtime, host } = await start([
      { prompt: "Look", steps: [{ calls: [call("look", "a")] }, { object: { name: "Bern", population: 4 } }] },
      { prompt: "Again", steps: [{ object: { name: "Bonn", population: 6 } }] },
    ]);
    const session = await runtime.openSession({ tools: [echo("look")], stepBudget: 5, schema: city });
    const first = await (await session.send("Look")).result;
    expect(first).toMatchObject({ stopReason: "natural", object: { name: "Bern", population: 4 }, toolCalls: 1 });
    const second = await (await session.send("Again")).result;
    expect(second).toMatchObject({ object: { name: "Bonn", population: 6 } });
    expect(JSON.stringify(host.sent().at(-1)?.messages)).toContain("Bern");
  });

  behaviour("that does not fit is requested again in a run with tools too", async (start) => {
    const { runtime } = await start([
      { steps: [{ calls: [call("look", "a")] }, { object: { name: "Bern", population: 3 } }] },
      { prompt: "does not fit", steps: [{ object: { name: "Bern", population: 4 } }] },
    ]);
    const session = await runtime.openSession({ tools: [echo("look")], stepBudget: 5, schema: city });
    const run = await session.send("go");
    expect(await run.result).toMatchObject({ object: { name: "Bern", population: 4 } });
    const texts = session.history().map(({ role, content }) => `${role}: ${JSON.stringify(content)}`);
    expect(texts.slice(-3)).toEqual([
      expect.stringMatching(/^assistant: .*\b3\b/),
      expect.stringMatching(/^user: .*does not fit/),
      expect.stringMatching(/^assistant: .*\b4\b/),
    ]);
  });

  behaviour("is parsed in the result of a run and of a session, and logged as the model sent it", async (start) => {
    const { runtime } = await start([{ steps: [{ object: { day: "2026-01-02" } }] }]);
    const schema = z.object({ day: z.iso.date().transform((day) => new Date(day)), note: z.string().default("none") });
    const run = runtime.runAgentLoop({ prompt: "go", tools: [], stepBudget: 5, schema });
    const day = new Date("2026-01-02");
    expect((await run.result).object).toEqual({ day, note: "none" });
    const logged = ofType(await collect(run), "run.finished")[0]?.result.object;
    expect(logged).toEqual({ day: "2026-01-02" });
    const session = await runtime.openSession({ tools: [], stepBudget: 5, schema });
    const { object } = await (await session.send("go")).result;
    expect(object?.day.getTime()).toBe(day.getTime());
  });

  behaviour("can be requested with tools, a budget and rules", async (start) => {
    const { runtime } = await start([
      { steps: [{ calls: [call("look", "a"), call("hide", "b")] }, { object: { name: "Bern", population: 4 } }] },
    ]);
    const seen: unknown[] = [];
    const steps: number[] = [];
    const policy: Policy = {
      id: "no-hiding",
      evaluate: ({ tool }) => ({ decision: tool === "hide" ? "deny" : "allow", rule: "no-hiding" }),
    };
    const onStep = ({ index }: { index: number }) => steps.push(index);
    const tools = [echo("look", seen), echo("hide", seen)];
    const { object } = await runtime.generateObject({ prompt: "go", schema: city, tools, policy, onStep });
    expect(object).toEqual({ name: "Bern", population: 4 });
    expect(seen).toEqual([{ value: "a" }]);
    expect(steps).toEqual([1, 2]);
    const failing = runtime.generateText({ prompt: "go", tools: [echo("look")], stepBudget: 1 });
    await expect(failing).rejects.toMatchObject({
      code: "budget_exceeded",
      usage: { outputTokens: expect.any(Number) },
    });
  });

  behaviour("can have a JSON Schema, which is validated too", async (start) => {
    const { runtime } = await start([{ steps: [{ object: { tags: ["a"] } }] }]);
    const schema = {
      type: "object",
      properties: { tags: { type: "array", items: { type: "string" } } },
      required: ["tags"],
    };
    expect((await runtime.generateObject({ prompt: "go", schema })).object).toEqual({ tags: ["a"] });
  });

  behaviour("must have a schema of type object: others are refused before anything is sent", async (start) => {
    const { runtime, host } = await start([{ steps: [{ object: {} }] }]);
    await expect(runtime.generateObject({ prompt: "go", schema: z.string() })).rejects.toThrow(
      /must have type "object"/,
    );
    await expect(runtime.generateObject({ prompt: "go", schema: { type: "array" } })).rejects.toThrow(
      /must have type "object"/,
    );
    expect(host.sent()).toEqual([]);
  });
}
