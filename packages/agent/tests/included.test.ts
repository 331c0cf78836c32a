// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
/** Tests parts of an agent file that are in other files: test cases and named databases. */
import { mkdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AgentFileError } from "../src/index.ts";
import { type AgentFixture, createAgentFixture } from "./agent-fixture.ts";

let fixture: AgentFixture;
beforeAll(async () => {
  fixture = await createAgentFixture({ "docs/a.md": "# Returns\n\nThirty days.\n", "data/bill.txt": "A bill." });
});
afterAll(() => fixture.close());

const head = "name: desk\ninstructions: { inline: Be kind. }\n";
const withCases = (name: string) => `${head}test_cases_file: ${name}\n`;

async function problems(yaml: string, environment = {}): Promise<string[]> {
  const failed = await fixture.load(yaml, environment).catch((error: unknown) => error);
  if (!(failed instanceof AgentFileError)) throw failed;
  return failed.problems.map(
    ({ message, position }) => `${position.file}:${position.line}:${position.column ?? ""}: ${message}`,
  );
}

describe("test_cases_file", () => {
  test.each([
    ["a list in YAML", "cases.yaml", "- input: A?\n  ground_truth: B\n- input: C?\n  turn_config: { n: 1 }\n"],
    [
      "a mapping in YAML",
      "wrapped.yaml",
      "test_cases:\n  - { input: A?, ground_truth: B }\n  - { input: C?, turn_config: { n: 1 } }\n",
    ],
    [
      "a list in JSON",
      "cases.json",
      '[{ "input": "A?", "ground_truth": "B" }, { "input": "C?", "turn_config": { "n": 1 } }]',
    ],
    [
      "lines of JSON",
      "cases.jsonl",
      '{ "input": "A?", "ground_truth": "B" }\n\n{"input":"C?","turn_config":{"n":1}}\n',
    ],
    ["a table", "cases.csv", 'input,ground_truth,turn_config\nA?,B,\nC?,,"{""n"":1}"\n'],
  ])("is %s", async (_title, name, text) => {
    await fixture.write({ [name]: text });
    const { config } = await fixture.load(withCases(name));
    expect(config.test_cases).toEqual([
      { input: "A?", ground_truth: "B" },
      { input: "C?", turn_config: { n: 1 } },
    ]);
  });

  test("has the expected tools of a table as names or as JSON, and texts that look like numbers stay texts", async () => {
    await fixture.write({
      "tools.csv": 'input,ground_truth,expected_tools\n12,007,"a; b"\nb,,"[{""name"":""c"",""count"":2}]"\nc,,none\n',
    });
    const { config } = await fixture.load(withCases("tools.csv"));
    expect(config.test_cases).toEqual([
      { input: "12", ground_truth: "007", expected_tools: ["a", "b"] },
      { input: "b", expected_tools: [{ name: "c", count: 2 }] },
      { input: "c", expected_tools: "none" },
    ]);
  });

  test("has problems with the positions in its own file", async () => {
    await fixture.write({
      "wrong.yaml": "test_cases:\n  - input: A?\n    truth: B\n",
      "wrong.jsonl": '{ "input": "A?" }\n\n{ "inptu": "C?" }\n',
      "wrong.csv": 'input,truth\n"A\n?",\nB?,C\n',
      "broken.csv": 'input\n"A',
    });
    expect((await problems(withCases("wrong.yaml")))[0]).toMatch(/^wrong\.yaml:3:5: unknown key "truth"/);
    expect((await problems(withCases("wrong.jsonl"))).join("\n")).toMatch(/^wrong\.jsonl:3:: .*Did you mean "input"/m);
    expect((await problems(withCases("wrong.csv"))).join("\n")).toMatch(/^wrong\.csv:4:: unknown key "truth"/m);
    expect(await problems(withCases("broken.csv"))).toEqual([
      expect.stringMatching(
        /^agent\.yaml:3:\d+: test_cases_file names broken\.csv, which cannot be read as test cases: /,
      ),
    ]);
  });

  test("that is missing, or beside test_cases, is refused", async () => {
    expect(await problems(withCases("none.yaml"))).toEqual([
      expect.stringContaining("test_cases_file names none.yaml, which does not exist."),
    ]);
    await fixture.write({ "cases.yaml": "- input: A?\n" });
    expect(await problems(`${withCases("cases.yaml")}test_cases: [{ input: B? }]\n`)).toEqual([
      expect.stringContaining("test_cases_file cannot be combined with test_cases. Keep one of them."),
    ]);
  });

  test("names files from its own folder, and variables of the environment", async () => {
    await fixture.write({
      "data/cases.yaml": "- input: Read the bill of ${WHO}.\n  files: [{ path: bill.txt, type: text }]\n",
    });
    const { config, sources } = await fixture.load(withCases("data/cases.yaml"), { WHO: "Ada" });
    expect(config.test_cases).toEqual([
      { input: "Read the bill of Ada.", files: [{ path: "data/bill.txt", type: "text" }] },
    ]);
    expect(sources.written["test_cases.0.input"]).toBe("Read the bill of ${WHO}.");
    expect(sources.positions["test_cases.0.input"]).toMatchObject({ file: "data/cases.yaml", line: 1 });
  });
});

describe("database: NAME", () => {
  const tool = (name: string) =>
    `${head}tools: [{ type: documents, name: handbook, source: docs, database: ${name} }]\n`;
  const stores =
    'vectorstores:\n  shared: { provider: postgres, connection_string: "${DATABASE_URL}" }\n  chroma: { provider: chromadb, connection_string: http://x.example }\nproviders: { a: { api_key: "${OTHER}" } }\n';

  test("is the store of that name in config.yaml, with its variables and no other", async () => {
    await fixture.write({ "config.yaml": stores });
    const { config, sources, values } = await fixture.load(tool("shared"), { DATABASE_URL: "postgresql://a:b@c/d" });
    expect(config.tools).toMatchObject([
      { database: { provider: "postgres", connection_string: "postgresql://a:b@c/d" } },
    ]);
    expect(sources.written["tools.0.database.connection_string"]).toBe("${DATABASE_URL}");
    expect(values).toContainEqual({ value: "postgresql://a:b@c/d", shown: "${DATABASE_URL}" });
  });

  test("is refused with the position of a syntax error in config.yaml, and if that file cannot be read", async () => {
    await fixture.write({ "config.yaml": "vectorstores:\n  shared: [postgres\n" });
    expect((await problems(tool("shared")))[0]).toMatch(/config\.yaml:\d+:\d+: this is not YAML/);
    await rm(join(fixture.folder, "config.yaml"));
    await mkdir(join(fixture.folder, "config.yaml"));
    expect((await problems(tool("shared")))[0]).toMatch(/config\.yaml.+cannot be read \(EISDIR\)\. Allow reading it\./);
    await rmdir(join(fixture.folder, "config.yaml"));
  });

  test("is refused if the store is missing, its variable is not set, or Bridle has no such store", async () => {
    await fixture.write({ "config.yaml": stores });
    expect((await problems(tool("shraed")))[0]).toMatch(
      /tools\.0\.database is shraed, but vectorstores in config\.yaml has no such store\. It has shared, chroma\. Did you mean "shared"\?/,
    );
    expect((await problems(tool("shared")))[0]).toContain("the environment has no DATABASE_URL. Set it.");
    expect((await problems(tool("chroma")))[0]).toContain(
      "is chroma, a store of chromadb in config.yaml, which Bridle does not have. Write database: embedded, and the index",
    );
  });
});
