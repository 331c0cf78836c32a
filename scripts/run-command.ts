import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./packages.ts";

export interface Ended {
  /** The exit code; `null` if the command could not be started or was killed. */
  readonly code: number | null;
  /** Standard output and standard error in the order of writing; empty with `inherit`. */
  readonly output: string;
}

/** Runs a command in the repository's root folder. */
export function runCommand(
  command: string,
  args: readonly string[],
  stdio: "pipe" | "inherit" = "pipe",
  variables: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...process.env, ...variables };
    const child = spawn(command, args, { cwd: root, env, stdio: ["ignore", stdio, stdio] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    child.on("error", ({ message }) => resolve({ code: null, output: message }));
    child.on("close", (code) => resolve({ code, output }));
  });
}

/** The folder with the commands of development dependencies. */
export const binFolder = join(root, "node_modules/.bin");
