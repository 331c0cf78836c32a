import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { z } from "zod";

const command = fileURLToPath(new URL("../../../bridle/bin/bridle.js", import.meta.url));
const servingSchema = z.object({ url: z.string(), token: z.string() });

/** Runs `bridle serve` for a folder in a separate process until the end of the test. */
export async function startServedProcess(cwd: string, options: readonly string[] = []) {
  const given = ["serve", "--trust", "--json", "--port", "0", "--rehearse", "script.yaml", "--grace", "0"];
  const child = spawn(process.execPath, ["--conditions=@bridle/source", command, ...given, ...options], {
    cwd,
    env: { ...process.env, HOME: cwd },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += String(chunk);
  });
  const kill = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  onTestFinished(kill);
  let printed = "";
  for await (const line of createInterface({ input: child.stdout })) {
    printed += line;
    if (line === "}") return { ...servingSchema.parse(JSON.parse(printed)), kill, errors: () => errors };
  }
  throw new Error(`bridle serve did not start: ${errors}`);
}
