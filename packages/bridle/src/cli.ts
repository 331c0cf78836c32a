import type { Cli } from "./cli/cli.ts";
import { main } from "./cli/main.ts";
import { ownProcess } from "./cli/process-io.ts";

/** Runs the command of this process to its exit. */
export async function runProcess(place: Pick<Cli, "version" | "packageRoot">): Promise<void> {
  const { cli, end } = ownProcess(place);
  await end(await main(cli));
}
