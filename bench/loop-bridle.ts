/** Bridle's agent loop on one host, with the event log in memory or on disk. The redactor is always on. */
import type { AgentRuntime } from "bridle";
import { createRuntime, defineTool } from "bridle";
import { z } from "zod";
import type { LoopSetting } from "./measured-loop.ts";

const look = defineTool({
  name: "look",
  description: "Looks.",
  input: z.object({ at: z.number() }),
  annotations: { readOnly: true },
  execute: async () => "seen",
});

export async function start({ projectDir, eventLog, place }: LoopSetting) {
  const { environment } = place;
  const runtime: AgentRuntime = await createRuntime({ projectDir, environment, ...(eventLog && { eventLog }) });
  const ask = async (prompt: string) => {
    const run = runtime.runAgentLoop({ system: "Be brief.", prompt, tools: [look], stepBudget: 9 });
    for await (const _ of run); // reads the stream, as programs do
    const { text, error } = await run.result;
    if (error) throw error;
    return text;
  };
  return Object.assign(ask, { close: () => runtime.close() });
}
