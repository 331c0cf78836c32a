/**
 * Scans a generated warehouse, again unchanged, and again with one changed table. Prints seconds, queries and peak memory.
 * `node --conditions=@bridle/source bench/scan.ts --engine sqlite --tables 2700`
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { openFacts } from "../packages/context/src/facts/open-facts.ts";
import { scan } from "../packages/context/src/scan/scan.ts";
import { connectors } from "../packages/warehouse/src/connectors/registry.ts";
import type { Connector } from "../packages/warehouse/src/port/connector.ts";
import { openWarehouse } from "../packages/warehouse/src/warehouse/open-warehouse.ts";
import { type FixtureSize, fixtureLinks, fixtureStatements, largeFixture } from "./scan-fixture.ts";

const { values } = parseArgs({
  options: { engine: { type: "string", default: "sqlite" }, tables: { type: "string", default: "2700" } },
});
const share = Number(values.tables) / largeFixture.tables;
const size: FixtureSize = {
  tables: Number(values.tables),
  columns: Math.round(share * largeFixture.columns),
  foreignKeys: Math.round(share * largeFixture.foreignKeys),
  rows: largeFixture.rows,
};
const all: readonly Connector[] = connectors;
const connector = all.find(({ type }) => type === values.engine);
if (connector === undefined || values.engine !== "sqlite") {
  console.log(`Skipped: this benchmark cannot create a warehouse of ${values.engine}.`);
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), "bridle-bench-scan-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "warehouse.sqlite");
const factsFile = join(folder, "facts.sqlite");
const links = new Set(fixtureLinks(size));

change(...fixtureStatements(size));
console.log(
  `${size.tables} tables, ${size.columns} columns, ${size.foreignKeys} foreign keys, ${mebibytes(statSync(file).size)} MiB`,
);
console.log("scan                        s   queries  measured  joins  right  of those to find  peak MiB");
await measure("first");
await measure("unchanged");
change("INSERT INTO sales_order SELECT * FROM sales_order LIMIT 1");
await measure("one table changed");
console.log(`database of facts: ${mebibytes(statSync(factsFile).size)} MiB`);

function change(...statements: readonly string[]): void {
  using database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
  for (const statement of statements) database.exec(statement);
  database.exec("COMMIT");
}

async function measure(title: string): Promise<void> {
  if (connector === undefined) return;
  const context = { projectDir: folder, environment: {}, logger: { debug() {}, info() {}, warn() {}, error() {} } };
  const warehouse = await openWarehouse({ name: "w", connector, config: { type: "sqlite", file }, context });
  const facts = openFacts({ file: factsFile });
  const start = performance.now();
  const phases = new Map<string, number>();
  const onProgress = ({ phase }: { readonly phase: string }) => void phases.set(phase, performance.now() - start);
  const report = await scan(warehouse, facts, { onProgress });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const found = facts.reader.joins().filter(({ status }) => status === "accepted");
  const right = found.filter(({ from, to }) => links.has(`${nameOf(from)} → ${nameOf(to)}`)).length;
  const figures = [
    report.queries,
    report.measured,
    report.joins,
    right,
    links.size,
    mebibytes(process.resourceUsage().maxRSS * 1024),
  ];
  console.log(
    `${title.padEnd(20)} ${seconds.padStart(8)} ${figures.map((figure) => String(figure).padStart(9)).join("")}`,
  );
  const parts = [...phases].map(([phase, ms]) => `${phase} until ${(ms / 1000).toFixed(1)} s`);
  console.log(
    `  ${parts.join(", ")}${report.problems.length + report.missing.length > 0 ? `; ${report.problems.length} problems, ${report.missing.join(" ")}` : ""}`,
  );
  facts.close();
  await warehouse.close();
}

function nameOf({ table, columns }: { readonly table: string; readonly columns: readonly string[] }): string {
  return `${table.split(".").at(-1)}.${columns.join("+")}`;
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
