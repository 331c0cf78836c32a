/**
 * Compares ingest with an agent that reads one document after the other: model calls, tokens and seconds per 100 documents. Then measures
 * how time, memory and the longest prompt grow up to 10,000 documents. `npm run bench -- ingest`.
 *
 * With `--corpus FOLDER`, measures how many planted facts of a folder become claims. FOLDER contains gold.json, and documents below sync1.
 * A scripted model answers or, with `--live`, the model of your own login.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { benchNaiveAgent } from "./ingest/naive-agent.ts";
import { benchPlanted } from "./ingest/planted.ts";

const { values } = parseArgs({
  options: {
    corpus: { type: "string" },
    live: { type: "boolean", default: false },
    /** The factor by which all sizes are divided. */
    smaller: { type: "string", default: "1" },
  },
});
const smaller = Number(values.smaller);

if (values.corpus !== undefined) await benchPlanted(values.corpus, { isLive: values.live });
else {
  await benchNaiveAgent([100, 300].map((count) => Math.ceil(count / smaller)));
  const titles = [
    "documents",
    "facts",
    "first",
    "each",
    "calls",
    "longest",
    "memory",
    "unchanged",
    "calls",
    "1 changed",
  ];
  console.log(`\n${titles.map((title) => title.padStart(12)).join("")}`);
  const program = fileURLToPath(new URL("ingest/growth.ts", import.meta.url));
  for (const count of [1000, 3000, 10_000]) {
    const words = ["--conditions=@bridle/source", program, String(Math.ceil(count / smaller))];
    execFileSync(process.execPath, words, { stdio: "inherit" });
  }
}
