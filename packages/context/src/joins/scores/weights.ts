import type { JoinModelSets } from "./models.ts";
import weights from "./weights.json" with { type: "json" };

/**
 * Weights of the logistic models, as `bench/joins.ts --weights` prints them. They were fitted on 37 databases with known keys, and on
 * copies of these with other names or values. The databases are samples of database products, benchmarks and small teaching databases; some
 * have names in other languages, meaningless names or dirty data. Each database has the weight of the square root of its number of
 * candidates, or of its number of tables.
 */
export const joinModels: JoinModelSets = weights;
