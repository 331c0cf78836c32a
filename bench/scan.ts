/**
 * Scans a generated warehouse three times: new, unchanged, and after one table changed. Prints for each engine the seconds, CPU seconds,
 * peak memory, queries compared with the budget, and how many of the generated links were found. `node --conditions=@bridle/source
 * bench/scan.ts --engine duckdb --tables 2700`. Each scan is a separate process. `--profiles FOLDER` writes a CPU profile of each scan.
 * `--errors` lists wrong and missing links. `--keep FOLDER` keeps the facts.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type BenchEngine, createEngine, engineNames } from "./scan/engines.ts";
import { type FixtureSize, largeFixture, planFixture } from "./scan/fixture.ts";
import { compareLinks } from "./scan/links.ts";
import { formatHead, formatPhases, formatScan } from "./scan/report.ts";
import { runScan } from "./scan/run-scan.ts";
import { fixtureStatements, nameOf } from "./scan/statements.ts";

const { values } = parseArgs({
  options: {
    engine: { type: "string", multiple: true, default: [...engineNames] },
    tables: { type: "string", default: "2700" },
    profiles: { type: "string", default: "" },
    errors: { type: "boolean", default: false },
    keep: { type: "string" },
  },
});
const share = Number(values.tables) / largeFixture.tables;
const size: FixtureSize = {
  tables: Number(values.tables),
  columns: Math.round(share * largeFixture.columns),
  foreignKeys: Math.round(share * largeFixture.foreignKeys),
  rows: largeFixture.rows,
};
const fixture = planFixture(size);
const unknown = values.engine.filter((name) => !engineNames.some((known) => known === name));
if (unknown.length > 0) throw new Error(`Unknown engine "${unknown[0]}". Known: ${engineNames.join(", ")}.`);

for (const name of engineNames.filter((each) => values.engine.includes(each))) {
  const engine = await createEngine(name);
  if (engine === undefined) console.log(`${name}: skipped, it is not installed.`);
  else await bench(name, engine).finally(() => engine.remove());
}

async function bench(name: string, engine: BenchEngine): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bridle-bench-facts-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const facts = join(folder, "facts.sqlite");
  await engine.run(fixtureStatements(fixture, engine.hasSchemas));
  const [changed] = fixture.tables;
  const table = changed === undefined ? "" : nameOf(changed, engine.hasSchemas);
  console.log(
    `\n${name}: ${size.tables} tables, ${size.columns} columns, ${size.foreignKeys} foreign keys, none declared`,
  );
  console.log(formatHead());
  for (const title of ["first", "unchanged", "one table changed"]) {
    if (title === "one table changed") await engine.run([`INSERT INTO ${table} SELECT * FROM ${table} LIMIT 1`]);
    const scan = await runScan(engine, facts, values.profiles);
    const links = compareLinks(facts, fixture, engine.hasSchemas);
    console.log(formatScan(title, scan, links));
    console.log(formatPhases(scan));
    if (values.errors && title === "first") console.log([...links.wrong, ...links.missed].join("\n"));
  }
  if (values.keep !== undefined) {
    mkdirSync(values.keep, { recursive: true });
    copyFileSync(facts, join(values.keep, `${name}.sqlite`));
  }
}
