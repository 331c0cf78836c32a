import type { JoinModelSets } from "./models.ts";
import weights from "./weights.json" with { type: "json" };

/**
 * Weights of the logistic models, as `bench/joins.ts --weights` prints them. They were fitted on 37 databases with known keys: samples of
 * database products, benchmarks and small teaching databases, some of them with names in other languages, with meaningless names or with
 * dirty data, and on copies of them with other names or values. Each database has the weight of the square root of its number of
 * candidates, or of its number of tables.
 */
export const joinModels: JoinModelSets = weights;
