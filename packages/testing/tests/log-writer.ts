/**
 * Writes test results. `endless` writes as fast as possible, `until-full` until the disk is full, and `begin` only the first line. `resume`
 * resumes the newest invocation and keeps it open. Prints a line after each finished action, or the code of an error.
 */
import { writeSync } from "node:fs";
import { isBridleError } from "@bridle/protocol";
import { planOf, trialOf } from "../src/log/results-for-tests.ts";
import { createTestLog, resumeTestLog } from "../src/log/test-log.ts";

const [mode = "", folder = ""] = process.argv.slice(2);

function tell(text: unknown): void {
  writeSync(1, `${text}\n`);
}

function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    tell(isBridleError(error) ? error.code : error);
    return false;
  }
}

/** Texts, some of which are so long that the process can be killed while one is written. */
function writeAll(): void {
  const log = createTestLog({ folder, plan: planOf({ trials: 100_000 }) });
  tell(log.id);
  for (let trial = 1; ; trial++) {
    const turn = { answer: "long ".repeat(trial % 10 === 0 ? 20_000 : 100) };
    if (!attempt(() => log.append({ type: "trial", result: trialOf({ trial, turn }) }))) break;
    tell(trial);
  }
  attempt(() => log.append({ type: "ended", stop: null }));
  log.close();
}

function hold(): void {
  tell(resumeTestLog({ folder, which: "newest" }).run.id);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

if (mode === "resume") attempt(hold);
else if (mode === "begin") attempt(() => tell(createTestLog({ folder, plan: planOf() }).id));
else writeAll();
