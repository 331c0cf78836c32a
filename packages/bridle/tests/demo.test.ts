import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { createPlace, type Place, startCommand } from "../../cli/tests/support/command.ts";

const folder = join(import.meta.dirname, "../demo");

let place: Place;
beforeEach(async () => {
  place = await createPlace();
  await mkdir(join(place.home, "tmp"));
});
afterEach(() => place.remove());

async function shopFigures() {
  const { openShop } = z
    .object({ openShop: z.custom<() => DatabaseSync>() })
    .parse(await import(join(folder, "shop.js")));
  const shop = openShop();
  const best = shop
    .prepare(
      "SELECT substr(day, 1, 7) AS month, COUNT(*) AS n, SUM(cents) AS cents FROM order_totals GROUP BY month ORDER BY cents DESC",
    )
    .get();
  const order = shop
    .prepare("SELECT * FROM order_totals WHERE day LIKE ? ORDER BY cents DESC, id")
    .get(`${best?.month}%`);
  return { best, order };
}

test("the demo answers with figures from the database, shows the tool calls, and leaves no files behind", async () => {
  const command = startCommand(["demo"], place, { TMPDIR: join(place.home, "tmp"), XDG_CONFIG_HOME: "/nowhere" });
  expect(await command.ended).toBe(0);
  const { best, order } = await shopFigures();
  expect(command.stdout()).toContain("The model's words are scripted");
  expect(command.stdout()).toContain(
    `The best month was ${best?.month}: ${best?.n} orders brought ${euros(best?.cents)} of`,
  );
  expect(command.stdout()).toContain(`Its largest order was ${order?.id}, by ${order?.customer} on ${order?.day}`);
  expect(command.stdout()).toContain(`for ${euros(order?.cents)}.`);
  for (const tool of ["totals_by_month", "search_orders", "order_details"]) {
    expect(command.stderr()).toContain(`→ ${tool} `);
    expect(command.stderr()).toContain(`✓ ${tool} `);
  }
  expect((await readdir(join(place.home, "tmp"))).filter((name) => name.startsWith("bridle-"))).toEqual([]);
});

test("the command that the demo prints works from any folder", async () => {
  const demo = startCommand(["demo"], place);
  await demo.ended;
  const [, file = "", question = ""] =
    / {2}(?:bridle|npx bridle|node \S+bridle\.js) run --tools (\S+) "(.+)"\n/.exec(demo.stdout()) ?? [];
  const script = join(folder, "rehearsal.yaml");
  const command = startCommand(["run", "--rehearse", script, "--tools", file, question], place);
  expect(await command.ended).toBe(0);
  expect(command.stdout()).toContain("The best month was");
});

function euros(cents: unknown): string {
  return `${(Number(cents) / 100).toFixed(2)} EUR`;
}
