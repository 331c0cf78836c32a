/** Measures the start of `bridle serve` as a separate process, and its memory while it is idle. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { printTable } from "../table.ts";
import { servingFolder } from "./stage.ts";

const command = fileURLToPath(new URL("../../packages/bridle/bin/bridle.js", import.meta.url));
const built = fileURLToPath(new URL("../../packages/bridle/dist/command/cli.js", import.meta.url));

/** How many milliseconds a server is idle before its memory is measured. */
const idleMs = 3000;

const agent = `name: desk
instructions: { inline: Be kind. }
model: { provider: openai, name: desk-model }
`;

export async function measureProcess(): Promise<void> {
  const cwd = join(servingFolder, "process");
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, "bridle.yaml"), "llm: { provider: { backend: openai }, models: { default: desk-model } }\n");
  writeFileSync(join(cwd, "agent.yaml"), agent);
  writeFileSync(join(cwd, "script.yaml"), "rehearsal: 1\nturns: [{ steps: [{ say: Hello. }] }]\n");
  const rounds = [];
  for (let round = 0; round < 5; round += 1) rounds.push(await startOnce(cwd));
  const how = existsSync(built) ? "" : ", from sources: run npm run build for the built command";
  const starts = [{ name: "bridle serve", values: rounds.map(({ startMs }) => startMs) }];
  printTable(`From the start of the process until the server listens${how}`, starts, { target: "500 ms at most" });
  const idle = [{ name: "resident", values: rounds.map(({ megabytes }) => megabytes) }];
  printTable(`Memory of an idle server${how}`, idle, { unit: "MB", target: "120 MB at most" });
}

async function startOnce(cwd: string): Promise<{ readonly startMs: number; readonly megabytes: number }> {
  const start = performance.now();
  const words = [command, "serve", "--port", "0", "--rehearse", "script.yaml"];
  const conditions = existsSync(built) ? [] : ["--conditions=@bridle/source"];
  const child = spawn(process.execPath, [...conditions, "--no-warnings", ...words], {
    cwd,
    env: { PATH: process.env.PATH ?? "", HOME: cwd },
    stdio: ["ignore", "pipe", "pipe"],
  });
  try {
    for await (const line of createInterface(child.stdout)) if (line.includes("http://")) break;
    const startMs = performance.now() - start;
    await setTimeout(idleMs);
    return { startMs, megabytes: residentMegabytes(child.pid ?? 0) };
  } finally {
    const closed = once(child, "close");
    child.kill("SIGTERM");
    child.stdout.resume();
    child.stderr.resume();
    await closed;
  }
}

/** Returns the resident memory as Linux counts it. Not a number on other systems. */
function residentMegabytes(pid: number): number {
  const status = process.platform === "linux" ? readFileSync(`/proc/${pid}/status`, "utf8") : "";
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
