import { type Cli } from "./command-line/cli.ts";
import { main } from "./command-line/main.ts";
import { ownProcess } from "./command-line/process-io.ts";

/** Runs the command of this process to its exit. */
export async function runProcess(place: Pick<Cli, "version" | "packageRoot">): Promise<void> {
  const { cli, end } = ownProcess(place);
  await end(await main(cli));
}
