/**
 * Reads one statement with the limits of a caller. Prints the number of rows, the limit that cut them, and by how many megabytes the
 * process grew: `node read-and-measure.ts CONNECTION STATEMENT`, with the connection as JSON.
 */
import { resourceUsage } from "node:process";
import { connectors } from "../../src/definitions.ts";
import type { Connector } from "../../src/index.ts";
import { defaultLimits } from "../../src/port/limits.ts";

const [config = "{}", statement = ""] = process.argv.slice(2);
const entry: { type: string } = JSON.parse(config);
const connector: Connector | undefined = connectors.find(({ type }) => type === entry.type);
if (connector === undefined) throw new Error(`No engine is called ${entry.type}.`);
const connection = await connector.connect(connector.schema.parse(entry), { projectDir: "/" });
let rows = 0;

/** Reads a statement to its end. */
async function read(sql: string): Promise<string | undefined> {
  const stream = connection.stream(sql, defaultLimits);
  rows = 0;
  for await (const batch of stream) rows += batch.length;
  return stream.truncated;
}

await read("SELECT 1 AS n");
const before = resourceUsage().maxRSS;
const outcome = await read(statement).catch((error: Error) => `${error.name}: ${error.message}`);
const grownMb = Math.round((resourceUsage().maxRSS - before) / 1024);
const found = { rows, outcome };
await read("SELECT 1 AS n"); // the connection can be used again
await connection.close();
console.log(JSON.stringify({ ...found, grownMb }));
process.exit(0);
