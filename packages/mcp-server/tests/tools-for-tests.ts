import { defineTool, type ToolContext } from "@bridle/protocol";
import { z } from "zod";

const reading = { annotations: { readOnly: true } };

export const add = defineTool({
  ...reading,
  name: "add",
  description: "Adds two numbers.",
  input: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => ({ markdown: `The sum is ${a + b}.`, structured: { sum: a + b } }),
});

export const remove = defineTool({
  name: "remove_table",
  description: "Removes a table.",
  input: z.object({ table: z.string() }),
  execute: async ({ table }) => `${table} is gone.`,
});

export const echo = defineTool({
  ...reading,
  name: "echo",
  description: "Returns its input as JSON.",
  input: z.looseObject({}),
  execute: async (input) => JSON.stringify(input),
});

/** Creates a tool that waits until the test lets it continue, or until its signal is aborted. */
export function createWaitingTool(name = "wait") {
  const started = Promise.withResolvers<ToolContext>();
  const aborted = Promise.withResolvers<unknown>();
  const released = Promise.withResolvers<string>();
  const tool = defineTool({
    ...reading,
    name,
    description: "Waits.",
    input: z.object({}),
    execute(_input, context) {
      started.resolve(context);
      context.signal.addEventListener("abort", () => aborted.resolve(context.signal.reason), { once: true });
      return released.promise;
    },
  });
  return {
    tool,
    started: started.promise,
    aborted: aborted.promise,
    release: (text: string) => released.resolve(text),
  };
}
