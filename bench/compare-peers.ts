/** Compares Bridle with other agent libraries: the same loop of six steps, with each library in a separate process. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { parseScript, type Rehearsal, startRehearsal } from "@bridle/rehearsal";
import type { LoopFigures, LoopSetting } from "./measured-loop.ts";
import type { PeerPlace } from "./peers.ts";
import { median } from "./statistics.ts";

interface Contestant {
  readonly name: string;
  readonly setting: Omit<LoopSetting, "url" | "place" | "alone" | "together">;
  /** The contestant's npm packages, to measure the size of an installation. */
  readonly packages: readonly string[];
  /** Set if each loop starts processes, so that fewer loops are measured. */
  readonly isHost?: true;
}

const peers = new URL("peers/", import.meta.url);
const program = new URL("measured-loop.ts", import.meta.url).pathname;
const steps = `${"{ call: look, with: { at: 1 } }, ".repeat(5)}{ say: Done. }`;
const script = parseScript(`rehearsal: 1\nturns: [{ steps: [${steps}] }]`, "bench");
const run = promisify(execFile);

/** Prints one table. The first row is the AI SDK, and ratios are relative to it. */
export async function benchPeers(rounds: number, folder: string): Promise<void> {
  const rehearsal = await startRehearsal({ script });
  const place = createPlace(folder, rehearsal);
  const contestants = [...otherLibraries(), ...bridles(folder, rehearsal)];
  const figures = new Map<string, LoopFigures[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const each of contestants) {
      const size = each.isHost ? { alone: 4, together: 48 } : { alone: 20, together: 96 };
      const setting: LoopSetting = { ...each.setting, ...size, url: rehearsal.url, place };
      figures.get(each.name)?.push(await measureOnce(setting, place));
    }
  }
  await rehearsal.close();
  const sizes = await Promise.all(contestants.map(({ packages }) => installedSize(packages)));
  print(contestants.map(({ name }, index) => [name, figures.get(name) ?? [], sizes[index] ?? 0]));
}

async function measureOnce(setting: LoopSetting, { cwd, environment }: PeerPlace): Promise<LoopFigures> {
  const { stdout } = await run(process.execPath, [program, JSON.stringify(setting)], { cwd, env: { ...environment } });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}

function otherLibraries(): Contestant[] {
  const of = (name: string, file: string, packages: readonly string[]): Contestant => ({
    name,
    packages,
    setting: { file: new URL(file, peers).href },
  });
  return [
    of("AI SDK", "loop-ai-sdk.js", ["ai", "@ai-sdk/anthropic", "zod"]),
    of("OpenAI Agents", "loop-openai-agents.js", ["@openai/agents", "zod"]),
    of("Mastra", "loop-mastra.js", ["@mastra/core", "zod"]),
    of("LangGraph", "loop-langgraph.js", ["@langchain/langgraph", "@langchain/anthropic", "@langchain/core", "zod"]),
    { ...of("raw Agent SDK", "loop-agent-sdk.js", ["@anthropic-ai/claude-agent-sdk", "zod"]), isHost: true },
  ];
}

/** Lists Bridle on every host, each with the event log in memory and on disk. */
function bridles(folder: string, { url }: Rehearsal): Contestant[] {
  const hosts = {
    anthropic: [`{ backend: anthropic, apiKey: bench, baseUrl: "${url}/v1" }`, "claude-sonnet-5-5"],
    openai: [`{ backend: openai, apiKey: bench, baseUrl: "${url}/v1" }`, "gpt-6-sol"],
    "openai-compatible": [`{ backend: openai-compatible, baseUrl: "${url}/v1" }`, "llama-of-rehearsal"],
    gateway: [`{ backend: gateway, apiKey: bench, baseUrl: "${url}" }`, "sonnet"],
    vertex: [`{ backend: vertex, project: bench, location: global, accessToken: bench, baseUrl: "${url}" }`, "sonnet"],
    bedrock: [
      `{ backend: bedrock, region: us-east-1, accessKeyId: bench, secretAccessKey: bench, baseUrl: "${url}" }`,
      "sonnet",
    ],
    "claude-code": [`{ backend: claude-code, auth: api_key, baseUrl: "${url}", pool: { maxProcesses: 16 } }`, "sonnet"],
  } as const;
  return Object.entries(hosts).flatMap(([host, [provider, model]]) =>
    ([undefined, "project"] as const).map((eventLog): Contestant => {
      const projectDir = join(folder, `${host}-${eventLog ?? "memory"}`);
      mkdirSync(projectDir, { recursive: true });
      const limits = "{ maxConcurrency: 16 }";
      const yaml = `llm:\n  provider: ${provider}\n  models: { default: ${model} }\n  limits: ${limits}\n`;
      writeFileSync(join(projectDir, "bridle.yaml"), yaml);
      const file = new URL("loop-bridle.ts", import.meta.url).href;
      return {
        name: `Bridle, ${host}${eventLog ? ", log on disk" : ""}`,
        setting: { file, projectDir, ...(eventLog && { eventLog }) },
        packages: ["bridle", "zod"],
        ...(host === "claude-code" && { isHost: true }),
      };
    }),
  );
}

function createPlace(folder: string, { url }: Rehearsal): PeerPlace {
  const configDir = join(folder, "claude");
  mkdirSync(configDir, { recursive: true });
  const keys = { ANTHROPIC_API_KEY: "bench", ANTHROPIC_BASE_URL: url };
  return {
    cwd: folder,
    environment: { PATH: process.env.PATH ?? "", HOME: folder, CLAUDE_CONFIG_DIR: configDir, ...keys },
  };
}

/**
 * Returns the size in megabytes of packages and all of their dependencies, as installed here. Optional packages that are not installed do
 * not count.
 */
async function installedSize(packages: readonly string[]): Promise<number> {
  const folders = new Set<string>();
  const queue = packages.map((name) => ({ name, from: name === "bridle" ? import.meta.dirname : peers.pathname }));
  for (const { name, from } of queue) {
    const found = findPackage(name, from);
    if (found === undefined || folders.has(found)) continue;
    folders.add(found);
    const manifest = JSON.parse(readFileSync(join(found, "package.json"), "utf8"));
    const needed = { ...manifest.dependencies, ...manifest.optionalDependencies };
    for (const each of Object.keys(needed)) queue.push({ name: each, from: found });
  }
  const sizes = await Promise.all([...folders].map(folderSize));
  return sizes.reduce((sum, size) => sum + size, 0) / 1024 / 1024;
}

/** Finds a package as Node.js does: in `node_modules` of the folder or of a folder above. */
function findPackage(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = join(folder, "..")) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return candidate;
    if (folder === "/") return undefined;
  }
}

/**
 * Returns the size in bytes of the files in a folder, without packages inside it. Of this repository's packages, only published files
 * count.
 */
async function folderSize(folder: string): Promise<number> {
  const isOurs = realpathSync(folder).startsWith(new URL("../packages/", import.meta.url).pathname);
  const entries = await readdir(isOurs ? join(folder, "dist") : folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.slice(folder.length).includes("/node_modules"))
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

function print(rows: readonly (readonly [name: string, figures: readonly LoopFigures[], megabytes: number])[]): void {
  const table = [
    ["", "ms a step", "CPU ms", "steps/s at 16", "p99 ms", "MB", "import ms", "first ms", "install MB"],
    ...rows.map(([name, figures, size]) => {
      const middle = (pick: (of: LoopFigures) => number) => median(figures.map(pick));
      return [
        name,
        middle(({ stepMs }) => median(stepMs)).toFixed(2),
        middle(({ cpuMsPerStep }) => cpuMsPerStep).toFixed(2),
        middle(({ stepsPerSecond }) => stepsPerSecond).toFixed(0),
        middle(({ busyStepMs }) => percentile(busyStepMs, 0.99)).toFixed(1),
        middle(({ residentMb }) => residentMb).toFixed(0),
        middle(({ importMs }) => importMs).toFixed(0),
        middle(({ firstMs }) => firstMs).toFixed(0),
        size.toFixed(1),
      ];
    }),
  ];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  console.log("\nThe same loop in each library, on a model that answers at once: medians of the rounds");
  for (const row of table) {
    const cells = row.map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0)));
    console.log(`  ${cells.join("   ")}`);
  }
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
