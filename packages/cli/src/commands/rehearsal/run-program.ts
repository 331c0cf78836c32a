import { constants } from "node:os";
import { type Environment, UsageError } from "@bridle/app";
import { spawnProgram } from "@bridle/app/programs";
import { systemErrorCode } from "@bridle/protocol";
import type { Cli } from "../../command/cli.ts";

/**
 * Runs a program on the streams of this process, and resolves with its exit code: 128 plus the number of the signal if one
 * ended it. Passes interrupts on. Throws UsageError if the program cannot be started.
 */
export async function runProgram(
  [program = "", ...parameters]: readonly string[],
  environment: Environment,
  { cwd, onInterrupt, stdout, stderr }: Pick<Cli, "cwd" | "onInterrupt" | "stdout" | "stderr">,
): Promise<number> {
  const child = spawnProgram("typed-command", [program, parameters], { cwd, env: environment, stdio: "inherit" });
  const isAtTerminal = stdout.isTTY || stderr.isTTY; // a terminal sends Ctrl-C to both processes
  const dispose = onInterrupt((name) => {
    if (name !== "SIGINT" || !isAtTerminal) child.kill(name);
  });
  const killChild = () => child.kill("SIGKILL");
  process.once("exit", killChild);
  try {
    return await new Promise((resolve, reject) => {
      child.once("error", (error) => reject(notStarted(program, error)));
      child.once("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? "SIGKILL"]));
    });
  } finally {
    process.off("exit", killChild);
    dispose();
  }
}

function notStarted(program: string, error: Error): UsageError {
  return new UsageError(`${program} cannot be started (${systemErrorCode(error)}). Correct the command after "--".`);
}
