/** Reads the parts that may follow a table and its alias: `SAMPLE`, `PIVOT` and `UNPIVOT`. */
import { readOrderBy } from "../../select/calls.ts";
import { atQuery, readAlias, readDottedName, readName, readNumber, readTableAlias } from "../../select/names.ts";
import type { StatementReading } from "../../select/select-clauses.ts";
import { wordSet } from "../../select/select-grammar.ts";

const samplings = wordSet("bernoulli row system block");
const seeds = wordSet("seed repeatable");

/** Reads any number of these parts, because a pivoted table may be sampled. */
export function readTableSuffixes(reading: StatementReading): void {
  const { cursor } = reading;
  for (;;)
    if (cursor.accept("sample") || cursor.accept("tablesample")) readSample(reading);
    else if (cursor.accept("pivot", "(")) readPivot(reading);
    else if (cursor.accept("unpivot")) readUnpivot(reading);
    else return;
}

/** Reads the part after SAMPLE, as in `SAMPLE BERNOULLI (10) SEED (7)` or `SAMPLE (100 ROWS)`. */
function readSample(reading: StatementReading): void {
  const { cursor } = reading;
  cursor.acceptAny(samplings);
  cursor.expect("(");
  readNumber(reading);
  cursor.accept("rows");
  cursor.expect(")");
  if (!cursor.acceptAny(seeds)) return;
  cursor.expect("(");
  readNumber(reading);
  cursor.expect(")");
}

/** Reads the part after the parenthesis in `PIVOT (sum(total) FOR status IN ('paid', 'open'))`. */
function readPivot(reading: StatementReading): void {
  const { cursor } = reading;
  readAliased(reading);
  cursor.expect("for");
  readDottedName(reading);
  cursor.expect("in", "(");
  if (cursor.accept("any")) readOrderBy(reading);
  else if (atQuery(reading)) reading.query();
  else readAliased(reading);
  cursor.expect(")");
  if (cursor.accept("default", "on", "null", "(")) {
    reading.expression();
    cursor.expect(")");
  }
  cursor.expect(")");
  readTableAlias(reading);
}

function readAliased(reading: StatementReading): void {
  do {
    reading.expression();
    readAlias(reading);
  } while (reading.cursor.accept(","));
}

/** Reads the part after UNPIVOT, as in `UNPIVOT (total FOR month IN (jan, feb))`. */
function readUnpivot(reading: StatementReading): void {
  const { cursor } = reading;
  if (cursor.accept("include") || cursor.accept("exclude")) cursor.expect("nulls");
  cursor.expect("(");
  readName(reading);
  cursor.expect("for");
  readName(reading);
  cursor.expect("in", "(");
  readAliased(reading);
  cursor.expect(")", ")");
  readTableAlias(reading);
}
