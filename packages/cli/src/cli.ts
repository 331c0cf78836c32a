import type { Cli } from "./command/cli.ts";
import { main } from "./main/main.ts";
import { openOwnProcess } from "./main/process-io.ts";

/** Runs the command line of this process until the process exits. */
export async function runProcess(installation: Pick<Cli, "version" | "packageRoot">): Promise<void> {
  const { cli, end } = openOwnProcess(installation);
  await end(await main(cli));
}
