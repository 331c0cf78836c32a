import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const module = join(import.meta.dirname, "../src/rehearsal/rehearsed-backend.ts");
const script = join(import.meta.dirname, "greeting.rehearsal.yaml");

/** Runs a program that starts a rehearsal of Claude Code, which needs a folder. Then it runs the code in `then`. */
async function startRehearsal(temporary: string, then: string) {
  const code = `
    import { startRehearsedBackend } from ${JSON.stringify(module)};
    const settings = { provider: { backend: "claude-code" }, environment: process.env };
    const backend = await startRehearsedBackend(${JSON.stringify(script)}, settings);
    console.log("started");
    ${then}
  `;
  const words = ["--conditions=@bridle/source", "--no-warnings", "--input-type=module-typescript", "-e", code];
  const env = { PATH: process.env.PATH, HOME: temporary, TMPDIR: temporary };
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"], env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  return { child, ended };
}

test("the folder of a rehearsal whose process was killed is removed when another rehearsal starts", async () => {
  const temporary = await mkdtemp(join(tmpdir(), "bridle-killed-"));
  onTestFinished(() => rm(temporary, { recursive: true }));
  const rehearsals = async () => (await readdir(temporary)).filter((name) => name.startsWith("bridle-rehearsal-"));
  const killed = await startRehearsal(temporary, "setInterval(() => {}, 1000);");
  killed.child.kill("SIGKILL");
  await killed.ended;
  const [left] = await rehearsals();
  expect(left).toBeDefined();
  const living = await startRehearsal(temporary, "setInterval(() => {}, 1000);");
  const [own, ...others] = await rehearsals();
  expect(others).toEqual([]);
  expect(own).not.toBe(left);
  const closing = await startRehearsal(temporary, "await backend.close();");
  await closing.ended;
  expect(await rehearsals()).toEqual([own]); // the folder of a running process is kept
  living.child.kill("SIGKILL");
});
