import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseScript, startRehearsal } from "@bridle/rehearsal";
import { runNode } from "./run-process.ts";
import { measureInTurns } from "./statistics.ts";
import { printTable } from "./table.ts";

const script = parseScript("rehearsal: 1\nturns: [{ steps: [{ say: Hello. }] }]", "bench");
const rawQuery = new URL("peers/raw-query.js", import.meta.url).pathname;

/** Measures the time from the start of a process to its first model request, which a loopback server receives. */
export async function benchFirstRequest(rounds: number, command: string, folder: string): Promise<void> {
  const rehearsal = await startRehearsal({ script });
  const env = environmentIn(folder, rehearsal.url);
  writeProject(folder, rehearsal.url);

  async function untilRequest(args: readonly string[]): Promise<number> {
    const [request, { startedAt }] = await Promise.all([
      rehearsal.nextRequest(({ method, path }) => method === "POST" && path === "/v1/messages"),
      runNode(args, { cwd: folder, env }),
    ]);
    return request.at - startedAt;
  }

  const series = await measureInTurns(rounds, {
    "raw query()": () => untilRequest([rawQuery]),
    "bridle run": () => untilRequest([command, "run", "--system", "Be brief.", "hello"]),
  });
  await rehearsal.close();
  printTable("Whole process to its first model request", series, { target: "ratio at most 1.2" });
}

function environmentIn(folder: string, url: string): Record<string, string> {
  const configDir = join(folder, "claude");
  mkdirSync(configDir, { recursive: true });
  return {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    CLAUDE_CONFIG_DIR: configDir,
    BRIDLE_TRUST: "all", // requests go to the rehearsal because of the file below, which must be trusted
    ANTHROPIC_API_KEY: "bench",
    ANTHROPIC_BASE_URL: url,
  };
}

function writeProject(folder: string, url: string): void {
  const provider = `{ backend: claude-code, auth: api_key, baseUrl: "${url}" }`;
  writeFileSync(join(folder, "bridle.yaml"), `llm:\n  provider: ${provider}\n  models: { default: sonnet }\n`);
}
