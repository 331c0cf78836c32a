import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRedactor } from "@bridle/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createCleanLogger, joinLoggers } from "../runtime/clean-logger.ts";
import { createFileLog } from "./file-log.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "bridle-log-"));
});
afterEach(() => rm(folder, { recursive: true }));

const fail = (error: unknown) => {
  throw error;
};
const kept = (name: string) => readFile(join(folder, "logs", name), "utf8");

test("warnings and errors are stored as lines of JSON, and lower levels are not", async () => {
  const log = createFileLog({ folder, now: () => 0, onFailure: fail });
  log.info({}, "nothing");
  log.warn({ runId: "run_1", error: new TypeError("no", { cause: new Error("deep") }) }, "an observer failed");
  const line = { time: "1970-01-01T00:00:00.000Z", level: "warning", message: "an observer failed", runId: "run_1" };
  const error = { name: "TypeError", message: "no", cause: { name: "Error", message: "deep" } };
  expect(JSON.parse(await kept("bridle.log"))).toEqual({ ...line, error });
});

test("a full log file becomes the previous one", async () => {
  const log = createFileLog({ folder, maxBytes: 10, onFailure: fail });
  for (const message of ["first", "second", "third"]) log.error({}, message);
  expect(await kept("bridle.log")).toContain("third");
  expect(await kept("bridle.1.log")).toContain("second");
});

test("a log file that cannot be written is reported once, and nothing is thrown", async () => {
  await writeFile(join(folder, "file"), "");
  const failures: unknown[] = [];
  const log = createFileLog({ folder: join(folder, "file"), onFailure: (error) => failures.push(error) });
  log.warn({}, "one");
  log.warn({}, "two");
  expect(failures).toHaveLength(1);
});

test("no credential is passed to a logger, and the logged error stays unchanged", async () => {
  const token = `ghp_${"aB3dE5gH7jK9mN1pQ3sT5vX7zA9cF1"}`;
  const redactor = createRedactor({ secrets: ["tulip-9931"] });
  const told: object[] = [];
  const seen = (fields: object, message: string) => void told.push(fields, { message });
  const user = { debug: seen, info: seen, warn: seen, error: seen };
  const log = createCleanLogger(joinLoggers([user, createFileLog({ folder, onFailure: fail })]), redactor);
  const error = new Error(`no ${token}`, { cause: new Error("with tulip-9931") });
  log.warn({ error, path: "tulip-9931" }, `refused ${token}`);
  const [fields] = told;
  const shown = Reflect.get(fields ?? {}, "error");
  expect(`${shown.stack} ${shown.cause.stack} ${JSON.stringify(told)} ${await kept("bridle.log")}`).not.toMatch(
    /ghp_|tulip/,
  );
  expect(error.message).toContain(token);
});
