/** Kills the real command during a scan. The next scan must report the same as an uninterrupted scan. */
import { statSync } from "node:fs";
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { sampleOf } from "../../../../tests/support/soak.ts";
import { createPlace, type Place, startCommand, untilGone } from "../support/command.ts";

const tableCount = 60;

function writeShop(file: string): void {
  using database = new DatabaseSync(file);
  database.exec("BEGIN");
  for (let table = 0; table < tableCount; table++) {
    database.exec(
      `CREATE TABLE t${table} (t${table}_id INTEGER, t${(table * 7) % 10}_ref INTEGER, word TEXT, day DATE)`,
    );
    const insert = database.prepare(`INSERT INTO t${table} VALUES (?, ?, ?, ?)`);
    for (let row = 1; row <= 300; row++)
      insert.run(
        1000 * table + row,
        1000 * ((table * 7) % 10) + 1 + (row % 200),
        `word ${row % 13}`,
        `2024-01-${10 + (row % 9)}`,
      );
  }
  database.exec("COMMIT");
}

async function createShopPlace(from?: Place): Promise<Place> {
  const place = await createPlace();
  onTestFinished(place.remove);
  const file = join(place.project, "shop.db");
  if (from === undefined) writeShop(file);
  else await copyFile(join(from.project, "shop.db"), file);
  await writeFile(
    join(place.project, "bridle.yaml"),
    "context: { connections: { shop: { type: sqlite, file: shop.db } } }\n",
  );
  return place;
}

async function output(place: Place, ...words: readonly string[]): Promise<string> {
  const command = startCommand(words, place);
  const code = await command.ended;
  if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}: ${command.stderr()}`);
  return command.stdout();
}

/** Returns the measurements without their timestamps. */
async function told(place: Place): Promise<unknown> {
  const tables = ["t0", "t7", `t${tableCount - 1}`];
  const shown = [];
  for (const table of tables) shown.push(await output(place, "context", "show", `shop.main.${table}`, "--json"));
  shown.push(await output(place, "context", "joins", "--json"));
  return shown.map((text) => JSON.parse(text.replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"then"')));
}

/** Returns a value that differs after each write of facts. */
function stateOfFacts({ project }: Place): string {
  const found = statSync(join(project, ".bridle/context/facts.sqlite-wal"), { throwIfNoEntry: false });
  return `${found?.size} ${found?.mtimeMs}`;
}

/** Starts a scan. Resolves with the scan's end once the scan has begun to write its measurements. */
async function scanUntilItWrites(place: Place) {
  const before = stateOfFacts(place);
  const command = startCommand(["context", "scan"], place);
  let isOver = false;
  const ended = command.ended.then((end) => {
    isOver = true;
    return end;
  });
  while (!isOver && stateOfFacts(place) === before) await sleep(2);
  return { child: command.child, ended };
}

test("bridle context scan that is killed and started again measures the same as one that is not", async () => {
  const whole = await createShopPlace();
  const first = await scanUntilItWrites(whole);
  const begun = performance.now();
  expect(await first.ended).toBe(0);
  const lastsMs = performance.now() - begun;
  const expected = await told(whole);
  const place = await createShopPlace(whole);
  const ends: (number | string)[] = [];
  for (const part of sampleOf([0, 0.15, 0.3, 0.5, 0.7], 3)) {
    const { child, ended } = await scanUntilItWrites(place);
    await sleep(part * lastsMs);
    child.kill("SIGKILL");
    ends.push(await ended);
    await untilGone(place, 10_000);
  }
  expect(ends[0]).toBe("SIGKILL");
  await output(place, "context", "scan");
  expect(await told(place)).toEqual(expected);
});
