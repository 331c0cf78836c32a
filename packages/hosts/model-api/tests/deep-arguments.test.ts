/** Tests call arguments that are nested so deeply that a walk through them would overflow the stack. */
import { defineTool } from "@bridle/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import { modelApiIds } from "../src/settings/options.ts";
import { ofType, startScript } from "./test-runtime.ts";

const received: unknown[] = [];
const keep = defineTool({
  name: "keep",
  description: "Keeps a tree.",
  input: z.object({ tree: z.array(z.unknown()) }),
  annotations: { readOnly: true },
  execute: async ({ tree }) => {
    received.push(tree);
    return "kept";
  },
});

const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const forms: Readonly<Record<string, { write: (tree: string) => string; reason: string }>> = {
  "as they are": { write: (tree) => `{"tree":${tree}}`, reason: "more than 256 levels" },
  "inside a text": { write: (tree) => JSON.stringify({ tree }), reason: "tree: " },
};
const cases = modelApiIds.flatMap((id) => Object.keys(forms).map((form) => ({ id, form })));

test.each(cases)("$id: arguments of 100,000 levels $form are denied, and the run continues", async ({ id, form }) => {
  received.length = 0;
  const call = (levels: number) => ({ call: "keep", with_text: forms[form]?.write(deep(levels)) ?? "" });
  const script = { rehearsal: 1 as const, turns: [{ steps: [call(100_000), call(3), { say: "Done." }] }] };
  const { runtime, events } = await startScript(id, script);
  const { result } = runtime.runAgentLoop({ prompt: "loop", tools: [keep], stepBudget: 4 });
  expect(await result).toMatchObject({ stopReason: "natural", text: "Done.", toolFailures: 1 });
  expect(ofType(events, "tool.denied")).toMatchObject([{ output: expect.stringContaining(forms[form]?.reason ?? "") }]);
  expect(received).toEqual([[[[]]]]);
});
