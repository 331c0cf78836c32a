/** SQL statements for warnings and skipped files. `schema` is quoted. */
import { toLeftOutFile } from "./chunk-fields.ts";
import type { FileRemark, LeftOutFile } from "./document-store.ts";
import type { Send } from "./postgres-connection.ts";

export async function insertWarnings(
  send: Send,
  schema: string,
  file: number,
  warnings: readonly string[],
): Promise<void> {
  await send(`INSERT INTO ${schema}.warnings (file, problem) SELECT $1, * FROM unnest($2::text[])`, [file, warnings]);
}

export async function readWarnings(send: Send, schema: string): Promise<readonly FileRemark[]> {
  const rows = await send(
    `SELECT f.name, w.problem FROM ${schema}.warnings w JOIN ${schema}.files f ON f.id = w.file ORDER BY f.name, w.id`,
  );
  return rows.map(({ name, problem }) => ({ name: String(name), problem: String(problem) }));
}

export async function replaceLeftOut(send: Send, schema: string, files: readonly LeftOutFile[]): Promise<void> {
  await send(`DELETE FROM ${schema}.left_out`);
  await send(
    `INSERT INTO ${schema}.left_out (name, kind, problem) SELECT * FROM unnest($1::text[], $2::text[], $3::text[])`,
    [files.map(({ name }) => name), files.map(({ kind }) => kind), files.map(({ problem }) => problem)],
  );
}

export async function readLeftOut(send: Send, schema: string): Promise<readonly LeftOutFile[]> {
  const rows = await send(`SELECT name, kind, problem FROM ${schema}.left_out ORDER BY name, id`);
  return rows.map(toLeftOutFile);
}
