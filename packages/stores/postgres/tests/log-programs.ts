import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export interface LogProgram {
  readonly child: ChildProcess;
  /** Resolves with the program's standard output when it has ended. */
  readonly output: Promise<string>;
  readonly ended: Promise<unknown>;
}

/** Starts a program of this folder as a new process. */
export function startLogProgram(name: string, ...parameters: string[]): LogProgram {
  return startLogProgramAt({}, name, ...parameters);
}

/** Starts a program of this folder with another working directory and environment. */
export function startLogProgramAt(
  place: Pick<SpawnOptions, "cwd" | "env">,
  name: string,
  ...parameters: string[]
): LogProgram {
  const child = spawn(
    process.execPath,
    ["--conditions=@bridle/source", "--no-warnings", join(import.meta.dirname, name), ...parameters],
    { stdio: ["pipe", "pipe", "inherit"], ...place },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, output: text(child.stdout), ended: once(child, "close") };
}

/** Waits until the program has printed something. */
export async function isReady({ child }: LogProgram): Promise<void> {
  await once(child.stdout as NodeJS.ReadableStream, "data");
}
