import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createRuntime, defineTool } from "bridle";
import { z } from "zod";
import { measureInTurns } from "./statistics.ts";
import { printTable } from "./table.ts";

const script = `rehearsal: 1
turns:
  - steps:
      - calls: [{ call: wait, with: { n: 1 } }, { call: wait, with: { n: 2 } }, { call: wait, with: { n: 3 } }]
      - say: Done.
`;

const models: Readonly<Record<string, string>> = { openai: "gpt-6-sol", "openai-compatible": "llama3.3" };
const backends = ["claude-code", "anthropic", "vertex", "bedrock", "gateway", "openai", "openai-compatible"] as const;

/** Measures three calls to a tool that takes a second, requested in one response, on every backend with a rehearsed model. */
export async function benchParallelTools(rounds: number, folder: string): Promise<void> {
  const rehearse = join(folder, "three-calls.yaml");
  writeFileSync(rehearse, script);

  async function toolTime(backend: (typeof backends)[number], readOnly: boolean): Promise<number> {
    const runtime = await createRuntime({ rehearse, projectDir: folder, backend, model: models[backend] ?? "sonnet" });
    const run = runtime.runAgentLoop({ prompt: "wait", tools: [waitTool(readOnly)], stepBudget: 3 });
    const times: number[] = [];
    for await (const { type, time } of run) if (type === "tool.started" || type === "tool.finished") times.push(time);
    const { toolCalls, toolFailures } = await run.result;
    await runtime.close();
    if (toolCalls !== 3 || toolFailures !== 0) throw new Error(`${toolCalls} calls, ${toolFailures} failures`);
    return Math.max(...times) - Math.min(...times);
  }

  const series = await measureInTurns(rounds, {
    "claude-code, not readOnly, one by one": () => toolTime("claude-code", false),
    ...Object.fromEntries(backends.map((name) => [`${name}, readOnly`, () => toolTime(name, true)])),
  });
  printTable("Three 1-second tools in one step, first start to last end", series, {
    target: "readOnly at most 1100 ms",
  });
}

function waitTool(readOnly: boolean) {
  return defineTool({
    name: "wait",
    description: "Waits a second.",
    input: z.object({ n: z.number() }),
    annotations: { readOnly },
    async execute({ n }, { signal }) {
      await sleep(1000, undefined, { signal });
      return `${n} is done`;
    },
  });
}
