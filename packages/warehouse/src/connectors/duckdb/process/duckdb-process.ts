/**
 * The process in which DuckDB runs. Values that its functions compute are outside of its own limit of memory, and one call of a
 * function cannot be interrupted: so a second thread ends the process if it takes too much, or if the connection's process is gone.
 */
import { isMainThread } from "node:worker_threads";
import type { NumberedRequest } from "../../../processes/engine-messages.ts";
import { EngineServer } from "../../../processes/engine-server.ts";
import { startWatch, watchProcess } from "../../../processes/watch-process.ts";
import { duckdbSchema } from "../config.ts";
import { DuckDbConnection } from "../connection.ts";
import { loadDuckDb } from "../driver.ts";

/** Between the statements of one answer, the file stays open; between answers, other processes may write to it. */
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
