import type { Cli } from "./command-line/cli.ts";
import { main } from "./command-line/main.ts";
import { openOwnProcess } from "./command-line/process-io.ts";

/** Runs the command of this process until it exits. */
export async function runProcess(installation: Pick<Cli, "version" | "packageRoot">): Promise<void> {
  const { cli, end } = openOwnProcess(installation);
  await end(await main(cli));
}
