import { createAgentRuntime } from "@bridle/core";
import type { Backend, BackendEvent, TurnContext } from "@bridle/protocol";
import { measureInTurns } from "./statistics.ts";
import { printTable } from "./table.ts";

const events = 20_000;
const delta: BackendEvent = { type: "text.delta", text: "word " };
const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** The work of the engine for each event (checks, event log, observers, consumers), compared with a bare loop. */
export async function benchEngine(rounds: number): Promise<void> {
  const runtime = createAgentRuntime({ backend: createTalkingBackend(), models: { default: "m" } });
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

/** A backend in memory that streams one word after another. */
function createTalkingBackend(): Backend {
  return {
    id: "talking",
    account: "talking",
    features: {
      structuredOutput: false,
      history: false,
      parts: ["text"],
      maxOutputTokens: false,
      sampling: false,
      costBudget: false,
      builtins: {},
      promptCaching: [],
      maxResultChars: Number.POSITIVE_INFINITY,
      degraded: [],
    },
    open: async () => ({
      promptContext: { implicitSources: [], hostAdds: [] },
      turn: async (_input, host) => talk(host),
      close: async () => {},
    }),
    checkAuth: async () => ({ ok: true, mode: "none", detail: "in memory" }),
    close: async () => {},
  };
}

function talk(host: TurnContext): { reason: "natural" } {
  host.emit({ type: "step.started" });
  for (let index = 0; index < events; index += 1) host.emit(delta);
  host.emit({ type: "step.finished", usage });
  return { reason: "natural" };
}
