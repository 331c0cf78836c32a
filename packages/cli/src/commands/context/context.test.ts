import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { runCli } from "../../command/cli-for-tests.ts";

const demo = new URL("../../../../bridle/demo/context/company.js", import.meta.url);
const { writeCompany } = z
  .object({ writeCompany: z.custom<(file: string) => void>((value) => typeof value === "function") })
  .parse(await import(pathToFileURL(demo.pathname).href));

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-context-command-"));
  writeCompany(join(cwd, "roaster.db"));
  await writeFile(join(cwd, "bridle.yaml"), "llm: { provider: { backend: none } } # ours\n");
});
afterEach(() => rm(cwd, { recursive: true }));

const bridle = (...words: string[]) => runCli(["context", ...words], { cwd });

/** Returns the environment of Git, with an author name for commits, and without the settings of this machine. */
function gitEnvironment(home: string): Record<string, string> {
  const person = { NAME: "Ada", EMAIL: "ada@mail.example" };
  const names = Object.entries(person).flatMap(([key, value]) => [
    [`GIT_AUTHOR_${key}`, value],
    [`GIT_COMMITTER_${key}`, value],
  ]);
  return { ...Object.fromEntries(names), HOME: home, PATH: process.env.PATH ?? "", GIT_CONFIG_NOSYSTEM: "1" };
}

describe("bridle context", () => {
  test("before a scan, each command says what comes first", async () => {
    for (const words of [["scan"], ["search", "x"], ["show", "x"]]) {
      const { code, stdout, stderr } = await bridle(...words);
      expect({ words, code, stdout }).toEqual({ words, code: 3, stdout: "" });
      expect(stderr).toMatch(words[0] === "scan" ? /"bridle context init" find/ : /"bridle context scan" first/);
    }
    expect((await bridle("init")).stderr).toContain("Add --yes to add all of them.");
    await bridle("init", "--yes");
    expect((await bridle("status")).stdout).toContain('not scanned yet. Run "bridle context scan roaster".');
    expect((await bridle("search", "customers")).stderr).toContain('Run "bridle context scan" first.');
  });

  test.each(["init", "scan", "search", "changes"])(
    "the help of %s fits 80 columns, without lines that end early",
    async (name) => {
      const { stdout } = await bridle(name, "--help");
      expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
      const [, description = ""] = stdout.split("\n\n");
      const lines = description.split("\n");
      for (const [index, line] of lines.slice(0, -1).entries()) {
        const [next = ""] = (lines[index + 1] ?? "").split(" ");
        expect(line.endsWith(".") || `${line} ${next}`.length > 78, line).toBe(true);
      }
    },
  );

  test("a scan lists the patterns of the connection that match nothing", async () => {
    await bridle("init", "--yes");
    const file = join(cwd, "bridle.yaml");
    const patterns = '      exclude: [main.tmp_notes]\n      sensitive: ["*.*.no_such_column"]\n';
    await writeFile(file, `${await readFile(file, "utf8")}${patterns}`);
    const { stdout } = await bridle("scan");
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("unmatched exclude: main.tmp_notes: no name matches it");
    expect(stdout).toContain("unmatched sensitive: *.*.no_such_column");
    const { scans } = JSON.parse((await bridle("scan", "--json")).stdout);
    expect(scans[0].unmatched).toEqual(["exclude: main.tmp_notes", "sensitive: *.*.no_such_column"]);
  });

  test("commands that ask the data warn of patterns of the connection that match nothing", async () => {
    await bridle("init", "--yes");
    await bridle("scan");
    const file = join(cwd, "bridle.yaml");
    await writeFile(file, `${await readFile(file, "utf8")}      exclude: [main.tmp_notes]\n`);
    const { code, stdout, stderr } = await runCli(["sql", "roaster", "SELECT count(*) AS n FROM customers", "--csv"], {
      cwd,
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "n\n160\n" });
    const warning =
      'warning: No name of the connection roaster matches "exclude: main.tmp_notes", so it has no effect. Correct or remove it in bridle.yaml.\n';
    expect(stderr.split(warning)).toHaveLength(2);
    await mkdir(join(cwd, "context/models"), { recursive: true });
    const model =
      "name: customers\ntable: main.customers\nprimary_key: [cust_no]\nmeasures: [{ name: count, agg: count }]\n";
    await writeFile(join(cwd, "context/models/customers.yaml"), model);
    const asked = await runCli(["query", "customers.count", "--csv"], { cwd });
    expect({ code: asked.code, stderr: asked.stderr }).toEqual({ code: 0, stderr: expect.stringContaining(warning) });
  });

  test("status shows the pattern of files as bridle.yaml has it", async () => {
    await mkdir(join(cwd, "sub"));
    await writeFile(join(cwd, "sub/shops.csv"), "id,town\n1,Quillmoor\n");
    const connections = "context: { connections: { shops: { type: duckdb, files: 'sub/*.csv' } } }\n";
    await writeFile(join(cwd, "bridle.yaml"), `llm: { provider: { backend: none } }\n${connections}`);
    expect((await bridle("status")).stdout).toContain("shops (duckdb, sub/*.csv): not scanned yet.");
  });

  test("a scan counts as many files that were not read as it lists, also those in UTF-16", async () => {
    await mkdir(join(cwd, "data"));
    await writeFile(join(cwd, "data/shops.csv"), "id,town\n1,Quillmoor\n");
    await writeFile(join(cwd, "data/marked.csv"), Buffer.from("\ufeffid,town\n1,Oslo\n", "utf16le"));
    await writeFile(join(cwd, "data/plain.csv"), Buffer.from("id,town\n1,Oslo\n", "utf16le"));
    const connections = "context: { connections: { shops: { type: duckdb, files: data } } }\n";
    await writeFile(join(cwd, "bridle.yaml"), `llm: { provider: { backend: none } }\n${connections}`);
    const { code, stdout } = await bridle("scan");
    expect(code).toBe(1);
    const text = stdout.replaceAll(/\s+/g, " ");
    expect(text).toMatch(/^shops: 3 tables \(1 read, 2 not read\)/);
    for (const name of ["marked", "plain"])
      expect(text).toMatch(
        new RegExp(
          `not read shops\\.main\\.${name}: \\S*data/${name}\\.csv is in UTF-16, which DuckDB does not read. Save it as UTF-8\\.`,
        ),
      );
    expect(stdout.match(/^ {2}not read {2}/gm)).toHaveLength(2);
  });

  test("init, scan, status, show and joins lead from a folder with a database to its joins", async () => {
    const init = await bridle("init", "--yes");
    expect(init).toMatchObject({ code: 0, stderr: "" });
    expect(await readFile(join(cwd, "bridle.yaml"), "utf8")).toBe(
      "llm: { provider: { backend: none } } # ours\ncontext:\n  connections:\n    roaster:\n      type: sqlite\n      file: roaster.db\n",
    );
    expect((await bridle("status")).stdout).toContain("roaster (sqlite, roaster.db): not scanned yet.");
    const scan = await bridle("scan");
    expect(scan).toMatchObject({ code: 0, stderr: "" });
    expect(scan.stdout).toMatch(
      /^roaster: 13 tables \(all read\), 57 columns, 15 joins(?: \(\d+ to review: .*\))?; \d+ queries, /,
    );
    expect((await bridle("scan")).stdout).toMatch(/^roaster: 13 tables \(0 read, 13 unchanged\)/);
    expect((await bridle("status")).stdout).toMatch(
      /^roaster \(sqlite, roaster.db, SQLite .*\): 13 tables, 57 columns, 15 joins;/,
    );

    const shown = (await bridle("show", "customers")).stdout;
    expect(shown).toMatch(
      /^roaster\.main\.customers\ntable, 160 rows, read: all rows, scanned .*\nkey: cust_no \(found/,
    );
    expect(shown).toMatch(/^email .*sensitive: email$/m);
    expect(shown).not.toContain("mail.example");
    const joins = (await bridle("joins", "--table", "order_lines")).stdout;
    expect(joins).toContain("roaster.main.order_lines.sku → roaster.main.products.sku");
    expect(joins).toContain("59 rows without a parent (2.6 %) such as CF-OLD-500");
  });

  async function idOfHierarchy(): Promise<string> {
    const { joins } = JSON.parse((await bridle("joins", "--table", "categories", "--json")).stdout);
    const found = joins.find(({ from }: { from: { columns: string[] } }) => from.columns.join() === "parent_code");
    return found.id;
  }

  test("a rejected join is written to a file with its reason, stays rejected, and is among the changes", async () => {
    await bridle("init", "--yes");
    await bridle("scan");
    const id = await idOfHierarchy();
    const rejected = await bridle("joins", "reject", id, "--reason", "Both are counters.");
    expect(rejected.stdout).toBe(`${id} is rejected: written to context/tables/roaster/main.yaml\n`);
    await bridle("scan", "--refresh");
    const joins = JSON.parse((await bridle("joins", "--table", "categories", "--json")).stdout).joins;
    expect(
      joins.filter((each: { id: string; status: string }) => each.id === id && each.status !== "rejected"),
    ).toEqual([]);
    const changes = (await bridle("changes")).stdout;
    expect(changes).toMatch(/join of roaster\.main\.categories\(parent_code\) → .*, by person\n/);
    expect(changes).toContain("reason: Both are counters.");
  });

  test("a decision about a join becomes a commit of its file, if bridle.yaml says so", async () => {
    const git = (...words: string[]) => execFileSync("git", words, { cwd, encoding: "utf8", env: gitEnvironment(cwd) });
    await bridle("init", "--yes");
    await bridle("scan");
    const yaml = await readFile(join(cwd, "bridle.yaml"), "utf8");
    await writeFile(join(cwd, "bridle.yaml"), yaml.replace("context:\n", "context:\n  commit: true\n"));
    git("init", "--quiet");
    git("add", "bridle.yaml");
    git("commit", "--quiet", "--message", "Add the project");
    const words = ["context", "joins", "accept", await idOfHierarchy(), "--json"];
    const { stdout } = await runCli(words, { cwd, environment: gitEnvironment(cwd) });
    expect(JSON.parse(stdout)).toMatchObject({ isApplied: true, commit: expect.stringMatching(/^[0-9a-f]{40}/) });
    expect(git("show", "--name-only", "--format=").trim()).toBe("context/tables/roaster/main.yaml");
  });

  test("status names tables in files of the context that no scan found", async () => {
    await bridle("init", "--yes");
    await bridle("scan");
    await mkdir(join(cwd, "context/tables/roaster"), { recursive: true });
    await writeFile(join(cwd, "context/tables/roaster/main.yaml"), "tables: { order: { description: Sold. } }\n");
    const { stderr } = await bridle("status");
    expect(stderr).toBe('The scan found no table roaster.main.order. Did you mean "roaster.main.orders"?\n');
  });

  test("drift names what changed between two scans", async () => {
    await bridle("init", "--yes");
    await bridle("scan");
    const database = new DatabaseSync(join(cwd, "roaster.db"));
    database.exec("ALTER TABLE refunds ADD COLUMN note TEXT; DROP TABLE ratings");
    database.close();
    const scan = await bridle("scan");
    expect(scan.stdout).toMatch(/12 tables \(1 read, /);
    const { stdout } = await bridle("drift");
    expect(stdout).toMatch(/^table removed +roaster\.main\.ratings/m);
    expect(stdout).toMatch(/^column added +roaster\.main\.refunds\.note/m);
  });

  test.each([
    [["scan"], 3, 'bridle.yaml has no context.connections. Add one, or let "bridle context init" find databases.'],
    [["show"], 2, "The table is missing. Name it: bridle context show TABLE."],
    [["show", "orders"], 3, 'No warehouse has been scanned yet. Run "bridle context scan" first.'],
    [["joins", "maybe"], 2, "maybe is not an action. Use list, accept or reject."],
    [["joins", "accept"], 2, "The id is missing. Write bridle context joins accept ID."],
    [["joins", "accept", "abc"], 3, 'There is no join abc. List them with "bridle context joins".'],
    [["init"], 1, "Nothing was added. Add --yes to add all of them."],
  ])("%j ends with code %i and one sentence", async (words, code, sentence) => {
    const result = await bridle(...words);
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(sentence);
    expect(result.stdout).toBe("");
  });

  test("a connection that is not there is refused with the nearest name", async () => {
    await bridle("init", "--yes");
    const result = await bridle("scan", "roster");
    expect(result).toMatchObject({ code: 3, stdout: "" });
    expect(result.stderr).toContain("There is no connection roster. Did you mean");
    expect((await bridle("scan", "elsewhere")).stderr).toContain(
      "There is no connection elsewhere. There are: roaster.",
    );
  });

  test("the demo trusts its own files, also at a terminal", async () => {
    const options = { cwd, hasTrust: true, typed: [], environment: { HOME: cwd } };
    const { stdout, stderr } = await runCli(["context", "demo", "--output", "kept"], options);
    expect(stdout).toContain("\nroaster: 13 tables (all read)");
    expect(stderr).not.toContain("Trust these files?");
    const status = await runCli(["context", "scan", "--project-dir", "kept"], options);
    expect(status.stderr).not.toContain("Trust these files?");
  });

  test("a table that was not found is answered with the nearest names", async () => {
    await bridle("init", "--yes");
    await bridle("scan");
    expect((await bridle("show", "order")).stderr).toMatch(/^There is no table order\. Did you mean/);
  });
});
