import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlace, type Place } from "../support/command.ts";

const bin = join(import.meta.dirname, "../../../bridle/bin/bridle.js");
const script = "rehearsal: 1\nturns: [{ steps: [{ call: nothing, times: 2 }, { say: All is well. }] }]\n";

let place: Place;
beforeEach(async () => {
  place = await createPlace();
  await writeFile(join(place.project, "script.yaml"), script);
});
afterEach(() => place.remove());

function shell(words: string) {
  const line = `"${process.execPath}" "${bin}" ${words}`;
  const { status, stdout, stderr } = spawnSync("bash", ["-c", line], {
    cwd: place.project,
    env: place.environment,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

test("a pipe gets only the whole answer, even if a stream breaks off in the middle", async () => {
  const steps = "[{ say: Half of an, cut: true, chunk_ms: 50 }, { say: The answer is 42. }]";
  await writeFile(join(place.project, "cut.yaml"), `rehearsal: 1\nturns: [{ steps: ${steps} }]\n`);
  const { status, stdout, stderr } = shell("run --rehearse cut.yaml --steps 1 Hello | cat");
  expect({ status, stdout }).toEqual({ status: 0, stdout: "The answer is 42.\n" });
  expect(stderr).toMatch(/! .*attempt 1 of \d+/);
  const events = shell("run --rehearse cut.yaml --steps 1 --events Hello").stdout;
  expect(events.match(/"Half |retry\.scheduled|step\.started/g)).toEqual(["step.started", '"Half ', "retry.scheduled"]);
});

test.each(["2> >(exec true)", "2>/dev/full", "2>&-"])(
  "a standard error that cannot be written (%s) does not end a run",
  (redirection) => {
    expect(shell(`run --rehearse script.yaml Hello ${redirection}`)).toMatchObject({
      status: 0,
      stdout: "All is well.\n",
    });
  },
);

test.each(["run --rehearse script.yaml Hello", "run --rehearse script.yaml --json Hello", "status"])(
  "a standard output that cannot be written ends bridle %s with a message and exit code 1",
  (words) => {
    const { status, stderr } = shell(`${words} >/dev/full`);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /Standard output cannot be written \(ENOSPC\)\. Free some space, or redirect it to another file\.\n$/,
    );
    expect(stderr).not.toContain("    at ");
  },
);
