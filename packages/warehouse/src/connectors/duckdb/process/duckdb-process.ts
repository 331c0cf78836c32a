/**
 * Runs DuckDB in a separate process. DuckDB's own memory limit does not cover the values that its functions compute, and a function call
 * cannot be interrupted. A second thread therefore ends the process if the process uses too much memory, or if the connection's process is
 * gone.
 */
import { isMainThread } from "node:worker_threads";
import type { NumberedRequest } from "../../../processes/engine-messages.ts";
import { EngineServer } from "../../../processes/engine-server.ts";
import { startWatch, watchProcess } from "../../../processes/watch-process.ts";
import { duckdbSchema } from "../config.ts";
import { DuckDbConnection } from "../connection.ts";
import { loadDuckDb } from "../driver.ts";

/**
 * How many milliseconds the file stays open without a statement: long enough for the statements of one answer. Between answers, other
 * processes may write to the file.
 */
const idleMs = 2_000;

if (isMainThread) serve();
else watchProcess();

function serve(): void {
  startWatch(import.meta.url, Number(process.argv[2]));
  const server = new EngineServer(
    async ({ config, projectDir }) =>
      DuckDbConnection.open({ driver: await loadDuckDb(), config: duckdbSchema.parse(config), projectDir, idleMs }),
    (reply) => void process.send?.(reply),
  );
  process.on("message", (request: NumberedRequest) => server.receive(request));
}
