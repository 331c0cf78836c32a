/** Tests code that an agent reaches in unusual ways: the user is asked about a change before the code runs. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how a file refers to the environment
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { agent, clone, rehearsal, run, touching, useClones } from "./clone-fixture.ts";

useClones();

const tool = (file: string) =>
  agent(
    `tools: [{ type: function, name: f, description: d, file: "${file}", function: f, parameters: { day: { type: string, default: x } } }]`,
  );
const server = (lines: string) => agent(`tools: [{ type: mcp, name: m, ${lines} }]`);
const grader = (file: string) =>
  agent(`evaluations: { metrics: [{ type: code, name: g, file: "${file}", function: f }] }`);

test("code at a path with a variable is asked about before it runs, and the question shows no value", async () => {
  const harmless = "export const f = () => 1;\n";
  const place = clone({ "agent.yaml": tool("${SRV}/t.mjs"), "srv/t.mjs": harmless, ...rehearsal });
  const variables = { SRV: "./srv" };
  await run("trust .", place, { variables });
  const words = "run --agent agent.yaml --rehearse script.yaml Hi";
  expect(await run(words, place, { variables })).toMatchObject({ code: 0, stdout: "Hello.\n" });
  writeFileSync(join(place.cwd, "srv/t.mjs"), touching.replace("MARKER", join(place.cwd, "../ran")));
  const { code, stderr } = await run(words, place, { variables });
  expect({ code, hasRun: place.ran() }).toEqual({ code: 3, hasRun: false });
  expect(stderr).toContain("the module ${SRV}/t.mjs (function f)");
});

const rows: readonly (readonly [what: string, text: string, file: string])[] = [
  ["a default in an argument", server('command: node, args: ["${BASE:-./srv/x.mjs}"]'), "srv/x.mjs"],
  [
    "a variable in a server's variable",
    server('command: node, env: { NODE_OPTIONS: "--import=${SRV}/x.mjs" }'),
    "srv/x.mjs",
  ],
  ["a variable in the path of a grader", grader("${SRV}/x.mjs"), "srv/x.mjs"],
  [
    "a variable in the folder of Claude Code",
    agent('claude: { working_directory: "${SRV}", setting_sources: [project] }'),
    "srv/.claude/settings.json",
  ],
];

test.each(rows)("a changed file is asked about: %s", async (_what, text, file) => {
  const place = clone({ "agent.yaml": text, [file]: "1" });
  const variables = { SRV: "srv" };
  expect(await run("trust", place, { variables })).toMatchObject({ code: 0 });
  expect(await run("trust --show", place, { variables })).toMatchObject({ code: 0 });
  mkdirSync(dirname(join(place.cwd, file)), { recursive: true });
  writeFileSync(join(place.cwd, file), "2");
  const { code, stdout } = await run("trust --show", place, { variables });
  expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringContaining("+ runs") });
});

const pythonServer = `import json, os, sys
import helper
os.makedirs("state", exist_ok=True)
open("state/cache.pkl", "wb").write(os.urandom(9))
for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    if request["method"] == "initialize":
        result = {"protocolVersion": request["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
    else:
        result = {"tools": [{"name": "t", "inputSchema": {"type": "object"}}]}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
`;

test.skipIf(spawnSync("python3", ["--version"]).status !== 0)(
  "a server in Python can run again and again, with its cache, and an output of the command in the folder (needs python3)",
  async () => {
    const place = clone({
      "agent.yaml": server("command: python3, args: [server.py]"),
      "server.py": pythonServer,
      "helper.py": "",
      ...rehearsal,
    });
    await run("trust", place);
    for (const text of ["first", "second"]) {
      expect(await run("run --agent agent.yaml --rehearse script.yaml Hi", place)).toMatchObject({ code: 0 });
      writeFileSync(join(place.cwd, "out"), text);
      writeFileSync(join(place.cwd, "tsconfig.tsbuildinfo"), text);
      expect(await run("trust --show", place)).toMatchObject({ code: 0 });
    }
    expect([existsSync(join(place.cwd, "state/cache.pkl")), existsSync(join(place.cwd, "__pycache__"))]).toEqual([
      true,
      false,
    ]);
    writeFileSync(join(place.cwd, "helper.py"), "1");
    expect(await run("trust --show", place)).toMatchObject({ code: 3 });
  },
);
