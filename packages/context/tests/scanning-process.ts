/** Scans a SQLite file, for a test that kills it: `node scanning-process.ts WAREHOUSE FACTS`. */
import { openFacts } from "../src/facts/open-facts.ts";
import { scan } from "../src/scan/scan.ts";
import { SqliteWarehouse, testDialect } from "./support/sqlite-warehouse.ts";

const [, , file = "", factsFile = ""] = process.argv;
const warehouse = new SqliteWarehouse(file);
const facts = openFacts({ file: factsFile });
process.send?.("open");
await scan(warehouse, facts, {
  dialect: testDialect,
  now: () => Date.UTC(2025, 0, 1),
  onProgress: (progress) => void process.send?.(progress),
});
facts.close();
await warehouse.close();
