import { spawn } from "node:child_process";

export interface ProcessEnd {
  /** On the clock of `performance.now()`. */
  readonly startedAt: number;
  readonly durationMs: number;
}

export interface ProcessPlace {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs this Node with arguments, from the spawn to the exit. Rejects with what was said when it ends badly. */
export function runNode(args: readonly string[], { cwd, env }: ProcessPlace = {}): Promise<ProcessEnd> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(process.execPath, args, {
      stdio: ["ignore", "ignore", "pipe"],
      ...(cwd !== undefined && { cwd }),
      ...(env !== undefined && { env }),
    });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve({ startedAt, durationMs: performance.now() - startedAt });
      else reject(new Error(`node ${args.join(" ")} ended with ${code}: ${said}`));
    });
  });
}
