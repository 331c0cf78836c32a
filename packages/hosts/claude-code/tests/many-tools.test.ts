/** Tests tools whose definitions are too long for a command line: the system refuses an argument of 128 kB or more. */
import { defineTool } from "@bridle/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import { startScript } from "./support/runs.ts";

test.each([1, 100, 3_000])("a run with %i tools starts, and the model can call the last one", async (count) => {
  const called: string[] = [];
  const tools = Array.from({ length: count }, (_, index) =>
    defineTool({
      name: `look_up_something_rather_specific_${index}`,
      description: "Looks.",
      input: z.object({}),
      execute: async (_input, { callId }) => {
        called.push(callId);
        return "seen";
      },
    }),
  );
  const last = tools.at(-1)?.name ?? "";
  const { runtime } = await startScript([{ call: last }, { say: "Done." }]);
  const { result } = runtime.runAgentLoop({ prompt: "Go", tools, stepBudget: 3 });
  expect(await result).toMatchObject({ stopReason: "natural", text: "Done.", toolFailures: 0 });
  expect(called).toHaveLength(1);
});

function objectOf(count: number) {
  const names = Array.from({ length: count }, (_, index) => `a_field_with_a_rather_long_name_and_the_number_${index}`);
  const schema = z.object(Object.fromEntries(names.map((name) => [name, z.number().describe("A number.")])));
  return { schema, object: Object.fromEntries(names.map((name) => [name, 1])) };
}

test.each([10, 700])("a run whose object has %i fields starts and ends with the object", async (count) => {
  const { schema, object } = objectOf(count);
  const { runtime } = await startScript([{ object }]);
  expect((await runtime.generateObject({ prompt: "Go", schema })).object).toEqual(object);
});

test.each([2_000, 20_000])("a schema of an object with %i fields is refused with its size", async (count) => {
  const { schema } = objectOf(count);
  const { runtime, rehearsal } = await startScript([{ say: "Done." }]);
  await expect(runtime.generateObject({ prompt: "Go", schema })).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringMatching(/^The schema of the object has \d+ bytes as JSON, but Claude Code .* holds \d+\./),
  });
  expect(rehearsal.requests).toEqual([]);
});

test.each([1_000, 1_000_000])("a system prompt of %i characters reaches the model", async (length) => {
  const { runtime } = await startScript([{ say: "Done." }]);
  expect(await runtime.generateText({ prompt: "Go", system: "x".repeat(length) })).toMatchObject({ text: "Done." });
});
