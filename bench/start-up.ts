import { runNode } from "./run-process.ts";
import { measureInTurns } from "./statistics.ts";
import { printTable } from "./table.ts";

/** How long the command takes to print its version and its help, as a whole process. */
export async function benchStartUp(rounds: number, command: string): Promise<void> {
  const series = await measureInTurns(rounds, {
    "node -e 0": async () => (await runNode(["-e", "0"])).durationMs,
    "bridle --version": async () => (await runNode([command, "--version"])).durationMs,
    "bridle --help": async () => (await runNode([command, "--help"])).durationMs,
  });
  printTable("Start-up of the command", series, { target: "ratio of --version at most 1.5" });
}
