/** Plans the group metrics that filters compare. Each is a separate query, written as relations in the same statement. */
import type { NamedRelation, SelectRelation, TypedExpression } from "../ir/sql-expression.ts";
import type { ModelSet } from "../models/model-set.ts";
import type { GroupMetrics, GroupRelation } from "../plan/group-metric.ts";
import type { PlanContext } from "../plan/plan-context.ts";
import { planContext } from "../plan/query-keys.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import type { PlannedQuery } from "./plan-query.ts";

type PlanInner = (context: PlanContext) => PlannedQuery;

const deepest = 4;

export class GroupMetricPlanner implements GroupMetrics {
  readonly #models: ModelSet;
  readonly #plan: PlanInner;
  /** The query's time zone. */
  readonly #timezone: string | undefined;
  readonly #prefix: string;
  readonly #known = new Map<string, GroupRelation>();
  readonly #relations: NamedRelation[] = [];

  constructor(models: ModelSet, plan: PlanInner, timezone: string | undefined, prefix = "g") {
    this.#models = models;
    this.#plan = plan;
    this.#timezone = timezone;
    this.#prefix = prefix;
  }

  /** The relations in dependency order: each refers only to earlier ones. */
  get relations(): readonly NamedRelation[] {
    return this.#relations;
  }

  relationOf(metric: string, field: string): GroupRelation {
    const id = JSON.stringify([metric, field]);
    const known = this.#known.get(id);
    if (known) return known;
    const name = `${this.#prefix}${this.#known.size}`;
    if (name.length > 2 * deepest)
      refuseMetric(
        "unsupported",
        `The metric ${metric} is filtered by metrics within metrics. Filter by fewer of them.`,
      );
    const inner = new GroupMetricPlanner(this.#models, this.#plan, this.#timezone, `${name}g`);
    const query = {
      measures: [{ measure: metric, as: "v" }],
      dimensions: [{ field, as: "k" }],
      ...(this.#timezone !== undefined && { timezone: this.#timezone }),
    };
    const { statement, columns } = this.#plan(planContext(this.#models, query, inner));
    const own = statement.relations.map((relation) => renamed(relation, statement.relations, `${name}_`));
    const { orderBy: _, ...body }: SelectRelation = renamedIn(statement.body, statement.relations, `${name}_`);
    this.#relations.push(...own, { name, relation: body });
    const [key, value] = columns.map(({ type, scale }): TypedExpression => ({ type, scale }));
    const relation = { name, key: key ?? { type: "unknown" }, value: value ?? { type: "unknown" } };
    this.#known.set(id, relation);
    return relation;
  }
}

function renamed(relation: NamedRelation, all: readonly NamedRelation[], prefix: string): NamedRelation {
  return { ...renamedIn(relation, all, prefix), name: `${prefix}${relation.name}` };
}

/** Returns a part with a prefix added to the names of its relations. */
function renamedIn<Part>(part: Part, all: readonly NamedRelation[], prefix: string): Part {
  const names = new Set(all.map(({ name }) => name));
  const change = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(change);
    if (typeof each !== "object" || each === null) return each;
    const entries = Object.entries(each).map(([key, value]) => [key, change(value)]);
    const copy: Record<string, unknown> = Object.fromEntries(entries);
    const isReference = copy.kind === "named" && typeof copy.name === "string" && names.has(copy.name);
    return isReference ? { ...copy, name: `${prefix}${String(copy.name)}` } : copy;
  };
  return change(part) as Part;
}
