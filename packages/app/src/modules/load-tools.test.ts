/** Tests which tools an answer for all projects applies to if the tools come from files after `--tools`. */
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRuntime } from "@bridle/project";
import type { Approver } from "@bridle/protocol";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { loadTools } from "./load-tools.ts";

const module = `export default [{
  name: "send", description: "Sends.", source: "the program",
  input: { jsonSchema: { type: "object" }, problems: () => [] }, execute: async () => "sent",
}];
`;
const script = JSON.stringify({ rehearsal: 1, turns: [{ steps: [{ call: "send", with: {} }, { say: "Done." }] }] });

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "bridle-tools-file-"));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const folder of ["home", "one", "two"]) await mkdir(join(root, folder));
  await writeFile(join(root, "script.yaml"), script);
  await writeFile(join(root, "one/tools.mjs"), module);
  await copyFile(join(root, "one/tools.mjs"), join(root, "two/tools.mjs"));
});

type Question = Parameters<Approver>[0];

/** Returns the questions of a run in a folder. Each is answered for all projects. */
async function questionsIn(folder: string, file = "tools.mjs"): Promise<Question[]> {
  const cwd = join(root, folder);
  const packageRoot = join(import.meta.dirname, "../../../bridle");
  const tools = await loadTools(file, { cwd, packageRoot, onFault: () => () => {} });
  const asked: Question[] = [];
  const approve: Approver = (request) => {
    asked.push(request);
    return { decision: "allow", scope: "always" };
  };
  const environment = { PATH: process.env.PATH, HOME: join(root, "home") };
  const project = { projectDir: cwd, environment, rehearse: join(root, "script.yaml") };
  const runtime = await createRuntime({ ...project, mode: "normal", approve });
  const { text, toolFailures } = await runtime.runAgentLoop({ prompt: "Go", tools, stepBudget: 3 }).result;
  await runtime.close();
  expect({ text, toolFailures }).toEqual({ text: "Done.", toolFailures: 0 });
  return asked;
}

test("an answer for all projects holds for the tools file that it is about, by whichever path it is named", async () => {
  expect(await questionsIn("one")).toHaveLength(1);
  expect(await questionsIn("one")).toHaveLength(0);
  expect(await questionsIn("two", "../one/tools.mjs")).toHaveLength(0);
  await symlink(join(root, "one"), join(root, "linked"));
  expect(await questionsIn("linked")).toHaveLength(0);
});

test("a tools file of another folder with the same tools is asked about again", async () => {
  expect(await questionsIn("one")).toHaveLength(1);
  expect(await questionsIn("two")).toMatchObject([{ tool: "send" }]);
  expect(await questionsIn("two")).toHaveLength(0);
});
