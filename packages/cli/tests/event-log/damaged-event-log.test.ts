import { openSync, statSync, writeFileSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { appendEvents } from "@bridle/conformance";
import { noUsage } from "@bridle/protocol";
import { openStore } from "@bridle/store-sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unpackFiles } from "../../../app/src/bundles/archive/tar-for-tests.ts";
import { createPlace, finishCommand, type Place, startCommand } from "../support/command.ts";

let place: Place;
beforeAll(async () => {
  place = await createPlace();
});
afterAll(() => place.remove());

const bridle = (...words: string[]) => finishCommand(startCommand(words, place));

const count = 3000;

/** Stores a session with a failed run and a damaged page in the middle of its events. */
async function damagedSession(file: string): Promise<void> {
  const store = openStore({ folder: join(place.project, ".bridle") });
  const whose = { runId: "a", sessionId: "s" };
  const message = "x".repeat(500);
  const notice = { type: "notice", level: "info", code: "c", message } as const;
  await appendEvents(store, whose, ...Array.from({ length: count - 1 }, () => notice));
  const error = { name: "OverloadedError", code: "overloaded", message: "Too much.", retryable: true } as const;
  const result = {
    stopReason: "error",
    text: "",
    steps: 0,
    toolCalls: 0,
    toolFailures: 0,
    usage: noUsage,
    error,
  } as const;
  await appendEvents(store, whose, { type: "run.finished", result, durationMs: 1 });
  await store.close();
  const middle = Math.floor(statSync(file).size / 4096 / 2) * 4096;
  writeSync(openSync(file, "r+"), Buffer.alloc(4096, 0xff), 0, 4096, middle);
}

test("a bundle and bridle events of a session with a damaged page show the readable events, and list the missing ones", async () => {
  await damagedSession(join(place.project, ".bridle", "state.db"));
  expect(await bridle("bundle", "--out", "page.tar.gz", "s")).toMatchObject({ code: 0, stderr: "" });
  const { code, stdout } = await bridle("bundle", "--check", "page.tar.gz");
  expect(code).toBe(0);
  expect(stdout).toContain("ended: error: OverloadedError (overloaded): Too much.");
  expect(stdout).toMatch(/left out: \d+ events, from \d+ to \d+, because The event log .+state\.db is damaged\./);
  const files = unpackFiles(gunzipSync(await readFile(join(place.project, "page.tar.gz"))));
  const events = Buffer.from(files.find(({ path }) => path === "events.jsonl")?.content ?? []).toString();
  expect(events.trimEnd().split("\n").length).toBeGreaterThan(count - 30);

  const shown = await bridle("events", "--json", "s");
  expect(shown).toMatchObject({ code: 3, stderr: expect.stringContaining("is damaged") });
  expect(shown.stdout.split("\n").length).toBeGreaterThan(count / 2 - 200);
});

test("a bundle of a damaged event log contains the data of the project, and lists the omitted parts", async () => {
  writeFileSync(join(place.project, ".bridle", "state.db"), "These are my notes. ".repeat(500));
  expect(await bridle("bundle", "--out", "whole.tar.gz")).toMatchObject({ code: 0, stderr: "" });
  const { code, stdout } = await bridle("bundle", "--check", "whole.tar.gz");
  expect(code).toBe(0);
  expect(stdout).toMatch(/left out: events and transcript, because The event log .+state\.db is damaged\./);
  expect(await bridle("bundle", "--out", "named.tar.gz", "s")).toMatchObject({ code: 3 });
});
