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

/** Three calls of a tool that takes a second, asked for in one response, on the real Claude Code. */
export async function benchParallelTools(rounds: number, folder: string): Promise<void> {
  const rehearse = join(folder, "three-calls.yaml");
  writeFileSync(rehearse, script);
  const runtime = await createRuntime({ rehearse, projectDir: folder });

  async function toolTime(readOnly: boolean): Promise<number> {
    const tools = [waitTool(readOnly)];
    const run = runtime.runAgentLoop({ prompt: "wait", tools, stepBudget: 3 });
    const times: number[] = [];
    for await (const { type, time } of run) if (type === "tool.started" || type === "tool.finished") times.push(time);
    const { toolCalls, toolFailures } = await run.result;
    if (toolCalls !== 3 || toolFailures !== 0) throw new Error(`${toolCalls} calls, ${toolFailures} failures`);
    return Math.max(...times) - Math.min(...times);
  }

  const series = await measureInTurns(rounds, {
    "without a promise, one by one": () => toolTime(false),
    "readOnly, at the same time": () => toolTime(true),
  });
  await runtime.close();
  printTable("Three 1-second tools in one step, first start to last end", series);
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
