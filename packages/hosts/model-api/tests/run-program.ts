import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/**
 * Runs a module in a new process with only these variables, and resolves with its output. The module's first argument is `options` as JSON.
 */
export async function runProgram(module: string, options: object, env: Readonly<Record<string, string>>) {
  const args = ["--conditions=@bridle/source", "--input-type=module", "--eval", module, JSON.stringify(options)];
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, cwd });
  return stdout.trim();
}
