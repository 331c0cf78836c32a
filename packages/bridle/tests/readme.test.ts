import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createRuntime } from "@bridle/project";
import { afterEach, beforeEach, expect, test } from "vitest";
import { exitCodeHelp } from "../../cli/src/command/exit-codes.ts";
import { commands } from "../../cli/src/main/commands.ts";
import { createPlace, type Place } from "../../cli/tests/support/command.ts";

const packageRoot = join(import.meta.dirname, "..");
const readme = readFileSync(join(packageRoot, "README.md"), "utf8");

/** Returns the code block that begins with a comment with this file name. */
function block(file: string): string {
  const [, code] = new RegExp(`\`\`\`\\w+\n((?://|#) ${file}\n.*?)\`\`\``, "s").exec(readme) ?? [];
  if (code === undefined) throw new Error(`The README has no block that begins with ${file}.`);
  return code;
}

let place: Place;
beforeEach(async () => {
  place = await createPlace();
});
afterEach(() => place.remove());

test("the application of the README runs on the rehearsal of the README", async () => {
  const modules = join(place.project, "node_modules");
  await mkdir(modules);
  await symlink(packageRoot, join(modules, "bridle"));
  await symlink(dirname(fileURLToPath(import.meta.resolve("zod/package.json"))), join(modules, "zod"));
  const rehearsed = block("app.ts").replace("createRuntime()", 'createRuntime({ rehearse: "script.yaml" })');
  await writeFile(join(place.project, "app.ts"), rehearsed);
  await writeFile(join(place.project, "package.json"), '{ "type": "module" }');
  await writeFile(join(place.project, "script.yaml"), block("script.yaml"));
  const { stdout, stderr } = spawnSync(process.execPath, ["--conditions=@bridle/source", "app.ts"], {
    cwd: place.project,
    env: place.environment,
    encoding: "utf8",
  });
  expect({ stdout, stderr }).toEqual({
    stdout: "I asked: Order A-1001 has shipped.\nnatural after 2 steps\n",
    stderr: "",
  });
});

test("the bridle.yaml of the README is read", async () => {
  await writeFile(join(place.project, "bridle.yaml"), block("bridle.yaml"));
  const runtime = await createRuntime({ projectDir: place.project, environment: {} });
  expect(runtime.backend).toBe("claude-code");
  await runtime.close();
});

test("the README names every command and every exit code", () => {
  for (const { name } of commands) expect(readme).toContain(`\`bridle ${name}`);
  const table = readme.slice(readme.indexOf("| exit code |"));
  const codes = exitCodeHelp.match(/\b\d+\b/g) ?? [];
  expect(codes.length).toBeGreaterThan(6);
  for (const code of codes) expect(table).toMatch(new RegExp(`^\\|.*\\b${code}\\b.*\\|.+\\|$`, "m"));
});
