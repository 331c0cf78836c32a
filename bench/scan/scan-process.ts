/**
 * Scans a warehouse once in a separate process, so that its memory and CPU time belong to the scan, and prints a line of JSON. The
 * benchmark passes both arguments: `node --conditions=@bridle/source scan-process.ts CONFIG FACTS`.
 */
import { z } from "zod";
import { openFacts } from "../../packages/context/src/facts/open-facts.ts";
import { scan } from "../../packages/context/src/scan/scan.ts";
import { connectors } from "../../packages/warehouse/src/connectors/registry.ts";
import type { Connector } from "../../packages/warehouse/src/port/connector.ts";
import { openWarehouse } from "../../packages/warehouse/src/warehouse/open-warehouse.ts";
import { cpuMs, PhaseWatch } from "./phase-watch.ts";
import type { ScanFigures } from "./scan-figures.ts";

const [, , configText = "", factsFile = ""] = process.argv;
const config = z.looseObject({ type: z.string() }).parse(JSON.parse(configText));
const all: readonly Connector[] = connectors;
const connector = all.find(({ type }) => type === config.type);
if (connector === undefined) throw new Error(`There is no connector for ${config.type}.`);

const start = performance.now();
const context = {
  projectDir: process.cwd(),
  environment: {},
  logger: { debug() {}, info() {}, warn() {}, error() {} },
};
const warehouse = await openWarehouse({ name: "w", connector, config: connector.schema.parse(config), context });
const facts = openFacts({ file: factsFile });
const watch = new PhaseWatch(start);
const report = await scan(warehouse, facts, { onProgress: (progress) => watch.onProgress(progress) });
const phases = await watch.end();
facts.close();
const cpu = cpuMs();
await warehouse.close();
const { queries, measured, joins, review, problems, missing, drift } = report;
const figures: ScanFigures = {
  seconds: (performance.now() - start) / 1000,
  cpuSeconds: cpu / 1000,
  peakBytes: watch.peakBytes,
  queries,
  measured,
  joins,
  review,
  phases,
  tables: report.tables,
  drift: drift.length,
  problems: [...problems.map(({ problem }) => problem), ...missing],
};
console.log(JSON.stringify(figures));
