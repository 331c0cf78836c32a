import type { Cli } from "./cli/cli.ts";
import { main } from "./cli/main.ts";
import { processCli } from "./cli/process-io.ts";

/** Runs the command of this process to its exit. Tools may leave connections and timers open; they do not keep it alive. */
export async function runProcess(place: Pick<Cli, "version" | "packageRoot">): Promise<void> {
  const code = await main(processCli(place));
  await Promise.all([process.stdout, process.stderr].map(flushed));
  process.exit(code);
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || !stream.writable) resolve();
    else stream.write("", () => resolve());
  });
}
