import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { TooManySessionsError } from "./serving-errors.ts";
import { ServingState } from "./serving-state.ts";

function openState(now: () => number): { readonly folder: string; readonly state: ServingState } {
  const folder = mkdtempSync(join(tmpdir(), "bridle-serving-state-"));
  const state = new ServingState(folder, now);
  onTestFinished(() => {
    state.close();
    rmSync(folder, { recursive: true });
  });
  return { folder, state };
}

test("a session that has had no run is forgotten after a month, when another one is created", () => {
  let now = 1_000_000;
  const { state } = openState(() => now);
  state.addSession("old", "desk", {});
  state.addSession("used", "desk", {});
  state.beginSession("used", "desk");
  now += 31 * 24 * 60 * 60 * 1000;
  expect(state.sessionsWithoutRun({ limit: 9 }).map(({ id }) => id)).toEqual(["old"]);
  state.addSession("new", "desk", {});
  expect(state.sessionsWithoutRun({ limit: 9 }).map(({ id }) => id)).toEqual(["new"]);
  expect(state.session("used")).toMatchObject({ agent: "desk" });
});

test("more than 10,000 sessions without a run are refused, until one has a run", () => {
  const { folder, state } = openState(() => 1_000_000);
  const database = openDatabase(join(folder, "server.db"));
  database.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
    INSERT INTO sessions (id, agent, labels, created_at, begun) SELECT 's' || i, 'desk', '{}', 1000000, 0 FROM n`);
  database.close();
  expect(() => state.addSession("one", "desk", {})).toThrow(TooManySessionsError);
  state.beginSession("s1", "desk");
  expect(state.addSession("one", "desk", {})).toMatchObject({ id: "one" });
});

test("sessions without a run are found by agent and by a part of their id", () => {
  const { state } = openState(() => 1_000_000);
  state.addSession("Order-1", "desk", {});
  state.addSession("order-2", "other", {});
  state.addSession("trip", "desk", {});
  const idsOf = (query: { agent?: string; words?: string }) =>
    state.sessionsWithoutRun({ limit: 9, ...query }).map(({ id }) => id);
  expect(idsOf({ agent: "desk" })).toEqual(["trip", "Order-1"]);
  expect(idsOf({ words: "ORDER" })).toEqual(["order-2", "Order-1"]);
  expect(idsOf({ words: "%" })).toEqual([]);
  expect(state.agentsOf(["trip", "order-2", "nothing"])).toEqual(
    new Map([
      ["trip", "desk"],
      ["order-2", "other"],
    ]),
  );
});

test("the file of an earlier Bridle, which had no number, is read, and one with a trigger is refused", () => {
  const { folder, state } = openState(() => 1_000_000);
  state.addSession("one", "desk", {});
  state.close();
  const file = join(folder, "server.db");
  const database = openDatabase(file);
  database.exec("PRAGMA user_version = 0");
  const again = new ServingState(folder, () => 1_000_000);
  expect(again.session("one")).toMatchObject({ agent: "desk" });
  again.close();
  database.exec("CREATE TRIGGER t AFTER INSERT ON requests BEGIN DELETE FROM sessions; END");
  database.close();
  expect(() => new ServingState(folder, () => 1_000_000)).toThrow(
    `${file} has tables or triggers that are not Bridle's`,
  );
});

test("a damaged file is refused with what to do, and not as a fault of Bridle", () => {
  const { folder, state } = openState(() => 1_000_000);
  state.close();
  const file = join(folder, "server.db");
  writeFileSync(file, "no database ".repeat(100));
  const open = () => new ServingState(folder, () => 1_000_000);
  expect(open).toThrow(ConfigError);
  expect(open).toThrow(
    `The requests and sessions of the server in ${file} are damaged. Remove the file, and start the server again.`,
  );
  if (process.platform !== "win32") expect(statSync(file).mode & 0o077).toBe(0);
});
