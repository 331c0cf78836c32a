import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseScript, startRehearsal } from "@bridle/rehearsal";
import { loadAgent } from "bridle/agent";
import { runTests } from "bridle/testing";
import { measureInTurns } from "./statistics.ts";
import { printTable } from "./table.ts";

const cases = 40;

/** The backend's `llm.provider` without the address, the path of the address, and the model. */
const hosts = {
  anthropic: { provider: "backend: anthropic, apiKey: bench", path: "/v1", model: "claude-rehearsed" },
  "claude-code": { provider: "backend: claude-code, auth: api_key", path: "", model: "sonnet" },
} as const;

/**
 * Runs forty test cases of an agent, one at a time and eight at a time, with models of different speed. With Claude Code, the processor is
 * the limit: eight cases start eight processes, and each start takes half a second of CPU time.
 */
export async function benchTesting(rounds: number, folder: string): Promise<void> {
  await benchHost("anthropic", 100, { rounds, folder });
  await benchHost("claude-code", 100, { rounds, folder });
  await benchHost("claude-code", 2000, { rounds: Math.ceil(rounds / 3), folder });
}

interface BenchOptions {
  readonly rounds: number;
  readonly folder: string;
}

async function benchHost(host: keyof typeof hosts, answerMs: number, { rounds, folder }: BenchOptions): Promise<void> {
  const said = `{ say: It has shipped., delay_ms: ${answerMs}, forever: true }`;
  const script = parseScript(`rehearsal: 1\nturns: [{ steps: [${said}] }]`, "bench");
  const rehearsal = await startRehearsal({ script });
  const projectDir = createAgent(join(folder, `testing-${host}-${answerMs}`), host, rehearsal.url);
  const environment = { PATH: process.env.PATH ?? "", HOME: folder, ANTHROPIC_API_KEY: "bench", BRIDLE_TRUST: "all" };
  const definition = await loadAgent("agent.yaml", { cwd: projectDir, environment });

  async function time(parallel: number): Promise<number> {
    const startedAt = performance.now();
    const { summary } = await runTests(definition, { projectDir, parallel });
    if (summary.passed !== cases) throw new Error(`${summary.passed} of ${cases} cases passed.`);
    return performance.now() - startedAt;
  }

  const series = await measureInTurns(rounds, { "one at a time": () => time(1), "eight at a time": () => time(8) });
  printTable(`${cases} cases on ${host}, answers after ${answerMs} ms`, series, { target: "ratio at most 0.2" });
  await rehearsal.close();
}

function createAgent(folder: string, host: keyof typeof hosts, url: string): string {
  const { provider, path, model } = hosts[host];
  const evaluations = "[{ type: standard, metric: contains, value: shipped }]";
  const list = Array.from({ length: cases }, (_, index) => {
    const order = index + 1;
    return `  - { name: order ${order}, input: Where is order ${order}?, evaluations: ${evaluations} }\n`;
  });
  const files = {
    "bridle.yaml": `llm:\n  provider: { ${provider}, baseUrl: "${url}${path}" }\n  models: { default: ${model} }\n`,
    "agent.yaml": `name: desk\ninstructions: { inline: Be kind. }\ntest_cases:\n${list.join("")}`,
  };
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}
