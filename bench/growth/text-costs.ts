/** Measures the costs of long texts: streamed answers, tool results and test expressions. */
import { createMemoryBackend } from "@bridle/conformance";
import { createAgentRuntime, createRedactor } from "@bridle/core";
import { type AnyTool, type Backend, defineTool } from "@bridle/protocol";
import { openStore } from "@bridle/store-sqlite";
import { z } from "zod";
import { regex } from "../../packages/metrics/src/text/regex.ts";
import { createTalkingBackend } from "../talking-backend.ts";
import { cpuOf, type Growth } from "./cost.ts";

const redactor = createRedactor({ secrets: ["tulip-meadow-9931"] });

/** Long strings without a space, in pieces of the size that models send. */
const streams: Readonly<Record<string, string>> = {
  "English prose": "the quick brown fox jumps over the lazy dog and rests for 12 minutes then ",
  Chinese: "快速的棕色狐狸跳过了懒狗然后休息了十二分钟",
  "compact JSON": '{"id":12,"name":"a\\nname","path":"a/b/c","at":"2026-01-31T12:00:00Z"},',
  base64: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk",
};

/** Lists the costs. `place` returns the folder with a name. */
export function textGrowths(place: (name: string) => string): readonly Growth[] {
  const streamed = Object.entries(streams).map(
    ([name, text]): Growth => ({
      name: `streamed pieces, ${name}`,
      unit: "ms",
      sizes: [2000, 20_000, 200_000],
      cost: (size) => costOfLoop(place(`streamed-${name}-${size}`), createTalkingBackend(piecesOf(text, size))),
    }),
  );
  return [
    ...streamed,
    {
      name: "the result of a tool, in kB",
      unit: "ms",
      sizes: [500, 5000, 50_000],
      cost: (size) => costOfResult(place(`result-${size}`), size),
    },
    {
      name: "answers against an expression",
      unit: "ms",
      sizes: [1000, 10_000, 100_000],
      cost: (size) => cpuOf(async () => matchAnswers(size)),
    },
  ];
}

/** Runs with everything that users have: a redactor, and the event log on disk. */
function costOfLoop(folder: string, backend: Backend, tools: AnyTool[] = []): Promise<number> {
  const store = openStore({ folder, redactor });
  const runtime = createAgentRuntime({ backend, models: { default: "m" }, eventLog: store });
  return cpuOf(async () => {
    const run = runtime.runAgentLoop({ prompt: "Go", tools, stepBudget: 3 });
    for await (const _ of run); // reads the stream, as programs do
    const { stopReason } = await run.result;
    if (stopReason !== "natural") throw new Error(`The run ended with ${stopReason}.`);
    await runtime.close();
    await store.close();
  });
}

/** Repeats a string, and splits the result into pieces of four characters. */
function piecesOf(text: string, count: number): string[] {
  const twice = text + text;
  return Array.from({ length: count }, (_, index) => {
    const at = (index * 4) % text.length;
    return twice.slice(at, at + 4);
  });
}

async function costOfResult(folder: string, kilobytes: number): Promise<number> {
  const row = "The quick brown fox jumps over the lazy dog, and then it rests for 12 minutes.\n";
  const text = row.repeat(Math.ceil((kilobytes * 1000) / row.length));
  const backend = createMemoryBackend([{ steps: [{ calls: [{ tool: "read", input: {} }] }, { say: "Done." }] }]);
  const read = defineTool({ name: "read", description: "Reads.", input: z.object({}), execute: async () => text });
  return costOfLoop(folder, backend, [read]);
}

function matchAnswers(count: number): void {
  for (let index = 0; index < count; index += 1) {
    const { score } = regex(`The order ${index} is shipped.`, "order \\d+ is (?:shipped|sent)");
    if (score !== 1) throw new Error("The expression did not match.");
  }
}
