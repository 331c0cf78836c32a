/** Installs the published packages in a project outside of this repository. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readPackages, root } from "../scripts/packages.ts";
import { Consumer, strictOptions } from "./support/consumer.ts";
import { findOldNode } from "./support/find-old-node.ts";
import { isSoak } from "./support/soak.ts";

const application = `import { createRuntime, defineTool, type RunEvent } from "bridle";
import { z } from "zod";

const lookupOrder = defineTool({
  name: "lookup_order",
  description: "Find one order by its number.",
  input: z.object({ id: z.string() }),
  execute: async ({ id }) => \`\${id} has shipped.\`,
});

const seen: RunEvent["type"][] = [];
const runtime = await createRuntime({ rehearse: "rehearsal.yaml", onEvent: (event) => seen.push(event.type) });
const run = runtime.runAgentLoop({ prompt: "Where is A-1001?", tools: [lookupOrder], stepBudget: 5 });
for await (const event of run) if (event.type === "text.delta") process.stdout.write(event.text);
const { stopReason } = await run.result;
const { object } = await runtime.generateObject({ prompt: "object", schema: z.object({ answer: z.number() }) });
const answer: number = object.answer;
console.log(\` \${stopReason} \${answer} \${seen.at(-1)}\`);
await runtime.close();
`;
const script = `rehearsal: 1
turns:
  - when: { user: object }
    steps: [{ object: { answer: 42 } }]
  - steps: [{ call: lookup_order, with: { id: A-1001 } }, { say: "{{ lookup_order.result }}" }]
`;
const others = `import { testBackend } from "@bridle/conformance";
import { startRehearsal } from "@bridle/rehearsal";
import { startTlsProxy } from "@bridle/rehearsal/tls";
export { startRehearsal, startTlsProxy, testBackend };
`;
const tools = `import { defineTool } from "bridle";
import { z } from "zod";
const execute = async ({ id }: { id: string }) => \`\${id} has shipped.\`;
export default [defineTool({ name: "lookup_order", description: "Find.", input: z.object({ id: z.string() }), execute })];
`;
const agent = `name: desk
instructions: { inline: Be kind. }
execution: { max_steps: 5 }
tools: [{ type: function, name: lookup_order, file: agent-tools.ts, function: lookupOrder }]
test_cases:
  - name: finds an order
    input: Where is A-1001?
    expected_tools: [{ name: lookup_order, args: { id: A-1001 } }]
    evaluations: [{ type: code, name: says it, file: agent-tools.ts, function: saysIt }]
`;
const agentTools = `import { defineTool } from "bridle";
import { describeAgent } from "bridle/agent";
import { type Grader, testRunsFolder } from "bridle/testing";
import { z } from "zod";
export const lookupOrder = defineTool({
  name: "lookup_order",
  description: "Find one order by its number.",
  input: z.object({ id: z.string() }),
  annotations: { readOnly: true },
  execute: async ({ id }) => \`\${id} has shipped.\`,
});
const values = [describeAgent, testRunsFolder].every((value) => typeof value === "function");
export const saysIt: Grader = ({ answer }) => (values && answer.includes("shipped") ? 1 : 0);
`;
const tested = `import { AgentFileError, loadAgent, openAgent } from "bridle/agent";
import { report, runTests, testRunSchema } from "bridle/testing";
const definition = await loadAgent("agent.yaml", { environment: process.env });
const desk = await openAgent(definition, { rehearse: "rehearsal.yaml" });
const { text } = await desk.run("Where is A-1001?").result;
await desk.close();
const run = await runTests(definition, { rehearse: "rehearsal.yaml" });
const { id } = testRunSchema.parse(JSON.parse(JSON.stringify(run)));
console.log(text, run.summary.passed, report(run, "markdown").includes(id), AgentFileError.name);
`;
const agentTest = `import { expect, test } from "vitest";
import { agentForTests, testCaseNames } from "bridle/vitest";
const desk = agentForTests("agent.yaml", { rehearse: "rehearsal.yaml" });
test("finds an order", async () => {
  const answer = await desk.ask("Where is A-1001?");
  expect(answer).toHaveCalled("lookup_order", { id: "A-1001" });
  expect(answer).not.toHaveCalled("lookup_order", { id: "B-2" });
  await expect(answer).toScore({ type: "standard", metric: "f1" }, { groundTruth: "A-1001 has shipped" });
});
test.each(await testCaseNames("agent.yaml"))("%s", async (name) => {
  await expect(desk.case(name)).resolves.toPass();
});
`;
const nodeTypes: string = JSON.parse(readFileSync(join(root, "node_modules/@types/node/package.json"), "utf8")).version;

let consumer: Consumer;
beforeAll(() => {
  consumer = new Consumer(["zod@4.6.7", "vitest@4.1.12"]);
  consumer.write("app.ts", application);
  consumer.write("rehearsal.yaml", script);
  consumer.write("others.ts", others);
  consumer.write("agent.yaml", agent);
  consumer.write("agent-tools.ts", agentTools);
  consumer.write("tested.ts", tested);
  consumer.write("agent.test.ts", agentTest);
});
afterAll(() => consumer?.close());

test("an application has the types of everything that it imports", () => {
  const files = ["app.ts", "tested.ts", "others.ts", "agent.test.ts", "agent-tools.ts"];
  consumer.write("tsconfig.json", JSON.stringify({ compilerOptions: strictOptions, files }));
  expect(consumer.run("tsc", ["--noEmit", "-p", "."])).toBe("");
});

/** Whether a registry has this Vitest version: the repository has no archives of versions other than its own. */
function isServed(version: string): boolean {
  return spawnSync("npm", ["view", `vitest@${version}`, "version", "--prefer-offline"]).stdout.includes(version);
}

const versionsOfVitest = ["4.1.12", "5.1.2"];

test.each(versionsOfVitest.filter((version) => version.startsWith("4.") || isServed(version)))(
  "the assertions on an agent have types with Vitest %s, also if the declarations of libraries are checked (others need the registry)",
  (version) => {
    const folder = `vitest-${version}`;
    consumer.install(folder, [`vitest@${version}`, `@types/node@${nodeTypes}`]);
    const wrong =
      '\ntest("types", () => {\n  // @ts-expect-error a tool has a name\n  expect({}).toHaveCalled(1);\n});\n';
    consumer.write(join(folder, "assertions.ts"), `${agentTest}${wrong}`);
    const { typeRoots: _typeRoots, ...options } = strictOptions;
    const paths = { vitest: ["./node_modules/vitest/dist/index.d.ts"] };
    const compilerOptions = { ...options, paths, skipLibCheck: false };
    consumer.write(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["assertions.ts"] }));
    const printed = consumer.run("tsc", ["--noEmit", "-p", "."], folder).split("\n");
    expect(printed.filter((line) => /TS2428|bridle|^assertions/.test(line))).toEqual([]);
  },
);

test("an application calls a tool, streams text and fills in an object", () => {
  expect(consumer.run("node", ["app.ts"])).toBe("A-1001 has shipped. natural 42 run.finished\n");
});

test("the command runs a file of tools without a build", () => {
  consumer.write("tools.ts", tools);
  const flags = ["--rehearse", "rehearsal.yaml", "--tools", "tools.ts", "--json"];
  const printed = consumer.run("node", ["node_modules/.bin/bridle", "run", ...flags, "Where is A-1001?"]);
  expect(JSON.parse(printed)).toMatchObject({ stopReason: "natural", text: "A-1001 has shipped." });
});

test("the command creates a project from its template, and its agent answers", () => {
  consumer.run("node", ["node_modules/.bin/bridle", "init", "desk", "--provider", "anthropic"]);
  const words = ["run", "--agent", "desk/agent.yaml", "--rehearse", "desk/rehearsal.yaml", "Where is order A-1001?"];
  expect(consumer.run("node", ["node_modules/.bin/bridle", ...words])).toContain(
    "Order A-1001 (Reading lamp) has been shipped",
  );
});

test("a program loads an agent, sends it prompts and runs its tests", () => {
  expect(consumer.run("node", ["tested.ts"])).toBe("A-1001 has shipped. 1 true AgentFileError\n");
});

test("the command runs an agent's tests, with a grader that imports the package", () => {
  const printed = consumer.run("node", [
    "node_modules/.bin/bridle",
    "test",
    "agent.yaml",
    "--rehearse",
    "rehearsal.yaml",
    "--json",
  ]);
  expect(JSON.parse(printed)).toMatchObject({ summary: { passed: 1, cases: 1 } });
});

test("Vitest runs assertions on an agent", () => {
  const report = consumer.run("node", [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--reporter=json",
    "--testTimeout=120000",
  ]);
  expect(JSON.parse(report)).toMatchObject({ numPassedTests: 2, numTotalTests: 2 });
});

const sdk = "node_modules/@anthropic-ai/claude-agent-sdk";

const versionsOfSdk: readonly [which: string, version: string, copies: readonly string[]][] = [
  ["the version that Bridle needs", "0.3.330", [sdk]],
  ["another version", "0.3.329", [sdk, `node_modules/@bridle/claude-code/${sdk}`]],
];

test.each(isSoak ? versionsOfSdk : versionsOfSdk.slice(0, 1))(
  "an application with an Agent SDK of its own, of %s, gets no copy that it does not need",
  (_, version, expected) => {
    consumer.install(
      "own-sdk",
      [`@anthropic-ai/claude-agent-sdk@${version}`, ...consumer.archives],
      "--package-lock-only",
    );
    const { packages } = JSON.parse(consumer.run("cat", ["own-sdk/package-lock.json"]));
    expect(Object.keys(packages).filter((path) => path.endsWith(sdk))).toEqual(expected);
  },
);

test("the command uses the Agent SDK of Bridle if the application has another one", () => {
  const own = join(consumer.folder, `node_modules/@bridle/claude-code/${sdk}`);
  mkdirSync(dirname(own), { recursive: true });
  renameSync(join(consumer.folder, sdk), own);
  consumer.write(`${sdk}/package.json`, JSON.stringify({ name: "other", version: "0.0.1", exports: "./index.js" }));
  consumer.write(`${sdk}/index.js`, "export {};");
  try {
    const words = ["run", "--tools", "tools.ts", "--rehearse", "rehearsal.yaml", "Where is A-1001?"];
    expect(consumer.run("node", ["node_modules/.bin/bridle", ...words])).toContain("A-1001 has shipped.");
    expect(consumer.run("node", ["node_modules/.bin/bridle", "doctor"])).toMatch(/✓ Claude Code .* 0\.3\.330/);
  } finally {
    rmSync(join(consumer.folder, sdk), { recursive: true });
    renameSync(own, join(consumer.folder, sdk));
  }
});

const oldNode = findOldNode();

/** Packages that do not use any Node.js module. */
const runAnywhere: ReadonlySet<string> = new Set([
  "@bridle/client",
  "@bridle/metric-formats",
  "@bridle/protocol",
  "@bridle/semantic",
  "@bridle/sql",
]);

test.skipIf(oldNode === undefined)(
  "every package says in one sentence that an old Node.js is too old (needs one on the PATH)",
  () => {
    const entries = readPackages()
      .filter((pkg) => !pkg.private && !runAnywhere.has(pkg.name))
      .map(({ name }) => name);
    const all = [...entries, "bridle/agent", "bridle/testing", "bridle/vitest", "@bridle/project/trust"];
    const program = `for (const entry of ${JSON.stringify(all)}) {
    const said = await import(entry).then(() => "loaded", (error) => error.message);
    console.log(entry + ": " + said);
  }
  process.exit();`;
    consumer.write("old.mjs", program);
    const version = consumer
      .run(oldNode ?? "", ["--version"])
      .trim()
      .slice(1);
    const sentence = `Bridle needs Node.js 22.18 or newer, and this is ${version}. Install a newer one from https://nodejs.org.`;
    const printed = consumer
      .run(oldNode ?? "", ["old.mjs"])
      .trim()
      .split("\n");
    expect(printed).toEqual(all.map((entry) => `${entry}: ${sentence}`));
  },
);
