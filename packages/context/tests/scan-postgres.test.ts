import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger, type ToolOutput } from "@bridle/protocol";
import { openWarehouse } from "@bridle/warehouse";
import { connectors } from "@bridle/warehouse/definitions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PostgresCluster, skipsPostgres } from "../../stores/postgres/tests/postgres-cluster.ts";
import { type OpenedContext, openContext } from "../src/context/open-context.ts";

const tables = `
CREATE TYPE size AS ENUM ('small', 'large');
CREATE TABLE parts (size size, number int, label uuid, title text, PRIMARY KEY (size, number));
INSERT INTO parts SELECT (ARRAY['small', 'large']::size[])[1 + n % 2], n / 2, md5(n::text)::uuid, 'part ' || n FROM generate_series(0, 199) n;
CREATE TABLE stock (size size, number int, amount float8, FOREIGN KEY (size, number) REFERENCES parts);
INSERT INTO stock SELECT (ARRAY['small', 'large']::size[])[1 + n % 2], (n / 2) % 100, n * 1.5 FROM generate_series(0, 399) n;
CREATE TABLE nothing ();
CREATE TABLE odd (value numeric, day date, at timestamp, rate float8);
INSERT INTO odd VALUES ('NaN', 'infinity', '4713-01-01 BC', 'NaN'), (2, '2024-02-03', '2024-02-03 10:00', 2.5),
  (10, '0044-03-15 BC', '294276-12-31', 10.5), (-3, '2024-01-01', '2024-01-01', -1);`;

describe.skipIf(skipsPostgres)("a scan of PostgreSQL (needs Debian's package postgresql)", () => {
  const folder = mkdtempSync(join(tmpdir(), "bridle-scan-postgres-"));
  let cluster: PostgresCluster;
  let context: OpenedContext;
  beforeAll(async () => {
    cluster = await PostgresCluster.create();
    await cluster.send(tables);
    const connector = connectors.find(({ type }) => type === "postgres");
    if (connector === undefined) throw new Error("There is no connector for PostgreSQL.");
    const config = { type: "postgres", url: cluster.url, sslmode: "disable" };
    const open = () => openWarehouse({ name: "w", connector, config, context: { projectDir: folder } });
    const stateDir = join(folder, ".bridle");
    context = openContext({ projectDir: folder, stateDir, connections: [{ name: "w", open }] });
  });
  afterAll(async () => {
    await context?.close();
    await cluster?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  test("measures a join over an enum", async () => {
    const report = await context.scan("w");
    expect(report).toMatchObject({ tables: 4, problems: [], missing: [] });
    const [join] = context.knowledge.joins("w.public.stock");
    expect(join).toMatchObject({ from: { columns: ["size", "number"] }, evidence: { coverage: 1, violations: 0 } });
  });

  test("orders numbers and times by what they are, and NaN is neither the least nor the greatest", () => {
    const columns = context.describe("w.public.odd")?.table.columns ?? [];
    expect(columns.map(({ profile }) => [profile?.min, profile?.max])).toEqual([
      ["-3", "10"],
      ["-0043-03-15", "infinity"],
      ["-4712-01-01T00:00:00", "+294276-12-31T00:00:00"],
      ["-1", "10.5"],
    ]);
  });

  test("find_value looks into texts beside columns of enums and UUIDs", async () => {
    const tool = context.tools().tools.find(({ name }) => name === "find_value");
    const call = { runId: "run", callId: "call", projectDir: ".", environment: {}, logger: silentLogger };
    const input = { value: "Part 7", table: "w.public.parts" };
    const signal = new AbortController().signal;
    const output = await tool?.execute(input, { ...call, signal, progress: () => {} });
    const { markdown } = output as ToolOutput;
    expect(markdown).toContain('- w.public.parts.title: "part 7", 1 row');
    expect(markdown).not.toContain("could not be read");
  });
});
