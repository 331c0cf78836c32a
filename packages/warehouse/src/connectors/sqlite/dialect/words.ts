import { wordSet } from "@bridle/sql";

/** Keywords of SQLite, grouped by their role in the check of a statement. All are in lower case. */

/** Words that end the expressions of a clause. They are reserved: they are names only if they are quoted. */
export const clauseWords = wordSet("from where group having window order limit union except intersect");

export const joinWords = wordSet("join natural left right full inner outer cross");

/** Words that end the condition of a join, including the clause words. */
export const joinConditionStops: ReadonlySet<string> = new Set([...clauseWords, ...joinWords, "on", "using"]);

/** Words that cannot be names or aliases without quotes. */
export const notNames: ReadonlySet<string> = new Set([
  ...joinConditionStops,
  ...wordSet("select values with as and or not in is isnull notnull between exists case when then else collate escape"),
  ...wordSet("distinct all set into insert update delete create drop alter table index indexed returning default null"),
]);

/** Words that may come before a parenthesis without being a function. */
export const beforeParenthesis = wordSet(
  "in and or not is isnull notnull between exists case when then else collate escape distinct all as by on using over " +
    "filter where having limit offset select values from group like glob match regexp cast rows range groups materialized",
);

/** Words that begin a query after a parenthesis. */
export const queryWords = wordSet("select values with");

/** The words that a condition may contain, in addition to columns and functions. */
export const conditionWords = wordSet(
  "and or not in is isnull notnull between case when then else end collate escape distinct from like glob null true false " +
    "cast as nocase binary rtrim text integer real numeric blob current_date current_time current_timestamp",
);

/** Words that never occur in an expression, except in a query in parentheses. */
export const notInExpressions = wordSet("select values from join");
