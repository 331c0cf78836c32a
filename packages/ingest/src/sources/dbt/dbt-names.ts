import { columnId } from "../evidence/column-id.ts";
import type { ProjectionContext } from "../source.ts";
import type { DbtTable } from "./dbt-tables.ts";
import { type DocBlock, docReference, hasJinja } from "./doc-blocks.ts";

type Described =
  | { readonly text: string; readonly block?: DocBlock | undefined }
  /** Why the name cannot be resolved, as a sentence. */
  | { readonly problem: string };

/** Resolves the names in a project to scanned tables and doc blocks. */
export class DbtNames {
  readonly #tables = new Map<string, DbtTable>();
  readonly #blocks = new Map<string, DocBlock>();
  readonly #connection: string | undefined;
  readonly #context: Pick<ProjectionContext, "findTable" | "findColumn">;

  constructor(
    tables: readonly DbtTable[],
    blocks: readonly DocBlock[],
    connection: string | undefined,
    context: Pick<ProjectionContext, "findTable" | "findColumn">,
  ) {
    for (const table of tables) if (!this.#tables.has(table.name)) this.#tables.set(table.name, table);
    for (const block of blocks) if (!this.#blocks.has(block.name)) this.#blocks.set(block.name, block);
    this.#connection = connection;
    this.#context = context;
  }

  /** Returns the identifier of a table, or its name in the project if the scan did not find the table. */
  idOf({ relations }: Pick<DbtTable, "relations">): string {
    const own = this.#connection === undefined ? [] : relations.map((name) => `${this.#connection}.${name}`);
    for (const name of [...own, ...relations]) {
      const found = this.#context.findTable(name);
      if (found !== undefined) return found;
    }
    return relations[0] ?? "";
  }

  /** Returns the identifier of the table that `ref` or `source` names; undefined if the project has no such table. */
  find(name: string): string | undefined {
    const table = this.#tables.get(name);
    return table === undefined ? this.#context.findTable(name) : this.idOf(table);
  }

  /** Returns the identifier of a column. */
  columnOf(table: string, column: string): string {
    return columnId(table, column, this.#context);
  }

  describe(written: string): Described {
    const name = docReference(written);
    if (name === undefined)
      return hasJinja(written)
        ? {
            problem:
              "It contains Jinja, which only dbt can render. Run dbt compile, so that manifest.json has the text.",
          }
        : { text: written };
    const block = this.#blocks.get(name);
    if (block === undefined) return { problem: `There is no doc block ${name}. Correct the name, or add the block.` };
    return hasJinja(block.quote)
      ? { problem: `The doc block ${name} contains Jinja, which only dbt can render.` }
      : { text: block.quote, block };
  }
}
