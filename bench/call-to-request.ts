import { loadAiSdk, loadClaudeCodeProvider, loadRawQuery } from "./peers.ts";
import { claudeCode, createStage } from "./stage.ts";
import { measureInTurns } from "./statistics.ts";
import { printTable } from "./table.ts";

const asked = { system: "Be brief.", prompt: "hello" };

/** Measures the time from a call, in a program that has made calls before, to the call's first request on a loopback server. */
export async function benchCallToRequest(rounds: number, folder: string): Promise<void> {
  const stage = await createStage(folder);
  const { place, untilRequest } = stage;
  const raw = await loadRawQuery(place);
  const provider = await loadClaudeCodeProvider(place);
  const cold = await stage.createRuntime("cold", claudeCode(stage, ", pool: false"));
  const warm = await stage.createRuntime("warm", claudeCode(stage));
  const hosts = await measureInTurns(rounds, {
    "raw query()": () => untilRequest(() => raw(asked.prompt)),
    "ai-sdk-provider-claude-code": () => untilRequest(() => provider(asked.prompt)),
    "Bridle on claude-code, pool off": () => untilRequest(() => cold.generateText(asked)),
    "Bridle on claude-code": () => untilRequest(() => warm.generateText(asked)),
  });
  printTable("Call to first request, Claude Code", hosts, { target: "ratio at most 0.2" });

  const api = { apiKey: "bench", baseURL: `${stage.rehearsal.url}/v1`, model: "claude-sonnet-5-5" };
  const sdk = await loadAiSdk(api);
  const settings = `{ backend: anthropic, apiKey: bench, baseUrl: "${api.baseURL}" }`;
  const bridle = await stage.createRuntime("api", settings, api.model);
  const apis = await measureInTurns(rounds * 5, {
    "AI SDK, streamText": () => untilRequest(() => sdk(asked.prompt)),
    "Bridle on anthropic": () => untilRequest(() => bridle.generateText(asked)),
  });
  printTable("Call to first request, model API", apis, { target: "at most 3 ms more" });
  await stage.close();
}
