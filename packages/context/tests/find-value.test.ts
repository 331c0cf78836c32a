import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AnyTool, silentLogger } from "@bridle/protocol";
import { openWarehouse } from "@bridle/warehouse";
import { connectors } from "@bridle/warehouse/definitions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skipsPostgres } from "../../stores/postgres/tests/postgres-cluster.ts";
import { skipsMariaDb } from "../../warehouse/tests/mysql/mariadb-server.ts";
import { type OpenedContext, openContext } from "../src/context/open-context.ts";
import { type MetricEngine, metricEngines } from "./support/metric-engines.ts";

const skipped: Readonly<Record<string, boolean>> = { PostgreSQL: skipsPostgres, MariaDB: skipsMariaDb };
const wide = Array.from({ length: 90 }, (_, index) => `c${index} VARCHAR(20)`).join(", ");

/** Each value occurs once, so that the scan stores none of them. */
const stored = ["Österreich", "Αθήνα", "Москва", "ÅLAND", "straße", "Berlin", "東京", "NEW york"];

describe.each(Object.entries(metricEngines).filter(([name]) => skipped[name] !== true))(
  "find_value on %s",
  (_, start) => {
    const projectDir = mkdtempSync(join(tmpdir(), "bridle-find-value-"));
    let engine: MetricEngine;
    let context: OpenedContext;
    let tool: AnyTool | undefined;
    beforeAll(async () => {
      engine = await start();
      await engine.write(
        "CREATE TABLE places (id INTEGER, place VARCHAR(40))",
        `INSERT INTO places VALUES ${stored.map((value, index) => `(${index}, '${value}')`).join(", ")}`,
        `CREATE TABLE wide (${wide})`,
        "INSERT INTO wide (c89) VALUES ('at the end')",
      );
      const connector = connectors.find(({ type }) => type === engine.config.type);
      if (connector === undefined) throw new Error("There is no such engine.");
      const open = () => openWarehouse({ name: "shop", connector, config: engine.config, context: { projectDir } });
      context = openContext({ projectDir, stateDir: projectDir, connections: [{ name: "shop", open }] });
      await context.scan("shop");
      tool = context.tools().tools.find(({ name }) => name === "find_value");
    });
    afterAll(async () => {
      await context?.close();
      await engine?.close();
      rmSync(projectDir, { recursive: true, force: true });
    });

    const find = async (value: string) => {
      const signal = new AbortController().signal;
      const run = {
        runId: "run",
        callId: "call",
        projectDir,
        environment: {},
        logger: silentLogger,
        progress: () => {},
      };
      const reply = await tool?.execute({ value }, { signal, ...run });
      return Object(Object(reply).structured).found;
    };

    test.each([
      ...stored.map((value) => [value, value]),
      ["ÖSTERREICH", "Österreich"],
      ["österreich", "Österreich"],
      ["МОСКВА", "Москва"],
      ["москва", "Москва"],
      ["åland", "ÅLAND"],
      ["berlin", "Berlin"],
      ["New York", "NEW york"],
    ])("%s is found, as it is stored: %s", async (value, found) => {
      expect(await find(value)).toEqual([
        { table: `shop.${engine.schema}.places`, column: "place", value: found, rows: 1 },
      ]);
    });

    test("every column of a wide table is compared", async () => {
      expect(await find("At the end")).toMatchObject([{ column: "c89", value: "at the end" }]);
      expect(await find("nowhere")).toEqual([]);
    });
  },
);
