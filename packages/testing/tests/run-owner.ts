/** Runs the test cases of the agent in a folder and prints a line after each trial. The tests kill this process. */
import { join } from "node:path";
import { loadAgent } from "@bridle/agent";
import { runTests } from "../src/run/run-tests.ts";

const [, , folder = ""] = process.argv;
const environment = { PATH: process.env.PATH, HOME: folder };
const definition = await loadAgent("agent.yaml", { cwd: folder, environment });
await runTests(definition, {
  projectDir: folder,
  rehearse: join(folder, "script.yaml"),
  parallel: 2,
  onProgress(progress) {
    if (progress.type === "trial.finished") console.log(progress.result.case);
  },
});
