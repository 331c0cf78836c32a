/** How MetricFlow names dimensions and entities, and where they lead. */
import type { PartOfTime, TimeGrain } from "../../models/model-schema.ts";
import type { EntityJoin } from "./convert-joins.ts";
import type { MetricFlowModel } from "./read-project.ts";

export interface LinkedModel {
  readonly model: MetricFlowModel;
  readonly joins: readonly EntityJoin[];
}

export interface ElementPath {
  /** The names of joins, and last the name of the dimension. */
  readonly steps: readonly string[];
  /** The models that the joins lead through, and last that of the dimension. */
  readonly models: readonly string[];
  readonly isTime: boolean;
  /** Whether it is a custom grain of a time, which is behind the join to the time spine. */
  readonly isCustom?: boolean | undefined;
  /** As the name says it. */
  readonly grain: TimeGrain | undefined;
  /** What is taken of the time. */
  readonly part: PartOfTime | undefined;
  /** The grain in which the time is stored. */
  readonly storedGrain: TimeGrain | undefined;
}

export interface ElementName {
  readonly name: string;
  readonly entityPath?: readonly string[] | undefined;
  readonly grain?: string | undefined;
  readonly part?: string | undefined;
  /** A metric of a filter, which is grouped by the name. */
  readonly metric?: string | undefined;
}
