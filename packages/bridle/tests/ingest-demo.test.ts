import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlace, type Place, startCommand } from "../../cli/tests/support/command.ts";

let place: Place;
beforeEach(async () => {
  place = await createPlace();
  await mkdir(join(place.home, "tmp"));
});
afterEach(() => place.remove());

test("the demo of ingest writes pages, models and joins, says why one is known, shows what is disputed, and names the next command", async () => {
  const folder = join(place.home, "kept", "roaster");
  const demo = startCommand(["context", "demo", "--ingest", "--output", folder], place, {
    TMPDIR: join(place.home, "tmp"),
    BRIDLE_TRUST: "",
  });
  expect([await demo.ended, demo.stderr()]).toEqual([0, expect.not.stringContaining("Error")]);
  const output = demo.stdout();
  expect(output).toMatch(/^wiki: 40 new$/m);
  expect(output).toMatch(/^ {2}rejected .*hearsay 1/m);
  expect(output).toMatch(/^ {2}instruction {2}wiki, inbox\/2025-03-07\.md/m);
  expect(output).toMatch(/^ {2}12 pages: .*sales, shipping/m);
  expect(output).toMatch(/^ {2}4 metric models: customers, monthly_orders, orders, refunds$/m);
  const [, why = ""] = output.split("$ bridle context why orders.sold\n");
  expect(why).toContain("← “measure: sold {");
  expect(why).toContain("orders.view.lkml (lookml, certified), version ");
  const [, disputed = ""] = output.split("$ bridle context review\n");
  expect(disputed).toContain("  A regular customer has placed at least three orders in the last 12 months.\n");
  expect(disputed).toContain("  A regular customer has placed at least five orders in the last 12 months.\n");
  expect(disputed).toMatch(/marketing\/regulars\.md[\s\S]*sales\/regulars\.md/);
  expect(disputed.match(/The numbers differ/g)).toHaveLength(1);
  expect(disputed).toContain(`cd ${folder} && bridle context ingest`);
  const read = (file: string) => readFile(join(folder, "context", file), "utf8");
  expect(await read("wiki/shipping.md")).toMatch(/free for orders above 49 EUR[\s\S]*## Earlier[\s\S]*above 40 EUR/);
  expect(await read("models/monthly_orders.yaml")).toContain("sql: SELECT substr(placed_at, 1, 7) AS month");
  expect(await read("tables/roaster/main.yaml")).toContain("joins:");
  expect((await readdir(join(folder, "context", "wiki"))).length).toBe(12);
  const pages = startCommand(["query", "orders.sold", "--csv", "--project-dir", folder], place, { BRIDLE_TRUST: "" });
  expect([await pages.ended, pages.stdout()]).toEqual([0, "sold\n798\n"]);
  expect((await readdir(join(place.home, "tmp"))).filter((name) => name.startsWith("bridle-"))).toEqual([]);
});
