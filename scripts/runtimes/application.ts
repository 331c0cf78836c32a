/** The application that `npm run runtimes` starts on every runtime. The argument selects a part. Prints the outcome. */
import { type CreateRuntimeOptions, createRuntime, defineTool } from "bridle";
import { loadAgent, openAgent } from "bridle/agent";
import { runTests } from "bridle/testing";
import { z } from "zod";

const lookupOrder = defineTool({
  name: "lookup_order",
  description: "Find one order by its number.",
  input: z.object({ id: z.string() }),
  execute: async ({ id }) => `${id} has shipped.`,
});
const script: CreateRuntimeOptions["rehearse"] = {
  rehearsal: 1,
  turns: [
    { when: { user: "object" }, steps: [{ object: { answer: 42 } }] },
    { steps: [{ call: "lookup_order", with: { id: "A-1001" } }, { say: "{{ lookup_order.result }}" }] },
  ],
};

/** Makes a tool call and creates a typed object in a rehearsed run. */
async function run(backend: "claude-code" | "anthropic"): Promise<string> {
  const runtime = await createRuntime({ backend, rehearse: script });
  const { text, error } = await runtime.runAgentLoop({ prompt: "Where is A-1001?", tools: [lookupOrder] }).result;
  if (error) throw error;
  const { object } = await runtime.generateObject({ prompt: "object", schema: z.object({ answer: z.number() }) });
  await runtime.close();
  return `${text} ${object.answer}`;
}

/** Opens two runtimes. The second one continues the first one's session. */
async function log(): Promise<string> {
  const rehearse: CreateRuntimeOptions["rehearse"] = { rehearsal: 1, turns: [{ steps: [{ say: "Hello." }] }] };
  const texts: string[] = [];
  for (const _ of ["first", "second"]) {
    const runtime = await createRuntime({ rehearse, eventLog: "project" });
    const session = await runtime.openSession({ id: "order", tools: [] });
    texts.push((await (await session.send("Hello.")).result).text);
    texts.push(String((await session.history()).length));
    await runtime.close();
  }
  return texts.join(" ");
}

/** Loads an agent from a file, with a function tool in TypeScript, and runs its test cases. */
async function agent(): Promise<string> {
  const definition = await loadAgent("desk/agent.yaml", { environment: process.env });
  const desk = await openAgent(definition, { rehearse: "desk/rehearsal.yaml" });
  const { text } = await desk.run("Where is order A-1001?").result;
  await desk.close();
  const { summary } = await runTests(definition, { rehearse: "desk/rehearsal.yaml" });
  return `${text} ${summary.passed} of ${summary.cases}`;
}

const what = process.argv[2];
console.log(
  what === "log" ? await log() : what === "agent" ? await agent() : await run(what as "claude-code" | "anthropic"),
);
