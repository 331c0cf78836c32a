import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli } from "../../command/cli-for-tests.ts";

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-metrics-export-"));
  await writeFile(join(cwd, "bridle.yaml"), "llm: { provider: { backend: none } }\n");
  await mkdir(join(cwd, "context/models"), { recursive: true });
  const orders = `name: orders
table: main.orders
primary_key: [id]
dimensions: [{ name: status, type: string }]
measures: [{ name: revenue, agg: sum, expr: amount }]
segments: [{ name: paid, filter: "status = 'paid'" }]
`;
  await writeFile(join(cwd, "context/models/orders.yaml"), orders);
});
afterAll(() => rm(cwd, { recursive: true }));

const bridle = (...words: string[]) => runCli(words, { cwd });

test("an export prints the document, and what it cannot say with model and field", async () => {
  const { code, stdout, stderr } = await bridle("metrics", "export", "--to", "osi");
  expect(code).toBe(1);
  expect(stdout).toMatch(/^version: 0\.2\.0\.dev0\n/);
  expect(stderr).toContain("orders: refused segment paid. There are no segments there.");
  expect(stderr).toContain("Exported 1 model to osi; 1 refused, 0 changed.");
});

test("an exported file is imported again, and is not replaced unless --force says so", async () => {
  expect(await bridle("metrics", "export", "--to", "osi", "--output", "model.yaml")).toMatchObject({
    code: 1,
    stdout: "",
  });
  expect(await bridle("metrics", "export", "--to", "osi", "--output", "model.yaml")).toMatchObject({ code: 3 });
  expect(await bridle("metrics", "export", "--to", "osi", "--output", "model.yaml", "--force")).toMatchObject({
    code: 1,
  });
  const imported = await bridle("metrics", "import", "model.yaml", "--force");
  expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining("Imported 1 model from osi") });
  expect(await readFile(join(cwd, "context/models/orders.yaml"), "utf8")).toContain("revenue");
});

test.each([
  [["--to", "ossi"], 3, 'There is no format ossi. Did you mean "osi"?'],
  [[], 2, "The format is missing. Name one with --to: osi"],
  [["--to", "osi", "--project-dir", "empty"], 3, "There are no models."],
  [["--to", "osi", "--project-dir", "wrong"], 3, "context/models/a.yaml:1:1"],
])("bridle metrics export %j ends with its reason", async (words, code, message) => {
  for (const folder of ["empty", "wrong/context/models"]) await mkdir(join(cwd, folder), { recursive: true });
  for (const folder of ["empty", "wrong"]) await writeFile(join(cwd, folder, "bridle.yaml"), "{}\n");
  await writeFile(join(cwd, "wrong/context/models/a.yaml"), "names: a\n");
  const ended = await bridle("metrics", "export", ...words);
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code, stderr: expect.stringContaining(message) });
});
