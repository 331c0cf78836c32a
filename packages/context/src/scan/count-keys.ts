import type { TableStructure } from "@bridle/warehouse";
import { findKeyCandidates } from "../joins/keys/key-candidates.ts";
import type { TableProfile, TupleCount } from "../joins/profile.ts";
import { describeSchema } from "../joins/schema-facts.ts";
import type { JoinMeasurement } from "../profiles/stored-profile.ts";
import type { TableMeter } from "../profiles/table-meter.ts";
import { countTuplesSql } from "./join-questions.ts";
import { describeScanFailure } from "./limits/timed-out.ts";
import type { TableReading } from "./read-table.ts";
import { endsScan, type ScanSession } from "./scan-session.ts";

type Sets = readonly (readonly string[])[];
type CountSets = (sets: Sets) => readonly TupleCount[];

/** The maximum number of columns and column sets to count in all rows, out of those that are unique in a sample. */
const maxSets = 12;

interface CountedKeys {
  readonly measurement: JoinMeasurement;
  /** Why the sets could not be counted in all rows. */
  readonly uncounted?: string | undefined;
}

/**
 * Counts the sets of columns that the key search asks about, in the rows that were read. If these are a sample, the sets that are unique in
 * it are counted in all rows, with one query. If that fails, they are not considered unique.
 */
export async function countKeys(
  profile: TableProfile,
  { meter }: TableReading,
  table: TableStructure,
  session: ScanSession,
): Promise<CountedKeys> {
  if (profile.sampled !== true) return { measurement: await askAbout(profile, (sets) => meter.countTuples(sets)) };
  const scale = meter.rows === 0 ? 1 : profile.rows / meter.rows;
  const estimate: CountSets = (sets) => meter.countTuples(sets).map((count) => scaledCount(count, scale));
  const unique = await findUniqueSets(profile, meter, estimate);
  const others = countInSample(unique.slice(maxSets), meter, scale);
  const { exact, uncounted } = await countInTable(unique.slice(0, maxSets), table, session).then(
    (found) => ({ exact: new Map([...others, ...found]), uncounted: undefined }),
    (error: unknown) => {
      if (endsScan(error)) throw error;
      return {
        exact: countInSample(unique, meter, scale),
        uncounted: describeScanFailure(error, session.statementTimeoutMs),
      };
    },
  );
  const count: CountSets = (sets) => {
    const estimates = estimate(sets);
    return sets.map((set, at) => exact.get(nameOf(set)) ?? estimates[at] ?? { filled: 0, distinct: 0 });
  };
  const columns = profile.columns.map((column) => ({ ...column, ...exact.get(nameOf([column.name])) }));
  return { measurement: await askAbout({ ...profile, columns }, count), uncounted };
}

/** Answers every question of the key search. */
async function askAbout(profile: TableProfile, count: CountSets): Promise<JoinMeasurement> {
  const tuples: (TupleCount & { readonly columns: readonly string[] })[] = [];
  const countTuples = async (_: string, sets: Sets) => {
    const counts = count(sets);
    tuples.push(...sets.map((columns, at) => ({ columns, filled: 0, distinct: 0, ...counts[at] })));
    return counts;
  };
  const [described] = describeSchema([profile]).tables;
  const checks = { countTuples, countOrphans: async () => ({ filled: 0, orphans: 0, examples: [] }) };
  if (described !== undefined) await findKeyCandidates(described, checks);
  return { profile, tuples };
}

/**
 * Finds the columns that are unique in the sample, and the sets to count in both cases: if these columns are unique in the table, and if
 * they are not.
 */
async function findUniqueSets(profile: TableProfile, meter: TableMeter, estimate: CountSets): Promise<Sets> {
  const repeated = profile.columns.map((column) => ({ ...column, distinct: Math.round(0.97 * column.distinct) }));
  const asked = [
    ...profile.columns.map(({ name }) => [name]),
    ...(await askAbout(profile, estimate)).tuples.map(({ columns }) => columns),
    ...(await askAbout({ ...profile, columns: repeated }, estimate)).tuples.map(({ columns }) => columns),
  ];
  const sets = [...new Map(asked.map((set) => [nameOf(set), set])).values()];
  const counts = meter.countTuples(sets);
  const unique = sets.filter((_, at) => {
    const { filled = 0, distinct = 0 } = counts[at] ?? {};
    return filled >= 0.98 * meter.rows && distinct >= 0.99 * filled;
  });
  return unique;
}

/** Scales a count. A sample of distinct tuples does not show how often they are repeated in the table, so the result is an upper bound. */
function scaledCount({ filled, distinct }: TupleCount, scale: number): TupleCount {
  return { filled: Math.round(filled * scale), distinct: Math.round(distinct * scale) };
}

/** Returns counts that the sample proves: the table has at least this many different tuples. */
function countInSample(sets: Sets, meter: TableMeter, scale: number): ReadonlyMap<string, TupleCount> {
  const counts = meter.countTuples(sets);
  return new Map(
    sets.map((set, at) => {
      const { filled = 0, distinct = 0 } = counts[at] ?? {};
      return [nameOf(set), { filled: Math.round(filled * scale), distinct }];
    }),
  );
}

async function countInTable(
  sets: Sets,
  table: TableStructure,
  session: ScanSession,
): Promise<ReadonlyMap<string, TupleCount>> {
  const counts = new Map<string, TupleCount>();
  if (sets.length === 0) return counts;
  const relation = session.warehouse.relationOf(table);
  const sql = countTuplesSql(session.dialect, { relation, columns: table.columns }, sets);
  await session.read(sql, {
    maxRows: sets.length,
    use: ([number, filled, distinct]) => {
      const set = sets[Number(number)];
      if (set !== undefined) counts.set(nameOf(set), { filled: Number(filled ?? 0), distinct: Number(distinct ?? 0) });
    },
  });
  return counts;
}

function nameOf(set: readonly string[]): string {
  return set.join("\0");
}
