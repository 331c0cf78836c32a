import { spawnSync } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlace, type Place, startCommand, untilGone } from "../support/command.ts";

const script = `
rehearsal: 1
turns:
  - steps: [{ say: Let me look., stall: true }]
`;

const bin = join(import.meta.dirname, "../../../bridle/bin/bridle.js");

let place: Place;
let temporary = "";
beforeEach(async () => {
  place = await createPlace();
  temporary = join(place.home, "tmp");
  await mkdir(temporary);
  await writeFile(join(place.project, "script.yaml"), script);
});
afterEach(() => place.remove());

const start = (words: readonly string[]) => startCommand(words, place, { TMPDIR: temporary });
const foldersOf = async (kinds: RegExp) => (await readdir(temporary)).filter((name) => kinds.test(name));

test("a terminal that is closed ends a run as cleanly as SIGTERM does", async () => {
  const command = start(["run", "--events", "--rehearse", "script.yaml", "Hello"]);
  await command.shows("text.delta");
  command.child.kill("SIGHUP");
  expect(await command.ended).toBe(129);
  expect(command.stderr()).toBe("The run was stopped: interrupted by SIGHUP.\n");
  expect(await foldersOf(/^bridle-/)).toEqual([]);
});

test("a second Ctrl-C ends the command at once, without its temporary folder and without a process", async () => {
  const command = start(["demo"]);
  await command.shows("→ totals_by_month");
  expect(await foldersOf(/^bridle-(demo|host)-/)).toHaveLength(2);
  command.child.kill("SIGINT");
  command.child.kill("SIGINT");
  command.child.kill("SIGTERM"); // two signals of the same kind can be merged if they are sent together
  expect([130, 143]).toContain(await command.ended);
  await untilGone(place, 5000);
  expect(await foldersOf(/^bridle-(demo|rehearsal)-/)).toEqual([]); // the host may write once more; the next run removes those files
});

test("a working directory that was deleted is reported in one sentence, with exit code 3", async () => {
  for (const words of [["status"], ["doctor"], ["run", "Hello"], ["demo"]]) {
    const gone = await startIn(join(place.project, "gone"), words);
    expect({ words, ...gone }).toEqual({
      words,
      code: 3,
      stderr: "The working directory no longer exists. Change to an existing folder, and run the command again.\n",
    });
  }
});

/** Starts the command in a folder that was deleted. */
async function startIn(folder: string, words: readonly string[]) {
  await mkdir(folder);
  const command = [process.execPath, bin, ...words];
  const { status, stderr } = spawnSync("sh", ["-c", 'rmdir "$PWD" && exec "$@"', "sh", ...command], {
    cwd: folder,
    env: place.environment,
    encoding: "utf8",
  });
  return { code: status, stderr };
}

test("a temporary folder that cannot be created is reported with a remedy, and exit code 3", async () => {
  await writeFile(join(place.project, "file"), "");
  for (const words of [["demo"], ["run", "--rehearse", "script.yaml", "Hello"]]) {
    const command = startCommand(words, place, { TMPDIR: join(place.project, "file") });
    expect(await command.ended).toBe(3);
    expect(command.stderr()).toMatch(/^[^\n]+ \(ENOTDIR\)\. Set TMPDIR to a writable folder\.\n$/);
  }
});
