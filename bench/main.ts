/**
 * Measures the overhead of Bridle and of its peers in alternation, and prints tables. It never fails because a time is too long. `npm run
 * bench` measures 10 rounds of everything. `npm run bench -- --rounds 3 start-up engine` measures a part. `npm run bench -- --only redact
 * --max 1 scanners` measures the functions whose names contain "redact", on input of up to a megabyte. `npm run bench -- --only bundle
 * growth` measures the growth of the costs whose names contain "bundle". `npm run bench -- ingest --corpus FOLDER --live` asks the model of
 * your login about a folder with planted facts. `npm run bench -- --only cuts server` measures the server's figures whose names contain
 * "cuts"; without `--only` all of them, which takes minutes. `npm run bench -- --only typing workbench` measures the parts of the page
 * whose names contain "typing", in a real browser. `npm run bench -- scan --engine duckdb` scans a generated warehouse in DuckDB; without
 * `--engine` in every engine.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createBenchFolder } from "./bench-folder.ts";
import { benchCallToRequest } from "./call-to-request.ts";
import { benchPeers } from "./compare-peers.ts";
import { benchConcurrentRuns } from "./concurrent-runs.ts";
import { benchDocuments } from "./documents.ts";
import { benchEngine } from "./engine.ts";
import { benchFirstRequest } from "./first-request.ts";
import { benchFollowing } from "./following.ts";
import { benchMemory } from "./memory.ts";
import { benchParallelTools } from "./parallel-tools.ts";
import { installPeers } from "./peers.ts";
import { benchSecondTurn } from "./second-turn.ts";
import { benchStartUp } from "./start-up.ts";
import { benchStore } from "./store.ts";
import { benchTesting } from "./testing.ts";
import { benchThroughput } from "./throughput.ts";

const command = fileURLToPath(new URL("../packages/bridle/bin/bridle.js", import.meta.url));
const built = fileURLToPath(new URL("../packages/bridle/dist/command/cli.js", import.meta.url));
const { values, positionals } = parseArgs({
  options: {
    rounds: { type: "string", default: "10" },
    only: { type: "string", default: "" },
    max: { type: "string", default: "10" },
    engine: { type: "string", multiple: true, default: [] },
    corpus: { type: "string" },
    live: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const rounds = Number(values.rounds);
const folder = createBenchFolder();

const benchmarks: Readonly<Record<string, () => Promise<void>>> = {
  "start-up": () => benchStartUp(rounds, command),
  "first-request": () => benchFirstRequest(rounds, command, folder),
  "call-to-request": () => benchCallToRequest(rounds * 2, folder),
  "second-turn": () => benchSecondTurn(rounds * 2, folder),
  throughput: () => benchThroughput(Math.ceil(rounds / 2), folder),
  memory: () => benchMemory(rounds, folder),
  "parallel-tools": () => benchParallelTools(rounds, folder),
  testing: () => benchTesting(rounds, folder),
  engine: () => benchEngine(rounds),
  "concurrent-runs": () => benchConcurrentRuns(Math.ceil(rounds / 2), folder),
  store: () => benchStore(Math.ceil(rounds / 2), folder),
  following: () => benchFollowing(rounds * 5, folder),
  documents: () => benchDocuments(Math.ceil(rounds / 5), folder),
  growth: async () => runOnSources("growth.ts", "--only", values.only),
  scan: async () => runOnSources("scan.ts", ...values.engine.flatMap((name) => ["--engine", name])),
  search: async () => runOnSources("search.ts", "--only", values.only),
  semantic: async () => runOnSources("semantic.ts"),
  ingest: async () => runOnSources("ingest.ts", ...corpusOptions()),
  server: async () => {
    runOnSources("server.ts", ...(values.only === "" ? [] : [values.only]));
    if (values.only === "") runOnSources("server-process.ts");
  },
  workbench: async () => runOnSources("workbench.ts", values.rounds, ...(values.only === "" ? [] : [values.only])),
  codex: async () => runOnSources("codex.ts", String(rounds)),
  copilot: async () => runOnSources("copilot.ts", String(rounds)),
  blocking: async () => runOnSources("blocking.ts"),
  scanners: async () => runOnSources("scanners.ts", "--only", values.only, "--max", values.max),
  peers: () => benchPeers(Math.ceil(rounds / 2), folder),
};

/** Benchmarks that do not need the built command, and that install any peers they need themselves. */
const alone: ReadonlySet<string> = new Set([
  "blocking",
  "codex",
  "copilot",
  "ingest",
  "semantic",
  "scan",
  "scanners",
  "growth",
  "concurrent-runs",
  "following",
  "search",
  "server",
  "workbench",
]);
const needsAll = positionals.length === 0 || positionals.some((name) => !alone.has(name));

if (needsAll && !existsSync(built)) throw new Error('The command is not built. Run "npm run build" first.');
if (needsAll) installPeers();
console.log(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}`);
for (const name of positionals.length > 0 ? positionals : Object.keys(benchmarks)) {
  const benchmark = benchmarks[name];
  if (!benchmark) throw new Error(`Unknown benchmark "${name}". Known: ${Object.keys(benchmarks).join(", ")}.`);
  await benchmark();
}

function corpusOptions(): readonly string[] {
  const corpus = values.corpus === undefined ? [] : ["--corpus", values.corpus];
  return values.live ? [...corpus, "--live"] : corpus;
}

/** Runs a benchmark in a process that imports sources, because it measures functions that no package exports. */
function runOnSources(file: string, ...parameters: readonly string[]): void {
  const program = fileURLToPath(new URL(file, import.meta.url));
  const words = ["--conditions=@bridle/source", program, ...parameters];
  execFileSync(process.execPath, words, { stdio: "inherit" });
}
