/** Scans a SQLite file and kills itself at a point, for a test: `node scanning-process.ts WAREHOUSE FACTS POINT`. */
import { openFacts } from "../src/facts/open-facts.ts";
import { scan } from "../src/scan/scan.ts";
import { SqliteWarehouse, testDialect } from "./support/sqlite-warehouse.ts";

const [, , file = "", factsFile = "", point = ""] = process.argv;
let left = Number(point);
const pass = () => {
  if (left-- === 0) process.kill(process.pid, "SIGKILL");
};
const warehouse = new SqliteWarehouse(file, { onStatement: pass });
const facts = openFacts({ file: factsFile });
await scan(warehouse, facts, { dialect: testDialect, now: () => Date.UTC(2025, 0, 1), onProgress: pass });
