import { type Ask, loadClaudeCodeProvider, loadRawQuery } from "./peers.ts";
import { claudeCode, createStage } from "./stage.ts";
import { measureInTurns } from "./statistics.ts";
import { printTable } from "./table.ts";

const concurrencies = [8, 16] as const;
const callsPerRound = 48;

/** Measures the calls per second with concurrent calls. */
export async function benchThroughput(rounds: number, folder: string): Promise<void> {
  const stage = await createStage(folder);
  const raw = await loadRawQuery(stage.place);
  const provider = await loadClaudeCodeProvider(stage.place);
  const runtime = await stage.createRuntime("warm", claudeCode(stage));
  const bridle: Ask = async (prompt) => (await runtime.generateText({ system: "Be brief.", prompt })).text;
  for (const concurrency of concurrencies) {
    const series = await measureInTurns(rounds, {
      "raw query()": () => callsPerSecond(raw, concurrency),
      "ai-sdk-provider-claude-code": () => callsPerSecond(provider, concurrency),
      "Bridle on claude-code, after a pause": () => callsPerSecond(bridle, concurrency), // by now, the pool keeps only one process
      "Bridle on claude-code, then": () => callsPerSecond(bridle, concurrency),
    });
    const title = `Calls per second at concurrency ${concurrency}, ${callsPerRound} calls a round`;
    printTable(title, series, { unit: "/s", target: "ratio at least 7.7" });
  }
  await stage.close();
}

async function callsPerSecond(ask: Ask, concurrency: number): Promise<number> {
  const startedAt = performance.now();
  let next = 0;
  async function work(): Promise<void> {
    while (next < callsPerRound) {
      next += 1;
      const text = await ask(`hello ${next}`);
      if (text !== "Hello.") throw new Error(`The answer was "${text}".`);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work));
  return (callsPerRound * 1000) / (performance.now() - startedAt);
}
