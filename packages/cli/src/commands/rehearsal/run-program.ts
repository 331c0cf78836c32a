import { spawn } from "node:child_process";
import { constants } from "node:os";
import { type Environment } from "@bridle/project";
import { type Cli } from "../../command-line/cli.ts";
import { UsageError } from "@bridle/app";

/**
 * Runs a program on this process's own input and output, and resolves with its exit code; 128 and the signal's number
 * where one ended it. Interrupts are passed on. Throws UsageError when it cannot be started.
 */
export async function runProgram(
  [program = "", ...parameters]: readonly string[],
  environment: Environment,
  { cwd, onInterrupt, stdout, stderr }: Pick<Cli, "cwd" | "onInterrupt" | "stdout" | "stderr">,
): Promise<number> {
  const child = spawn(program, parameters, { cwd, env: environment, stdio: "inherit" });
  const isAtTerminal = stdout.isTTY || stderr.isTTY; // which sends Ctrl-C to both by itself
  const dispose = onInterrupt((name) => {
    if (name !== "SIGINT" || !isAtTerminal) child.kill(name);
  });
  const killWithUs = () => child.kill("SIGKILL");
  process.once("exit", killWithUs);
  try {
    return await new Promise((resolve, reject) => {
      child.once("error", (error) => reject(notStarted(program, error)));
      child.once("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? "SIGKILL"]));
    });
  } finally {
    process.off("exit", killWithUs);
    dispose();
  }
}

function notStarted(program: string, error: Error): UsageError {
  const reason = "code" in error ? String(error.code) : error.message;
  return new UsageError(`${program} cannot be started (${reason}). Correct the command after "--".`);
}
