/** Starts separate processes that read a database. Their memory can be limited, and they can be ended during a statement. */
import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { forkProgram } from "@bridle/core";

/**
 * Starts a program from the folder of the module `base`: a TypeScript file among the sources, a JavaScript file in a built package. The
 * program does not keep this process alive.
 */
export function startProgram(name: string, base: string, args: readonly string[] = []): ChildProcess {
  const { program, conditions } = locateProgram(name, base);
  const child = forkProgram("reader", [program, args], {
    execArgv: [...conditions, "--no-warnings"],
    env: neededVariables(process.env),
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
  });
  child.unref();
  child.channel?.unref?.(); // in Bun, the channel has no `unref`
  return child;
}

function locateProgram(
  name: string,
  base: string,
): { readonly program: string; readonly conditions: readonly string[] } {
  const isSource = base.endsWith(".ts");
  const program = fileURLToPath(new URL(`./${name}.${isSource ? "ts" : "js"}`, base));
  if (existsSync(program)) return { program, conditions: isSource ? ["--conditions=@bridle/source"] : [] };
  throw new Error(
    `The program that reads databases is missing: ${program}. If a bundler packs your application, leave @bridle/warehouse out of the bundle.`,
  );
}

/** Returns the variables that Node.js and package managers need to find modules and to load them quickly. */
function neededVariables(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = ["NODE_COMPILE_CACHE", "NODE_OPTIONS", "NODE_PATH", "PATH", "SystemRoot", "TMPDIR", "TEMP"];
  return Object.fromEntries(names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
}
