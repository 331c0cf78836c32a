import type { HistoryTable, TableUsage, UsedAggregate, UsedColumn, UsedCondition, UsedJoin } from "./query-history.ts";
import { type StatementWeight, UsageCounter } from "./usage-counter.ts";

const byColumn = ({ column }: UsedColumn) => column;

/** Counts the use of one table while statements are read. */
export class TableUsageCounter {
  readonly aggregates = new UsageCounter<Omit<UsedAggregate, "name">>(({ agg, expr, filter }) =>
    JSON.stringify([agg, expr, filter]),
  );
  readonly conditions = new UsageCounter<UsedCondition>(({ condition }) => condition);
  readonly groups = new UsageCounter<UsedColumn>(byColumn);
  readonly times = new UsageCounter<UsedColumn>(byColumn);
  readonly joins = new UsageCounter<UsedJoin>(({ columns, to, toColumns }) =>
    JSON.stringify([columns, to.schema, to.table, toColumns]),
  );
  readonly #table: HistoryTable;
  readonly #whole = new UsageCounter<{ readonly used: true }>(() => "");
  /** The number of runs in which each aggregate has each name. */
  readonly #names = new Map<string, Map<string, number>>();

  constructor(table: HistoryTable) {
    this.#table = table;
  }

  use(weight: StatementWeight): void {
    this.#whole.add({ used: true }, weight);
  }

  name(aggregate: Omit<UsedAggregate, "name">, name: string, runs: number): void {
    const key = keyOf(aggregate);
    const names = this.#names.get(key) ?? new Map<string, number>();
    this.#names.set(key, names.set(name, (names.get(name) ?? 0) + runs));
  }

  result(): TableUsage {
    const { schema, table } = this.#table;
    const [whole = { statements: 0, runs: 0 }] = this.#whole.list();
    return {
      schema,
      table,
      statements: whole.statements,
      runs: whole.runs,
      aggregates: this.aggregates.list().map((each) => ({ ...each, name: this.#bestName(each) })),
      conditions: this.conditions.list(),
      groups: this.groups.list(),
      times: this.times.list(),
      joins: this.joins.list(),
    };
  }

  #bestName(aggregate: Omit<UsedAggregate, "name">): string | undefined {
    const names = [...(this.#names.get(keyOf(aggregate)) ?? [])];
    return names.toSorted(([, a], [, b]) => b - a)[0]?.[0];
  }
}

function keyOf({ agg, expr, filter }: Omit<UsedAggregate, "name">): string {
  return JSON.stringify([agg, expr, filter]);
}
