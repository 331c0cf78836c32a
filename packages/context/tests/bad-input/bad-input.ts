/**
 * Tests database failures and the messages that users read. Each connector has a row for each failure, or the reason why that failure
 * cannot happen.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isBridleError } from "@bridle/protocol";
import { type Connector, openWarehouse, type Warehouse } from "@bridle/warehouse";
import { connectors } from "@bridle/warehouse/definitions";
import { expect, onTestFinished, test } from "vitest";
import { openFacts } from "../../src/facts/open-facts.ts";
import { scan } from "../../src/scan/scan.ts";
import { CutEngine } from "./cut-engine.ts";

const badInputs = [
  "a wrong password",
  "an unreachable host",
  "a host that accepts and never answers",
  "a refused TLS connection",
  "a missing schema",
  "a table without permission",
  "a view that fails",
  "a locked database",
  "a connection that is lost in mid-scan",
  "a server that is too old",
] as const;
type BadInput = (typeof badInputs)[number];

type Config = Readonly<Record<string, unknown>>;

/** A connection that cannot be opened. */
interface RefusedConnection {
  readonly config: () => Config | Promise<Config>;
  /** The time limit for the server's answer, if the test waits until it is reached. */
  readonly connectTimeoutMs?: number | undefined;
  readonly code: string;
  readonly message: RegExp;
}

/** A connection from which a scan reads as much as it can. */
interface PartialScan {
  readonly config: () => Config | Promise<Config>;
  /** The tables and views that are measured. */
  readonly tables: readonly string[];
  /** The report's problem with another table. If missing, the scan has no problem. */
  readonly problem?: RegExp | undefined;
  /** Cuts the connection between two statements of the scan. */
  readonly cut?: (() => Promise<void>) | undefined;
  /** The time limit of a statement, if the test waits until it is reached. */
  readonly timeoutMs?: number | undefined;
}

export type BadInputRows = Readonly<Record<BadInput, RefusedConnection | PartialScan | string>>;

export function testBadInput(type: string, rows: BadInputRows): void {
  const connector = connectors.find((each) => each.type === type);
  if (connector === undefined) throw new Error(`There is no connector ${type}.`);
  for (const input of badInputs) {
    const row = rows[input];
    test(`${type}, ${input}: one sentence, and the rest is scanned`, (context) => {
      if (typeof row === "string") return context.skip(row);
      return "code" in row ? expectRefused(connector, row) : expectScanned(connector, row);
    });
  }
}

async function open(connector: Connector, config: Config, connectTimeoutMs?: number): Promise<Warehouse> {
  const context = { projectDir: "/", connectTimeoutMs };
  const warehouse = await openWarehouse({ name: "shop", connector, config, context });
  onTestFinished(() => warehouse.close());
  return warehouse;
}

async function expectRefused(connector: Connector, row: RefusedConnection): Promise<void> {
  const { code, message, connectTimeoutMs } = row;
  const error = await open(connector, await row.config(), connectTimeoutMs).catch((cause: unknown) => cause);
  if (!isBridleError(error)) throw new Error(`Expected an error of Bridle, got ${String(error)}.`);
  expect(error.code).toBe(code);
  expect(error.message).toMatch(message);
  expectSentence(error.message);
}

async function expectScanned(connector: Connector, row: PartialScan): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bridle-bad-input-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const facts = openFacts({ file: join(folder, "facts.sqlite") });
  onTestFinished(() => facts.close());
  const config = await row.config();
  const warehouse = await open(connector, config);
  if (row.cut !== undefined) Object.assign(warehouse, { engine: new CutEngine(warehouse.engine, row.cut) });
  const reconnect = () => open(connector, config);
  const { problems } = await scan(warehouse, facts, { reconnect, statementTimeoutMs: row.timeoutMs });
  const measured = Array.from(facts.reader.tables("shop")).filter(({ problem }) => problem === undefined);
  expect(measured.map(({ table }) => table).sort()).toEqual(row.tables);
  expect(problems).toHaveLength(row.problem === undefined ? 0 : 1);
  for (const { problem } of problems) {
    expect(problem).toMatch(row.problem ?? /^$/);
    expectSentence(problem);
  }
}

/** Expects one line that ends like a sentence, without a stack trace. */
function expectSentence(text: string): void {
  expect(text).toMatch(/^[A-Z/"`'(\w][^\n]*[.?!]$/);
  expect(text).not.toMatch(/\bat .*\.[jt]s:\d/);
}
