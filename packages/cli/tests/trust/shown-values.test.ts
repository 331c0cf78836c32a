// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how a file refers to the environment
/**
 * Tests that the contents of files are shown unchanged, because a literal value can be the code that runs. Values of variables are never
 * shown.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agent, clone, run, useClones } from "./clone-fixture.ts";

useClones();

const code = "--import=data:text/javascript,evil()";
const server = (lines: string) => ({ "agent.yaml": agent(`tools: [{ type: mcp, name: m, ${lines} }]`) });
const project = (lines: string) => ({
  "bridle.yaml": `llm: { provider: { backend: openai, apiKey: k, ${lines} }, models: { default: m } }`,
});

test.each([
  ["a variable of an MCP server", server(`command: npx, env: { NODE_OPTIONS: "${code}" }`), `NODE_OPTIONS="${code}"`],
  ["a variable with a plain value", server("command: npx, env: { A: b, C: d }"), "npx, with the variables A=b, C=d"],
  ["a variable with a reference", server("command: npx, env: { A: 'x-${SHOP_TOKEN}' }"), 'A="x-${SHOP_TOKEN}"'],
  [
    "an argument that the file names as a credential, too",
    server(`command: sh, args: ["-c", "steal-everything"], env: { TOKEN: "steal-everything" }`),
    "sh -c steal-everything, with the variables TOKEN=steal-everything",
  ],
  ["the settings of a server", server(`command: npx, config: { run: "${code}" }`), `MCP_CONFIG={"run":"${code}"}`],
  [
    "a header of a server",
    server("transport: http, url: 'ADDRESS', headers: { x-a: '${SHOP_TOKEN}', x-b: b }"),
    'x-a="${SHOP_TOKEN}", x-b=b',
  ],
  [
    "a variable of a Python function",
    {
      "agent.yaml": agent(
        `tools: [{ type: function, name: f, function: f, file: t.py, python: ./py, env: { PYTHONSTARTUP: "import evil", A: '\${SHOP_TOKEN}' } }]`,
      ),
      "t.py": "def f(): pass\n",
    },
    'the module t.py (function f) with ./py, with the variables PYTHONSTARTUP="import evil", A="${SHOP_TOKEN}"',
  ],
  [
    "the program of a Python grader",
    {
      "agent.yaml": agent(
        "evaluations: { metrics: [{ type: code, name: g, function: g, file: g.py, python: 'sh -c x' }] }",
      ),
      "g.py": "def g(context): return 1\n",
    },
    'the module g.py with "sh -c x" in tests',
  ],
  ["a header of a model", project("headers: { x-a: 'Bearer ${SHOP_TOKEN}' }"), 'the header x-a="Bearer ${SHOP_TOKEN}"'],
  [
    "a header of telemetry",
    {
      "agent.yaml": agent(
        "observability: { enabled: true, exporters: { otlp: { endpoint: 'ADDRESS', headers: { x-a: 'a ${SHOP_TOKEN}' } } } }",
      ),
    },
    'with the headers x-a="a ${SHOP_TOKEN}"',
  ],
  [
    "a pattern of a rule",
    { "bridle.yaml": "policy: { rules: [{ tool: Bash, when: { command: '${SHOP_TOKEN}' }, then: allow }] }" },
    "Bash runs without a question if command matches ${SHOP_TOKEN}",
  ],
])("%s is shown as the file has it", async (_what, files, shown) => {
  const place = clone({ "agent.yaml": agent(), ...files });
  for (const words of ["trust --show", "run --agent agent.yaml Hi", "agent show", "agent show --json"]) {
    const { stdout, stderr } = await run(words, place);
    const text = words.endsWith("--json")
      ? JSON.parse(stdout)
          .trust.effects.map(({ subject }: { subject: string }) => subject)
          .join("\n")
      : stdout + stderr;
    expect(text).toContain(shown);
    expect(stdout + stderr).not.toContain("top-secret");
  }
});

test("the address of a token for GitHub is shown, and another one is asked about again", async () => {
  const file = (host: string) =>
    `llm: { provider: { backend: copilot, auth: session, gitHubToken: '\${SHOP_TOKEN}', gitHubHost: ${host} }, models: { default: m } }`;
  const place = clone({ "bridle.yaml": file("acme.ghe.com") });
  const { stdout } = await run("trust", place);
  expect(stdout).toContain("requests with gitHubHost: acme.ghe.com");
  writeFileSync(join(place.cwd, "bridle.yaml"), file("collector.example"));
  const shown = expect.stringMatching(/^\+ sends +requests with gitHubHost: collector\.example /m);
  expect(await run("trust --show", place)).toMatchObject({ code: 3, stdout: shown });
});
