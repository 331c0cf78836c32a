/** Types of MetricFlow's names for dimensions and entities, and of the joins that lead to them. */
import type { PartOfTime, TimeGrain } from "@bridle/semantic/model-parts";
import type { EntityJoin } from "./convert-joins.ts";
import type { MetricFlowModel } from "./read-project.ts";

export interface LinkedModel {
  readonly model: MetricFlowModel;
  readonly joins: readonly EntityJoin[];
}

export interface ElementPath {
  /** The names of the joins, and last the name of the dimension. */
  readonly steps: readonly string[];
  /** The models that the joins lead through, and last the dimension's model. */
  readonly models: readonly string[];
  readonly isTime: boolean;
  /** Whether the element is a custom grain of a time, which is behind the join to the time spine. */
  readonly isCustom?: boolean | undefined;
  /** The grain in the name. */
  readonly grain: TimeGrain | undefined;
  /** The part of the time that is extracted. */
  readonly part: PartOfTime | undefined;
  /** The stored grain of the time. */
  readonly storedGrain: TimeGrain | undefined;
}

export interface ElementName {
  readonly name: string;
  readonly entityPath?: readonly string[] | undefined;
  readonly grain?: string | undefined;
  readonly part?: string | undefined;
  /** A metric that a filter compares, grouped by the name. */
  readonly metric?: string | undefined;
}
