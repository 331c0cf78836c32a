/** Tests edits of an agent file that do not change what the agent can do: the user is not asked again. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how a file refers to the environment
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { agent, type Clone, clone, run, useClones } from "./clone-fixture.ts";

useClones();

const tool = (name: string, more = "") => `
  - type: function
    name: ${name}
    description: Looks up ${name}.
    file: tools.mjs
    function: ${name}
    parameters: { day: { type: string, description: A day. }, description: { type: string, default: x } }
${more}`;
const server = `
  - { type: mcp, name: files, description: Files., command: node, args: [server.mjs], env: { TOKEN: "\${SHOP_TOKEN}" } }`;
const called = `
  - { type: agent, name: helper, description: Helps., file: helper.yaml }`;
const metric = (name: string) => `  - { type: code, name: ${name}, file: tools.mjs, function: ${name} }\n`;
const text = (tools: string, metrics = metric("m")) =>
  agent(`skills: [../shared]\ntools:${tools}\nevaluations:\n  metrics:\n${metrics.replace(/^/gm, "  ").trimEnd()}`);

const helper =
  "name: helper\ninstructions: { inline: Help. }\ntools: [{ type: mcp, name: m, command: node, args: [h.mjs] }]\n";
const first = text(`${tool("a")}${server}${called}`);
let place: Clone;
beforeEach(async () => {
  place = clone({ "agent.yaml": first, "helper.yaml": helper, "tools.mjs": "", "server.mjs": "", "h.mjs": "" });
  expect(await run("trust", place)).toMatchObject({ code: 0 });
});

const write = (name: string, content: string) => writeFileSync(join(place.cwd, name), content);
const show = () => run("trust --show", place);

test.each<[what: string, change: (text: string) => string]>([
  ["descriptions", (all) => all.replace(/description: (Looks up a|Files|Helps)\./g, "description: Other.")],
  ["a description of a parameter", (all) => all.replace("A day.", "The day.")],
  ["the order of the tools", () => text(`${called}${server}${tool("a")}`)],
  ["instructions", (all) => all.replace("Be kind.", "Be brief.")],
])("other %s need no new trust", async (_what, change) => {
  expect(change(first)).not.toBe(first);
  write("agent.yaml", change(first));
  expect(await show()).toMatchObject({ code: 0 });
});

test("other instructions of an agent that is called need no new trust, and another tool of it does", async () => {
  write("helper.yaml", helper.replace("Help.", "Help briefly."));
  expect(await show()).toMatchObject({ code: 0 });
  write("helper.yaml", helper.replace("h.mjs", "evil.mjs"));
  expect(await show()).toMatchObject({ code: 3, stdout: expect.stringContaining("+ runs          node evil.mjs") });
});

test("an entry that is added before others is asked about alone", async () => {
  write(
    "agent.yaml",
    text(`${tool("b")}${tool("a")}${server}${called}`, metric("n") + metric("m")).replace(
      "[../shared]",
      "[../more, ../shared]",
    ),
  );
  const { code, stdout } = await show();
  expect(code).toBe(3);
  const marked = stdout.split("\n").filter((line) => /^[-+] /.test(line));
  expect(marked.map((line) => line.replace(/ +/g, " ").replace(/ with python3/, ""))).toEqual([
    "+ runs the module tools.mjs (function b) (tools.0)",
    "+ runs the module tools.mjs in tests (evaluations.metrics.0)",
    "+ reads ../more, outside of the folder (skills.0)",
  ]);
});

test.each<[what: string, change: (text: string) => string]>([
  [
    "a variable with the name of a description",
    (all) => all.replace("TOKEN:", "description: --import=./x.mjs, TOKEN:"),
  ],
  ["another default of a parameter with this name", (all) => all.replace("default: x", "default: y")],
  ["another function", (all) => all.replace("function: a", "function: c")],
  ["two tools that change their names", () => text(`${tool("a").replace("name: a", "name: z")}${server}${called}`)],
])("%s needs new trust", async (_what, change) => {
  expect(change(first)).not.toBe(first);
  write("agent.yaml", change(first));
  expect(await show()).toMatchObject({ code: 3 });
});
