import type { ColumnProfileFacts, FactsReader, JoinFacts, TableFacts } from "../facts/facts.ts";
import type { TableNotes } from "../files/table-file-schema.ts";
import type { NotesOfFiles } from "../files/table-notes.ts";
import type { KnowledgeSources } from "./known.ts";

/**
 * Returns only the structure that the database itself declares: tables, columns, types, comments, keys and links. Leaves out facts that
 * were measured, found, written by a model or noted by users. Hidden and sensitive columns stay hidden and sensitive.
 */
export function declaredSources({ facts, files, rulesOf }: KnowledgeSources): KnowledgeSources {
  return {
    facts: new DeclaredFacts(facts),
    files: files && { read: () => limitsOf(files.read()), version: () => files.version() },
    rulesOf,
  };
}

class DeclaredFacts implements FactsReader {
  readonly #facts: FactsReader;

  constructor(facts: FactsReader) {
    this.#facts = facts;
  }

  connections() {
    return this.#facts.connections();
  }

  *tables(connection?: string): Iterable<TableFacts> {
    for (const table of this.#facts.tables(connection)) yield declaredTable(table);
  }

  table(id: string): TableFacts | undefined {
    const table = this.#facts.table(id);
    return table && declaredTable(table);
  }

  joins(table?: string): readonly JoinFacts[] {
    const declared = this.#facts.joins(table).filter(({ origin }) => origin === "declared");
    return declared.map(({ evidence: _evidence, ...join }) => join);
  }

  drift(connection: string) {
    return this.#facts.drift(connection);
  }

  version(): string {
    return this.#facts.version();
  }
}

function declaredTable({ rows: _rows, sample: _sample, key, columns, ...table }: TableFacts): TableFacts {
  return { ...table, key: key?.declared ? key : undefined, columns: columns.map(withoutProfile) };
}

function withoutProfile({ profile: _profile, ...column }: ColumnProfileFacts): ColumnProfileFacts {
  return column;
}

function limitsOf({ tables, ...notes }: NotesOfFiles): NotesOfFiles {
  return { ...notes, tables: new Map(Array.from(tables, ([id, each]) => [id, limitsOfTable(each)])), joins: [] };
}

function limitsOfTable({ description: _description, columns = {}, ...limits }: TableNotes): TableNotes {
  const entries = Object.entries(columns).map(([name, { description: _words, ...column }]) => [name, column]);
  return { ...limits, columns: Object.fromEntries(entries) };
}
