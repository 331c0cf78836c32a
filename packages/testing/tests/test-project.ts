/** Creates a folder with an agent file, its tools and a script that answers for the model, for tests that run test cases. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type AgentDefinition, loadAgent } from "@bridle/agent";
import { silentLogger } from "@bridle/protocol";
import { onTestFinished } from "vitest";
import type { RunTestsOptions } from "../src/plan/run-tests-options.ts";
import type { TestProgress } from "../src/result/test-progress.ts";
import type { TestRun } from "../src/result/test-run.ts";
import type { TrialResult } from "../src/result/trial-result.ts";
import { runTests } from "../src/run/run-tests.ts";

/** The options of the tests. `rehearse: undefined` leaves out the script. */
type TestProjectOptions = Omit<RunTestsOptions, "rehearse"> & { rehearse?: string | undefined };

export interface TestProject {
  readonly folder: string;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  load(environment?: Readonly<Record<string, string>>): Promise<AgentDefinition>;
  /** Runs the test cases of `agent.yaml`, with `script.yaml` for the model if it exists. */
  test(options?: TestProjectOptions, environment?: Readonly<Record<string, string>>): Promise<TestRun>;
  /** The reported progress, in order. */
  readonly progress: TestProgress[];
  /** Lines that the tools wrote, one for each call. */
  calls(): Promise<string[]>;
  /** Returns the contents of all files in `.bridle`. */
  kept(): Promise<string[]>;
}

/** The beginning of an agent file for Anthropic's protocol, with a script as its model. */
export const head = `name: desk
model: { provider: anthropic, name: claude-rehearsed }
instructions: { inline: Be kind. }
`;

/** Tools that add a line to calls.txt whenever they run. */
const tools = `import { appendFileSync } from "node:fs";
const described = (properties) => ({ jsonSchema: { type: "object", properties }, problems: () => [] });
const note = (line) => appendFileSync(new URL("./calls.txt", import.meta.url), line + "\\n");
export const lookup = {
  name: "lookup", description: "Finds an order.", annotations: { readOnly: true },
  input: described({ id: { type: "string" } }),
  execute: async ({ id }) => { note("lookup " + id); return { markdown: "Order " + id + " has shipped.", structured: { id } }; },
};
export const remove = {
  name: "remove", description: "Removes an order.", annotations: { destructive: true },
  input: described({ id: { type: "string" } }),
  execute: async ({ id }) => { note("remove " + id); return "Removed."; },
};
`;

export const withTools = `tools:
  - { type: function, name: lookup, file: tools.mjs, function: lookup }
  - { type: function, name: remove, file: tools.mjs, function: remove }
`;

export async function createTestProject(files: Readonly<Record<string, string>> = {}): Promise<TestProject> {
  const folder = await mkdtemp(join(tmpdir(), "bridle-run-tests-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const progress: TestProgress[] = [];
  const write: TestProject["write"] = async (more) => {
    for (const [name, text] of Object.entries(more)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
  };
  await write({ "bridle.yaml": "", "tools.mjs": tools, ...files });
  const load: TestProject["load"] = (environment = {}) => {
    const around = { PATH: process.env.PATH, HOME: folder, TMPDIR: tmpdir(), ...environment };
    return loadAgent("agent.yaml", { cwd: folder, environment: around });
  };
  return {
    folder,
    write,
    load,
    progress,
    async test(options = {}, environment = {}) {
      const { rehearse, ...rest } = { rehearse: join(folder, "script.yaml"), ...options };
      return runTests(await load(environment), {
        projectDir: folder,
        logger: silentLogger,
        ...rest,
        ...(rehearse !== undefined && { rehearse }),
        onProgress(each) {
          progress.push(each);
          options.onProgress?.(each);
        },
      });
    },
    async calls() {
      const text = await readFile(join(folder, "calls.txt"), "utf8").catch(() => "");
      return text.split("\n").slice(0, -1);
    },
    async kept() {
      const entries = await readdir(join(folder, ".bridle"), { recursive: true, withFileTypes: true });
      const found = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
      return Promise.all(found.map((path) => readFile(path, "latin1")));
    },
  };
}

/** Returns the only trial of a case. */
export function trialOf(run: TestRun, name: string, trial = 1): TrialResult {
  const found = run.cases.find((each) => each.name === name)?.trials.find((each) => each.trial === trial);
  if (found === undefined) throw new Error(`There is no trial ${trial} of "${name}".`);
  return found;
}

export function script(...turns: string[]): string {
  return `rehearsal: 1\nturns:\n${turns.map((turn) => `  - ${turn}\n`).join("")}`;
}
