/** Projects the properties of tables: descriptions, primary keys, joins, accepted values and owners. */
import { isPlainObject } from "@bridle/protocol";
import type { Candidate, CandidateBody } from "../candidate.ts";
import { projected, toStatement, toSubject, toTopic } from "../evidence/item-text.ts";
import type { QuotedEntry } from "../evidence/quote-entry.ts";
import type { YamlValue } from "../evidence/yaml-text.ts";
import type { ProjectionFinding } from "../source.ts";
import type { DbtNames } from "./dbt-names.ts";
import type { DbtTable } from "./dbt-tables.ts";
import { type DbtTest, referredName, testsOf } from "./dbt-test.ts";
import { testedPrimaryKey } from "./primary-key.ts";

const maxValues = 30;

export class TableProjector {
  readonly candidates: Candidate[] = [];
  readonly findings: ProjectionFinding[] = [];
  readonly #source: string;
  readonly #names: DbtNames;

  constructor(source: string, names: DbtNames) {
    this.#source = source;
    this.#names = names;
  }

  project(table: DbtTable): void {
    const id = this.#names.idOf(table);
    const { at } = table;
    this.#describe(table, at, id, table.name);
    this.#owner(table, id);
    const columns = at.list("columns").filter((column) => column.child("name")?.text !== undefined);
    for (const column of columns) this.#column(table, column, id);
    for (const test of testsOf(at)) this.#tableTest(table, test, id);
    const key = testedPrimaryKey(at, columns);
    if (key !== undefined) this.#primaryKey(table, id, key);
  }

  #column(table: DbtTable, column: YamlValue, id: string): void {
    const name = column.child("name")?.text ?? "";
    const subject = this.#names.columnOf(id, name);
    this.#describe(table, column, subject, `${table.name}.${name}`);
    for (const test of testsOf(column)) {
      if (test.name === "relationships") this.#join(table, column, test, subject);
      if (test.name === "accepted_values") this.#values(table, column, test, id);
    }
  }

  /** Projects a test that belongs to a table and names its column. */
  #tableTest(table: DbtTable, test: DbtTest, id: string): void {
    const column = test.arguments.column_name;
    if (test.name === "relationships" && typeof column === "string")
      this.#join(table, test.at, test, this.#names.columnOf(id, column));
  }

  #describe(table: DbtTable, at: YamlValue, subject: string, name: string): void {
    const found = at.child("description");
    const written = found?.text ?? "";
    if (found === undefined || written === "") return;
    const resolved = this.#names.describe(written);
    if ("problem" in resolved) {
      this.findings.push({
        kind: "refused",
        subject: `description of ${name}`,
        reason: resolved.problem,
        item: table.item,
        line: found.line,
      });
      return;
    }
    const text = toStatement(resolved.text);
    if (text === "") return;
    const { block } = resolved;
    const quoted =
      block === undefined
        ? { item: table.item, ...quoteThrough(at, found) }
        : { item: block.item, quote: block.quote.slice(0, 1_900), start: block.start };
    this.#add({ kind: "description", subject, text }, quoted);
  }

  #join(table: DbtTable, column: YamlValue, test: DbtTest, from: string): void {
    const to = referredName(test.arguments.to);
    const field = test.arguments.field;
    const target = to === undefined ? undefined : this.#names.find(to);
    if (target === undefined || typeof field !== "string") {
      const reason = `It names ${to ?? "no table"}, which the project does not have. Correct the test.`;
      this.findings.push({
        kind: "refused",
        subject: `relationships of ${table.name}`,
        reason,
        item: table.item,
        line: test.at.line,
      });
      return;
    }
    const end = this.#names.columnOf(target, field);
    const condition =
      test.where === undefined || test.where.includes("{{") ? {} : { condition: test.where.trim().slice(0, 400) };
    const quoted = { item: table.item, ...quoteThrough(column, test.at) };
    this.#add({ kind: "join", from: [from], to: [end], ...condition }, quoted);
  }

  #values(table: DbtTable, column: YamlValue, test: DbtTest, id: string): void {
    const { values } = test.arguments;
    const plain = Array.isArray(values) ? values.filter((value) => typeof value !== "object").map(String) : [];
    if (plain.length === 0 || plain.length > maxValues) return;
    const listed = plain.join(", ");
    const name = column.child("name")?.text ?? "";
    const statement = toStatement(`The accepted values of ${name} in ${lastOf(table.name)} are: ${listed}.`);
    if (statement === "") return;
    const subject = toSubject(`${lastOf(table.name)}.${name}`);
    const body = {
      kind: "statement",
      subject,
      statement,
      topic: toTopic(lastOf(table.name)),
      category: "rule",
    } as const;
    this.#add({ ...body, tables: [id] }, { item: table.item, ...quoteThrough(column, test.at) });
  }

  #owner(table: DbtTable, id: string): void {
    const { at } = table;
    const found = at.child("meta", "owner") ?? at.child("config", "meta", "owner");
    const owner = ownerName(found?.value);
    if (found === undefined || owner === undefined) return;
    const name = lastOf(table.name);
    const statement = toStatement(`The owner of ${name} is ${owner}.`);
    const body = {
      kind: "statement",
      subject: toSubject(name),
      statement,
      topic: toTopic(name),
      category: "ownership",
    } as const;
    this.#add({ ...body, tables: [id] }, { item: table.item, ...quoteThrough(at, found) });
  }

  #primaryKey(
    table: DbtTable,
    id: string,
    { columns, at }: { readonly columns: readonly string[]; readonly at: YamlValue },
  ): void {
    const model = lastOf(table.name);
    if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(model)) return;
    const entry = { name: model, table: id, primary_key: [...columns] };
    const quoted = { item: table.item, ...at.quoted };
    this.#add({ kind: "model-part", model, table: id, part: "model", name: model, entry }, quoted);
  }

  #add(body: CandidateBody, quoted: QuotedEntry & { readonly item: string }): void {
    this.candidates.push(projected(body, { source: this.#source, ...quoted }));
  }
}

/** Quotes from the start of an entry to the end of one of its values, or only the value if the quote would be too long. */
function quoteThrough(entry: YamlValue, value: YamlValue): QuotedEntry {
  const [first, last] = [entry.quoted, value.quoted];
  const length = last.start + last.quote.length - first.start;
  return length > 0 && length <= 1_000 && length <= first.quote.length
    ? { quote: first.quote.slice(0, length), start: first.start }
    : last;
}

export function lastOf(name: string): string {
  return name.split(".").at(-1) ?? name;
}

/** Returns the name of an owner. Leaves out people's e-mail addresses. */
export function ownerName(value: unknown): string | undefined {
  const name = isPlainObject(value) ? value.name : value;
  const text = typeof name === "string" ? name.trim() : "";
  return text === "" || text.includes("@") ? undefined : text;
}
