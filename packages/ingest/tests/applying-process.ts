/**
 * Applies claim drafts from a JSON file (second argument) in a folder (first argument). Prints the steps, and dies before the step with the
 * number in the third argument, from 0.
 */
import { readFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { TrustedFolder } from "@bridle/protocol";
import { applyChanges } from "../src/runs/changes/apply-changes.ts";
import { planChanges } from "../src/runs/changes/plan-changes.ts";

flushCompileCache(); // a killed process stores nothing
const [projectDir = "", drafts = "", last = "-1", commit = ""] = process.argv.slice(2);
const curated = { drafts: JSON.parse(readFileSync(drafts, "utf8")), conflicts: [] };
const plan = () => planChanges(curated, { projectDir, signal: new AbortController().signal, now: () => new Date(0) });
let steps = 0;
const onStep = (step: string) => {
  if (steps === Number(last)) process.kill(process.pid, "SIGKILL");
  steps += 1;
  process.stdout.write(`${step}\n`);
};
const options = {
  projectDir,
  stateDir: `${projectDir}/.bridle`,
  commit: commit === "commit" ? () => TrustedFolder.require(undefined, []) : undefined,
  reason: "ingest: test",
  onStep,
};
const { failed, commitProblem } = await applyChanges(await plan(), { ...options, planAgain: plan });
for (const { reason } of failed) process.stderr.write(`${reason}\n`);
if (commitProblem !== undefined) process.stderr.write(`${commitProblem}\n`);
