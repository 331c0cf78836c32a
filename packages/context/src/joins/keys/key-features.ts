import { type Features, numberOf } from "../features.ts";
import type { ColumnFacts, SchemaFacts } from "../schema-facts.ts";
import { type Estimates, estimateOf } from "../scores/estimates.ts";
import { expectedRepeats, isCounted } from "./accident.ts";
import type { KeyCandidate } from "./key-candidates.ts";

/** Returns the prefix of a candidate's feature names: single and composite candidates have separate features. */
export function prefixOf({ columns }: KeyCandidate): "one." | "many." {
  return columns.length === 1 ? "one." : "many.";
}

/** Describes one candidate among those of the same table, with the feature names that models use. */
export function describeKey(
  candidate: KeyCandidate,
  rivals: readonly KeyCandidate[],
  schema: SchemaFacts,
  estimates: Estimates,
): Features {
  const features = describeKeyOfKind(candidate, rivals, schema, estimates);
  const prefix = prefixOf(candidate);
  return Object.fromEntries(Object.entries(features).map(([name, value]) => [`${prefix}${name}`, value]));
}

/** Describes a candidate like `describeKey`, but without the prefix in the feature names. */
export function describeKeyOfKind(
  candidate: KeyCandidate,
  rivals: readonly KeyCandidate[],
  schema: SchemaFacts,
  estimates: Estimates,
): Features {
  const features = { ...describeColumns(candidate, schema), ...describeRivals(candidate, rivals, schema, estimates) };
  const [first] = candidate.columns;
  const own =
    candidate.columns.length === 1 && first !== undefined
      ? describeSingle(first, rivals, schema, estimates)
      : describeComposite(candidate, schema, estimates);
  return { ...features, ...own, always: 1 };
}

function describeColumns({ table, columns }: KeyCandidate, { vocabulary, ordered, small }: SchemaFacts): Features {
  const tiny = table.rows < 6;
  const first = columns.some(({ position }) => position === 0);
  const lead = numberOf(columns.every(({ position }, index) => position === index));
  const position = sum(columns.map((each) => each.position)) / columns.length / Math.max(1, table.columns.length - 1);
  const words = columns.flatMap((column) => column.words);
  return {
    lead,
    first: numberOf(first),
    firstOrdered: numberOf(first) * ordered,
    leadOrdered: lead * ordered,
    positionOrdered: ordered * position,
    named: vocabulary.covered(table.words, words),
    position,
    integers: numberOf(columns.every(({ integers }) => integers)),
    length: Math.max(...columns.map(({ numbers, meanLength }) => (numbers ? 0 : Math.min(1, meanLength / 30)))),
    table: Math.max(...columns.map((column) => vocabulary.covered(column.words, table.words))),
    keyWord: Math.max(...columns.map(({ keyWord }) => keyWord)),
    keyWords: numberOf(columns.every(({ keyWord }) => keyWord > 0.15)),
    dates: numberOf(columns.some(({ dates }) => dates)),
    fewRows: 1 / Math.log2(2 + table.rows),
    tiny: numberOf(tiny),
    small,
    smallLead: small * lead,
    tinyNotFirst: numberOf(tiny && !first),
  };
}

/** If a table is named after the tables that it links to, measures which part of the name the columns do not cover. */
function describeEnds(
  { table, columns }: Pick<KeyCandidate, "table" | "columns">,
  { vocabulary }: SchemaFacts,
  { conventions }: Estimates,
): Features {
  const named = (some: readonly ColumnFacts[]) => {
    const targets = new Set(some.flatMap((column) => conventions?.targetOf(column) ?? []));
    targets.delete(table);
    const words = [...targets].flatMap((target) => target.words);
    return { count: targets.size, share: words.length === 0 ? 0 : vocabulary.covered(table.words, words) };
  };
  const all = named(table.columns);
  if (all.count < 2) return { endsLeft: 0, endsNamed: 0 };
  const own = named(columns);
  return { endsLeft: all.share - own.share, endsNamed: own.count > 1 ? own.share : 0 };
}

function describeRivals(
  { table, columns }: KeyCandidate,
  rivals: readonly KeyCandidate[],
  schema: SchemaFacts,
  estimates: Estimates,
): Features {
  const links = columns.map((column) => estimateOf(estimates, column).links);
  const next = table.columns[columns.length];
  return {
    ...describeEnds({ table, columns }, schema, estimates),
    rivals: Math.min(4, rivals.filter((other) => other.columns.length <= columns.length).length - 1) / 4,
    links: sum(links) / columns.length,
    nextLinks: next === undefined ? 0 : estimateOf(estimates, next).links,
    run: numberOf(isRun(columns, table.columns, estimates)),
    beyondRun: numberOf(!columns.every((column) => belongs(column, estimates))),
  };
}

function describeSingle(
  column: ColumnFacts,
  rivals: readonly KeyCandidate[],
  schema: SchemaFacts,
  estimates: Estimates,
): Features {
  const { key, links, linked, arrivals } = estimateOf(estimates, column);
  const singles = rivals.flatMap(({ columns: [own, ...more] }) =>
    own && more.length === 0 && own !== column ? [own] : [],
  );
  const others = column.table.columns.filter((other) => other !== column && other.full);
  const [min, greatest] = column.range ?? [0, Number.POSITIVE_INFINITY];
  const early = column.table.columns.filter((other) => other !== column && other.position <= 2);
  return {
    leadRival: numberOf(
      column.position > 0 && rivals.some((rival) => rival.minimal && rival.columns.length === 2 && leads(rival)),
    ),
    dense: numberOf(column.integers && greatest - min + 1 <= 1.2 * column.distinct),
    linked,
    arrivals: Math.log2(1 + arrivals) / 4,
    arrivalsOfDates: (numberOf(column.dates) * Math.log2(1 + arrivals)) / 4,
    otherLinks: links * Math.max(0, ...early.map((other) => estimateOf(estimates, other).links)),
    shared: numberOf(schema.names.areShared([column.name], column.table.profile)),
    namesakes: (estimates.keyNames?.shareOf(column, key) ?? 0.5) - 0.5,
    linkedGap: Math.max(0, ...singles.map((other) => estimateOf(estimates, other).linked)) - linked,
    restLinks: links * Math.max(0, ...others.map((other) => estimateOf(estimates, other).links)),
  };
}

function describeComposite(
  { table, columns, minimal }: KeyCandidate,
  schema: SchemaFacts,
  estimates: Estimates,
): Features {
  const links = columns.map((column) => estimateOf(estimates, column).links);
  const leads = columns.every(({ position }, index) => position === index);
  const [first = 0, second = 0] = links;
  const names = columns.map(({ name }) => name);
  const repeats = expectedRepeats(columns, table);
  return {
    size: columns.length,
    proven: Math.min(1, Math.log2(1 + repeats) / 10),
    accident: Math.exp(-repeats),
    counted: numberOf(isCounted(columns)),
    minimal: numberOf(minimal),
    allLink: numberOf(links.every((each) => each > 0.5)),
    whole: numberOf(columns.length === table.columns.length),
    wholeLinks: numberOf(columns.length === table.columns.length && links.every((each) => each > 0.5)),
    shared: numberOf(schema.names.areShared(names, table.profile)),
    sharedLead: numberOf(leads && schema.names.areRepeatedStart(names)),
    line: numberOf(columns.length === 2 && leads && first > 0.5 && second < 0.5),
    linksAndDate: numberOf(columns.some(({ dates }, at) => dates && at > 0) && first > 0.5),
  };
}

function leads({ columns }: KeyCandidate): boolean {
  return columns.every(({ position }, index) => position === index);
}

/**
 * Whether the columns are the table's first ones, each of them links, has a key-like name or is a filled date after the first column, and
 * the next column neither links nor has a key-like name.
 */
function isRun(columns: readonly ColumnFacts[], all: readonly ColumnFacts[], estimates: Estimates): boolean {
  const leads = columns.every(({ position }, index) => position === index);
  const next = all[columns.length];
  return (
    leads &&
    columns.every((column) => belongs(column, estimates) || isLater(column)) &&
    (next === undefined || !belongs(next, estimates))
  );
}

function belongs(column: ColumnFacts, estimates: Estimates): boolean {
  return estimateOf(estimates, column).links > 0.5 || (column.usable && !column.dates && column.keyWord > 0.15);
}

function isLater({ dates, position, full }: ColumnFacts): boolean {
  return dates && full && position > 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
