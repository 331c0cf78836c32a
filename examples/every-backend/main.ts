/**
 * A text, an object, tools that run at the same time, and a stream. Whatever backend bridle.yaml names, the kinds of
 * events are the same, in the same order.
 */
import { createRuntime, defineTool, type RunEvent } from "bridle";
import { z } from "zod";

const stockOf = defineTool({
  name: "stock_of",
  description: "How many of a product are in the shop.",
  input: z.object({ product: z.string() }),
  annotations: { readOnly: true }, // so that several calls run at the same time
  execute: async ({ product }) => `${product}: 4`,
});

let events: RunEvent[] = [];

/** Leaves out notices and repeated pieces of text, because their number depends on the host. */
function onEvent(event: RunEvent): void {
  const isAnotherPiece = event.type === "text.delta" && events.at(-1)?.type === event.type;
  if (event.type !== "notice" && !isAnotherPiece) events.push(event);
}

/** Groups the events by call, because events of concurrent calls may arrive in any order. */
function show(title: string): void {
  const byCall = Map.groupBy(events, (event) => ("callId" in event ? event.callId : event));
  const kinds = [...byCall.values()].flat().map(({ type }) => type);
  console.log(`${title}: ${kinds.join(" ")}`);
  events = [];
}

const [rehearse] = process.argv.slice(2); // a script that replaces the model
const runtime = await createRuntime({ onEvent, ...(rehearse !== undefined && { rehearse }) });
try {
  await runtime.generateText({ prompt: "Say hello." });
  show("text");

  const schema = z.object({ product: z.string(), count: z.number() });
  await runtime.generateObject({ prompt: "Make an object of: two lamps.", schema });
  show("object");

  const question = "How many lamps and how many desks are there? Ask for both at once.";
  await runtime.runAgentLoop({ prompt: question, tools: [stockOf], stepBudget: 3 }).result;
  show("loop");

  let text = "";
  const run = runtime.runAgentLoop({ prompt: "Count to three.", tools: [], stepBudget: 1 });
  for await (const event of run) if (event.type === "text.delta") text += event.text;
  show(`stream (${text})`);
} finally {
  await runtime.close();
}
