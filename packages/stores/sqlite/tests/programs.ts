import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export interface Program {
  readonly child: ChildProcess;
  /** Resolves with the program's standard output when it has ended. */
  readonly output: Promise<string>;
  readonly ended: Promise<unknown>;
}

/** Starts a program of this folder as a new process. */
export function startProgram(name: string, ...parameters: string[]): Program {
  const child = spawn(
    process.execPath,
    ["--conditions=@bridle/source", "--no-warnings", join(import.meta.dirname, name), ...parameters],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, output: text(child.stdout), ended: once(child, "close") };
}
