import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlace, type Place, startCommand } from "../../cli/tests/support/command.ts";

let place: Place;
beforeEach(async () => {
  place = await createPlace();
  await mkdir(join(place.home, "tmp"));
});
afterEach(() => place.remove());

test("the demo of the context scans a database, answers with its figures and statements, answers all questions with known answers right, and leaves no files behind", async () => {
  const command = startCommand(["context", "demo", "--eval"], place, { TMPDIR: join(place.home, "tmp") });
  expect([await command.ended, command.stderr()]).toEqual([0, expect.stringContaining("✓ run_sql ")]);
  expect(command.stderr()).toContain("✓ What was our profit in 2025?");
  const output = command.stdout();
  expect(output).toMatch(/roaster: 13 tables \(all read\), 57 columns, \d+ joins/);
  expect(output).toMatch(/^email .*sensitive: email$/m);
  expect(output).not.toContain("mail.example");
  expect(output).toContain(
    "After refunds, 2025 brought 369,238.40 EUR: 369,856.40 EUR of sales minus 618.00 EUR of refunds.",
  );
  expect(output).toContain(
    "SQL on roaster, from roaster.main.orders, roaster.main.order_lines, roaster.main.refunds (1 row):",
  );
  expect((await readdir(join(place.home, "tmp"))).filter((name) => name.startsWith("bridle-"))).toEqual([]);

  const [, evaluated = ""] = command.stdout().split("$ bridle context eval\n");
  const metrics = Object.fromEntries(
    [...evaluated.matchAll(/^(rows|assumption|unknown) .* (\d+\/\d+)$/gm)].map(([, name, passed]) => [name, passed]),
  );
  expect(metrics).toEqual({ rows: "55/55", assumption: "5/5", unknown: "4/4" });
  expect(evaluated).toContain("59 of 59 cases passed");
});

test("the demo of the context can be kept without a question about trust, and its figures are those of its database", async () => {
  const untrusting = { BRIDLE_TRUST: "" };
  const folder = join(place.home, "kept", "roaster"); // elsewhere, by its absolute path
  const kept = startCommand(["context", "demo", "--output", folder], place, untrusting);
  expect(await kept.ended).toBe(0);
  expect(kept.stdout()).toContain(`cd ${folder} && bridle ask`);
  expect(await readdir(place.project)).toEqual([]);
  const database = new DatabaseSync(join(folder, "roaster.db"), { readOnly: true });
  const sold = "SELECT order_no FROM orders WHERE status = 'done' AND channel <> 'test' AND placed_at LIKE '2025-%'";
  const figures = database
    .prepare(
      `SELECT (SELECT round(sum(qty * unit_price), 2) FROM order_lines WHERE order_no IN (${sold})) AS sales,
        (SELECT round(sum(amount), 2) FROM refunds WHERE order_no IN (${sold})) AS refunds`,
    )
    .get();
  database.close();
  expect(figures).toEqual({ sales: 369_856.4, refunds: 618 });
  const inFolder = (...words: string[]) =>
    startCommand([...words, "--project-dir", folder], place, { ...untrusting, TMPDIR: join(place.home, "tmp") });
  const sql = inFolder("sql", "roaster", "SELECT count(*) AS n FROM orders", "--csv");
  expect([await sql.ended, sql.stdout(), sql.stderr()]).toEqual([0, "n\n900\n", ""]);
  const query = inFolder("query", "orders.count", "--csv");
  expect([await query.ended, query.stdout(), query.stderr()]).toEqual([0, "count\n900\n", ""]);
  const question = "How many orders are in the database?";
  const evaluated = inFolder("context", "eval", "--case", question, "--rehearse", join(folder, "answers.yaml"));
  expect([await evaluated.ended, evaluated.stderr()]).toEqual([0, expect.stringContaining(`✓ ${question}`)]);
});
