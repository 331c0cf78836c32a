/** An agent with one tool over a database. Its text is streamed, and its tool calls are shown. */
import { createRuntime } from "bridle";
import tools from "./tools.ts";

const runtime = await createRuntime();
const run = runtime.runAgentLoop({
  system: "You are the order desk of a small shop. Be brief.",
  prompt: process.argv[2] ?? "Where is order A-1001?",
  tools,
  stepBudget: 5,
});

for await (const event of run) {
  if (event.type === "text.delta") process.stdout.write(event.text);
  if (event.type === "tool.requested") console.error(`-> ${event.tool} ${JSON.stringify(event.input)}`);
}
const { stopReason, steps, error } = await run.result;
console.error(`\n${stopReason} after ${steps} steps${error ? `: ${error.message}` : ""}`);
await runtime.close();
process.exitCode = error ? 1 : 0;
