import type { ParsedExpression } from "../expressions/expression.ts";
import { parseExpression } from "../expressions/parse-expression.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { refuseUnknown } from "../refusals/unknown-name.ts";
import type { JoinCondition, JoinEdge } from "./join-edge.ts";
import type { SemanticFacts } from "./model-facts.ts";
import type { ModelJoin, SemanticModel } from "./model-schema.ts";

/** A set of models, with their joins in both directions. Build it once to plan many queries. */
export class ModelSet {
  readonly models: ReadonlyMap<string, SemanticModel>;
  readonly facts: SemanticFacts;
  readonly #edges = new Map<string, JoinEdge[]>();
  readonly #incoming = new Map<string, JoinEdge[]>();
  readonly #expressions = new Map<string, ParsedExpression>();

  /** Throws a MetricRefusalError if two models have the same name, or a join's target does not exist or its condition cannot be parsed. */
  constructor(models: readonly SemanticModel[], facts: SemanticFacts = {}) {
    this.models = new Map(models.map((model) => [model.name, model]));
    this.facts = facts;
    const twice = models.find((model) => this.models.get(model.name) !== model);
    if (twice) refuseMetric("ambiguous_name", `Two models have the name ${twice.name}. Rename one.`);
    for (const model of models) this.#addEdges(model);
    this.#addReverseEdges();
    for (const edge of [...this.#edges.values()].flat()) {
      const incoming = this.#incoming.get(edge.to);
      if (incoming) incoming.push(edge);
      else this.#incoming.set(edge.to, [edge]);
    }
  }

  model(name: string): SemanticModel {
    return this.models.get(name) ?? refuseUnknown("model", name, this.models.keys());
  }

  /** Returns the joins that a path can follow from a model, declared joins first. */
  edgesFrom(model: string): readonly JoinEdge[] {
    return this.#edges.get(model) ?? [];
  }

  /**
   * Whether the reached model only links other models, or has several values for each row of another model. In such a model, the columns of
   * the join are part of the key, and the only measures are row counts.
   */
  isBridge({ to, condition }: JoinEdge): boolean {
    const { measures = [], metrics = [], primary_key: key = [] } = this.model(to);
    if (metrics.length > 0 || measures.some(({ agg, expr }) => agg !== "count" || expr !== undefined)) return false;
    if (condition.kind !== "pairs" || condition.pairs.length >= key.length) return false;
    return condition.pairs.every(([, remote]) => key.includes(remote));
  }

  edgesInto(model: string): readonly JoinEdge[] {
    return this.#incoming.get(model) ?? [];
  }

  parse(source: string): ParsedExpression {
    const parsed = this.#expressions.get(source) ?? parseExpression(source);
    this.#expressions.set(source, parsed);
    return parsed;
  }

  #addEdges(model: SemanticModel): void {
    const edges = (model.joins ?? []).map((join): JoinEdge => {
      if (!this.models.has(join.to)) refuseUnknown("model", join.to, this.models.keys());
      const condition = this.#condition(join);
      const name = join.name ?? join.to;
      const declaredAs = `${model.name}.${name}`;
      return { name, from: model.name, to: join.to, ...cardinalityOf(join), isDeclared: true, declaredAs, condition };
    });
    const twice = edges.find((edge, index) => edges.findIndex(({ name }) => name === edge.name) !== index);
    if (twice)
      refuseMetric(
        "ambiguous_name",
        `The model ${model.name} has two joins ${twice.name}. Name one of them differently.`,
      );
    this.#edges.set(model.name, edges);
  }

  #condition(join: ModelJoin): JoinCondition {
    if (typeof join.on !== "string") return { kind: "pairs", pairs: join.on };
    return { kind: "expression", expression: this.parse(join.on), isReversed: false };
  }

  /** Adds the reverse of each join unless the other model declares it. */
  #addReverseEdges(): void {
    const declared = [...this.models.values()].flatMap((model) =>
      (model.joins ?? []).map((join) => ({ relationship: join.relationship, name: join.name ?? join.to, model })),
    );
    for (const { model, name, relationship } of declared) {
      const edge = this.edgesFrom(model.name).find((each) => each.name === name && each.isDeclared);
      if (!edge || edge.from === edge.to) continue;
      const back = reversed(edge, cardinalityOf({ relationship: turned[relationship] }));
      const others = this.#edges.get(back.from) ?? [];
      if (!others.some((other) => other.isDeclared && isSame(other, back))) others.push(back);
      this.#edges.set(back.from, others);
    }
  }
}

const turned = { many_to_one: "one_to_many", one_to_one: "one_to_one", one_to_many: "many_to_one" } as const;

function cardinalityOf({ relationship }: Pick<ModelJoin, "relationship">): Pick<JoinEdge, "isToMany" | "cardinality"> {
  return relationship === "one_to_many"
    ? { isToMany: true, cardinality: "to_many" }
    : { isToMany: false, cardinality: relationship };
}

function reversed(
  { from, to, condition, declaredAs }: JoinEdge,
  cardinality: Pick<JoinEdge, "isToMany" | "cardinality">,
): JoinEdge {
  const back: JoinCondition =
    condition.kind === "pairs"
      ? { kind: "pairs", pairs: condition.pairs.map(([local, remote]) => [remote, local] as const) }
      : { ...condition, isReversed: !condition.isReversed };
  return { name: from, from: to, to: from, ...cardinality, isDeclared: false, declaredAs, condition: back };
}

function isSame(a: JoinEdge, b: JoinEdge): boolean {
  const key = ({ condition }: JoinEdge) =>
    condition.kind === "pairs" ? JSON.stringify([...condition.pairs].sort()) : JSON.stringify(condition);
  return a.to === b.to && key(a) === key(b);
}
