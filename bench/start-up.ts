import { fileURLToPath } from "node:url";
import { runNode } from "./run-process.ts";
import { measureInTurns } from "./statistics.ts";
import { printTable } from "./table.ts";

/** Measures the milliseconds of a whole process that imports packages, resolved from a folder. */
async function importing(packages: readonly string[], from: string | URL): Promise<number> {
  const program = packages.map((name) => `import "${name}";`).join("");
  const cwd = typeof from === "string" ? from : fileURLToPath(from);
  return (await runNode(["--input-type=module", "--eval", program], { cwd })).durationMs;
}

/**
 * Measures how long the command takes to print its version and its help, and how long a program takes to import the library, each measured
 * as a whole process.
 */
export async function benchStartUp(rounds: number, command: string): Promise<void> {
  const series = await measureInTurns(rounds, {
    "node -e 0": async () => (await runNode(["-e", "0"])).durationMs,
    "bridle --version": async () => (await runNode([command, "--version"])).durationMs,
    "bridle --help": async () => (await runNode([command, "--help"])).durationMs,
  });
  printTable("Start-up of the command", series, { target: "ratio of --version at most 1.5" });
  const imports = await measureInTurns(rounds, {
    "AI SDK": () => importing(["ai", "@ai-sdk/anthropic"], new URL("peers/", import.meta.url)),
    Bridle: () => importing(["bridle"], import.meta.dirname),
    "Bridle and Zod": () => importing(["bridle", "zod"], import.meta.dirname),
  });
  printTable("A program that imports the library and ends", imports, { target: "ratio of Bridle at most 1" });
}
