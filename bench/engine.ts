import { createAgentRuntime } from "@bridle/core";
import type { BackendEvent } from "@bridle/protocol";
import { measureInTurns } from "./statistics.ts";
import { printTable } from "./table.ts";
import { createTalkingBackend } from "./talking-backend.ts";

const events = 20_000;
const piece = "word ";
const delta: BackendEvent = { type: "text.delta", text: piece };

/** Measures the engine's work for each event (checks, event log, observers, consumers), compared with a bare loop. */
export async function benchEngine(rounds: number): Promise<void> {
  const runtime = createAgentRuntime({
    backend: createTalkingBackend(Array.from({ length: events }, () => piece)),
    models: { default: "m" },
  });
  const series = await measureInTurns(rounds, {
    "bare async generator": () => perEvent(bareEvents()),
    "run engine, one consumer": () => perEvent(runtime.runAgentLoop({ prompt: "talk", tools: [], stepBudget: 1 })),
  });
  await runtime.close();
  printTable(`Cost of one event, of ${events.toLocaleString("en")} in a run`, series, { unit: "µs" });
}

async function perEvent(stream: AsyncIterable<unknown>): Promise<number> {
  const started = performance.now();
  let seen = 0;
  for await (const _event of stream) seen += 1;
  return ((performance.now() - started) * 1000) / seen;
}

async function* bareEvents() {
  for (let index = 0; index < events; index += 1) yield delta;
}
