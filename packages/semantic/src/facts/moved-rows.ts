/** Moves rows to the later period for which they count. Used for offsets by a fixed time, in queries that leave out empty periods. */
import type { SqlExpression } from "../ir/sql-expression.ts";
import { inZone } from "../ir/wall-clock.ts";
import { pathKey } from "../models/join-edge.ts";
import { bindDimension } from "../plan/bind-dimension.ts";
import { keyField, keyPath } from "../plan/bind-key.ts";
import type { FieldPath } from "../plan/field-path.ts";
import type { FilterFields } from "../plan/filter-tree.ts";
import type { JoinTree } from "../plan/join-tree.ts";
import type { OffsetStep, TimeBehaviour } from "../plan/leaf.ts";
import type { PlanContext } from "../plan/plan-context.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import type { MeasureFact } from "./fact.ts";
import { isFixedTime, stepForward } from "./offset-steps.ts";
import { withinSpine } from "./spine-extent.ts";

export function movesRows({ query }: PlanContext, behaviour: TimeBehaviour): boolean {
  return query.omitEmpty === true && behaviour.kind === "offset" && isFixedTime(behaviour.steps);
}

/** Returns the column or expression behind a time. Dimensions over the same column or expression are the same time. */
export function timeSource(context: PlanContext, { steps, model, name }: FieldPath): string {
  const { dimensions = [] } = context.models.model(model);
  const expr = dimensions.find((dimension) => dimension.name === name)?.expr;
  return `${pathKey(steps)} ${expr ?? name}`;
}

export class MovedRows {
  readonly #context: PlanContext;
  readonly #steps: readonly OffsetStep[];
  /** The time that moves. */
  readonly #path: FieldPath;

  private constructor(context: PlanContext, steps: readonly OffsetStep[], path: FieldPath) {
    this.#context = context;
    this.#steps = steps;
    this.#path = path;
  }

  /** Returns undefined for facts that do not move their rows. */
  static of(context: PlanContext, { model, behaviour, leaves }: MeasureFact): MovedRows | undefined {
    if (!movesRows(context, behaviour) || behaviour.kind !== "offset") return undefined;
    const [first] = leaves;
    const times = context.keys.filter(({ grain, part }) => grain !== undefined || part !== undefined);
    const paths = times.flatMap((key) => (first ? [keyPath(context, model.name, keyField(key, first.leaf))] : []));
    const [path] = paths;
    if (!path || new Set(paths.map((each) => timeSource(context, each))).size > 1) {
      const why = `A metric of ${model.name} looks at other periods, and the query groups by ${path ? "two times" : "none"}.`;
      return refuseMetric("invalid_query", `${why} Group by one time.`);
    }
    return new MovedRows(context, behaviour.steps, path);
  }

  /** Returns conditions that keep rows within the spine, if the query has one. */
  withinSpine(tree: JoinTree): readonly SqlExpression[] {
    const { models, zone } = this.#context;
    return withinSpine(this.#context, this.move(this.#path, bindDimension(models, tree, this.#path, zone)));
  }

  /** Returns the field itself, or the later time if the field is the time that moves. */
  move(path: FieldPath, bound: SqlExpression): SqlExpression {
    if (timeSource(this.#context, path) !== timeSource(this.#context, this.#path)) return bound;
    const isHourly = this.#steps.some((step) => step.kind === "back" && step.span.grain === "hour");
    if (bound.type === "date" && isHourly)
      refuseMetric("invalid_query", `${path.model}.${path.name} is a date, and has no earlier hour. Use days.`);
    return stepForward(inZone(this.#context.zone, bound), this.#steps);
  }

  /** Returns the fields of the query's filters, with the moved time. */
  movedFields(fields: FilterFields): FilterFields {
    return {
      groups: fields.groups,
      zone: fields.zone,
      toPath: (parts) => fields.toPath(parts),
      model: fields.model,
      bind: (source, path) => this.move(path, fields.bind(source, path)),
      segment: (name) => {
        const { filter, fields: inner } = fields.segment(name);
        return { filter, fields: this.movedFields(inner) };
      },
    };
  }
}
