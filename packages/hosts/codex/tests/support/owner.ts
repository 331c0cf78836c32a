/** A program that makes Codex wait for a silent model. It prints a line when Codex has sent a request. Tests then kill it. */
import { createAgentRuntime } from "@bridle/core";
import { startCodex } from "./test-backend.ts";

const { backend } = await startCodex({
  rehearsal: 1,
  turns: [{ steps: [{ say: "One", stall: true, forever: true }] }],
});
const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
for await (const { type } of runtime.runAgentLoop({ prompt: "go", tools: [], stepBudget: 1 })) {
  if (type === "text.delta") console.log(type);
}
