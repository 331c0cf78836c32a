/** Adds a rule for tools: every call has to pass it, and the model gets the reason if a call does not. */
import { createRuntime, defineTool, type Policy } from "bridle";
import { z } from "zod";

const refundOrder = defineTool({
  name: "refund_order",
  description: "Pay an order back, in whole euros.",
  input: z.object({ id: z.string(), euros: z.number() }),
  annotations: { destructive: true },
  execute: async ({ id, euros }) => `${euros} euros were paid back for ${id}.`,
});
const smallAmount = z.looseObject({ euros: z.number().max(50) });

const policy: Policy = {
  id: "refunds-up-to-50",
  evaluate({ tool, input }) {
    if (tool !== "refund_order" || smallAmount.safeParse(input).success) return { decision: "allow", rule: "small" };
    return { decision: "deny", rule: "large-refund", reason: "Refunds over 50 euros need a person." };
  },
};

const runtime = await createRuntime({ policy });
const run = runtime.runAgentLoop({ prompt: "Refund order A-1001, all 80 euros.", tools: [refundOrder], stepBudget: 5 });
for await (const event of run) {
  if (event.type === "tool.denied") console.log(`denied: ${event.output}`);
}
const { text, error } = await run.result;
console.log(text);
await runtime.close();
if (error) throw error;
