/**
 * The only module that starts programs. Each start needs a proof that the folder is trusted, or the name of a program that reads nothing
 * from a folder.
 */
import {
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  execFile,
  execFileSync,
  type ForkOptions,
  fork,
  type SpawnOptions,
  spawn,
} from "node:child_process";
import { parse } from "node:path";
import { promisify } from "node:util";
import type { TrustedFolder } from "@bridle/protocol";
import { type OwnProgram, ownPrograms } from "./own-programs.ts";

/** The permission to start a program. */
export type StartPermission = TrustedFolder | OwnProgram;

export interface ProgramPlace {
  /**
   * The working directory. Default: this process's for a trusted folder; otherwise the root of the file system, where no folder is searched
   * for programs.
   */
  readonly cwd?: string | undefined;
  /** The whole environment. Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Starts a program. */
export function spawnProgram(
  permission: StartPermission,
  [command, args]: readonly [command: string, args: readonly string[]],
  options: SpawnOptions,
): ChildProcess {
  return spawn(command, args, { ...options, ...placeFor(permission, options) });
}

/** Starts a program with pipes, in its own process group if the system has groups. */
export function spawnPiped(
  permission: StartPermission,
  [command, args]: readonly [command: string, args: readonly string[]],
  place: ProgramPlace,
): ChildProcessWithoutNullStreams {
  return spawn(command, args, {
    ...placeFor(permission, place),
    stdio: ["pipe", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
}

export interface OutputLimits {
  /** The maximum size of the output, in bytes. */
  readonly maxBuffer?: number | undefined;
  /** Milliseconds until the program is ended. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The text for its standard input. Default: empty. */
  readonly input?: string | undefined;
}

/** Runs a program, and resolves with its standard output. Rejects with `execFile`'s error, which has the key `stderr`. */
export async function readProgram(
  permission: StartPermission,
  [command, args]: readonly [command: string, args: readonly string[]],
  { cwd, env, input, ...limits }: ProgramPlace & OutputLimits = {},
): Promise<string> {
  const running = promisify(execFile)(command, args, {
    ...placeFor(permission, { cwd, env }),
    ...limits,
    encoding: "utf8",
    windowsHide: true,
  });
  running.child.stdin?.on("error", () => {}); // the program ended before it read everything; its own error contains the reason
  running.child.stdin?.end(input);
  return (await running).stdout;
}

/** Runs a program like `readProgram`, but synchronously. Drops standard error. */
export function readProgramSync(
  permission: StartPermission,
  [command, args]: readonly [command: string, args: readonly string[]],
): string {
  return execFileSync(command, args, {
    ...placeFor(permission, {}),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

/** Starts a program from Bridle's packages in its own process. */
export function forkProgram(
  _permission: OwnProgram,
  [file, args]: readonly [file: string, args: readonly string[]],
  options: ForkOptions,
): ChildProcess {
  return fork(file, args, options);
}

const neutralFolder = parse(process.execPath).root;

function placeFor(permission: StartPermission, { cwd, env }: ProgramPlace | SpawnOptions) {
  if (typeof permission === "string" && !Object.hasOwn(ownPrograms, permission)) {
    throw new TypeError(`"${permission}" is not a program that may start without a proof of trust.`);
  }
  const place = cwd ?? (typeof permission === "string" ? neutralFolder : undefined);
  return { ...(place !== undefined && { cwd: place }), ...(env !== undefined && { env }) };
}
