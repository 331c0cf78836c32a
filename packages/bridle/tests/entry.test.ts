import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createPlace } from "../../cli/tests/support/command.ts";

const bin = join(import.meta.dirname, "../bin/bridle.js");

/** Prints every loaded module to standard error. */
const spy = `data:text/javascript,${'import { registerHooks } from "node:module"; registerHooks({ load(url, c, next) { process.stderr.write(url + "\\n"); return next(url, c); } });'}`;

test("--version prints the version of the package and loads no other module", () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8"));
  const { stdout, stderr } = spawnSync(process.execPath, ["--import", spy, bin, "--version"], { encoding: "utf8" });
  expect(stdout).toBe(`${version}\n`);
  expect(
    stderr
      .trim()
      .split("\n")
      .filter((url) => !url.startsWith("node:")),
  ).toEqual([expect.stringMatching(/bin\/bridle\.js$/)]);
});

test("only a model API loads the modules of model APIs, and only those of its own provider", async () => {
  const place = await createPlace();
  onTestFinished(() => place.remove());
  const script = join(place.project, "script.yaml");
  writeFileSync(script, "rehearsal: 1\nturns: [{ steps: [{ say: Hello. }] }]\n");
  const run = (...words: string[]) => {
    const flags = ["--conditions=@bridle/source", "--import", spy, bin, "run", "--rehearse", script, ...words, "Hi"];
    const { stdout, stderr } = spawnSync(process.execPath, flags, {
      cwd: place.project,
      env: place.environment,
      encoding: "utf8",
    });
    expect(stdout).toBe("Hello.\n");
    return stderr;
  };
  expect(run()).not.toMatch(/model-api\/src\/(?!definition\/)|@ai-sdk/); // definitions load little, and the registry of hosts imports them
  const providers = /@ai-sdk\/(anthropic|openai|google-vertex|amazon-bedrock|gateway)\//g;
  const loaded = run("--backend", "openai", "--model", "gpt-6-sol").match(providers);
  expect([...new Set(loaded)]).toEqual(["@ai-sdk/openai/"]);
});

test("an old Node is refused in one sentence", () => {
  const older = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });';
  const { status, stderr } = spawnSync(process.execPath, ["--import", `data:text/javascript,${older}`, bin, "status"], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({
    status: 3,
    stderr: "Bridle needs Node.js 22.18 or newer, and this is 20.20.2. Install a newer one from https://nodejs.org.\n",
  });
});

test("the command says that it needs Node.js if Bun or Deno starts it", () => {
  for (const runtime of ["bun", "deno"]) {
    const other = `Object.defineProperty(process, "versions", { value: { ...process.versions, ${runtime}: "1.0.0" } });`;
    const words = ["--import", `data:text/javascript,${other}`, bin, "status"];
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
    expect({ status, stderr }).toEqual({
      status: 3,
      stderr: "The command bridle needs Node.js. Start it with node; programs that import bridle run here.\n",
    });
  }
});
