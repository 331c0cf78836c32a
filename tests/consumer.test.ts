/** The packages as they are published, in a project that has nothing of this repository. */
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readPackages, root } from "../scripts/packages.ts";

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
const others = `import { testBackend } from "@bridle/core/conformance";
import { startRehearsal } from "@bridle/rehearsal";
import { startTlsWayIn } from "@bridle/rehearsal/tls";
export { startRehearsal, startTlsWayIn, testBackend };
`;
const tools = `import { defineTool } from "bridle";
import { z } from "zod";
const execute = async ({ id }: { id: string }) => \`\${id} has shipped.\`;
export default [defineTool({ name: "lookup_order", description: "Find.", input: z.object({ id: z.string() }), execute })];
`;
const strict = {
  target: "es2024",
  module: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  types: ["node"],
  typeRoots: [join(root, "node_modules/@types")],
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bridle-consumer-"));
  const workspaces = readPackages().map(({ name }) => `--workspace=${name}`);
  const pack = ["pack", "--ignore-scripts", "--pack-destination", folder, ...workspaces];
  execFileSync("npm", pack, { cwd: root, stdio: "pipe" });
  const tarballs = globSync("*.tgz", { cwd: folder }).map((name) => `./${name}`);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  const options = ["--no-audit", "--no-fund", "--prefer-offline", "--no-package-lock", "--loglevel=error"];
  execFileSync("npm", ["install", ...options, ...tarballs, "zod@4.6.7"], { cwd: folder, stdio: "pipe" });
  writeFileSync(join(folder, "app.ts"), application);
  writeFileSync(join(folder, "rehearsal.yaml"), script);
  writeFileSync(join(folder, "others.ts"), others);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

test("an application has the types of everything that it imports", () => {
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: strict, files: ["app.ts"] }));
  expect(run("tsc", ["--noEmit", "-p", "."])).toBe("");
});

test("the other entries have types as well", () => {
  const options = { ...strict, skipLibCheck: true };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["others.ts"] }));
  expect(run("tsc", ["--noEmit", "-p", "."])).toBe("");
});

test("an application runs: a tool is called, text is streamed, an object is filled in", () => {
  expect(run("node", ["app.ts"])).toBe("A-1001 has shipped. natural 42 run.finished\n");
});

test("the command runs a tools file, without a build", () => {
  writeFileSync(join(folder, "tools.ts"), tools);
  const flags = ["--rehearse", "rehearsal.yaml", "--tools", "tools.ts", "--json"];
  const printed = run("node", ["node_modules/.bin/bridle", "run", ...flags, "Where is A-1001?"]);
  expect(JSON.parse(printed)).toMatchObject({ stopReason: "natural", text: "A-1001 has shipped." });
});

test("the command makes a project from its template, and its agent answers", () => {
  run("node", ["node_modules/.bin/bridle", "init", "desk", "--provider", "anthropic"]);
  const words = ["run", "--agent", "desk/agent.yaml", "--rehearse", "desk/rehearsal.yaml", "Where is order A-1001?"];
  expect(run("node", ["node_modules/.bin/bridle", ...words])).toContain("Order A-1001 (Reading lamp) has been shipped");
});

function run(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}
