/** Keywords of SQLite, by what they mean to the check of a statement. All in upper case. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** End the expressions of a clause. They are reserved: no name can be one of them without quotes. */
export const clauseWords = words("FROM WHERE GROUP HAVING WINDOW ORDER LIMIT UNION EXCEPT INTERSECT");

export const joinWords = words("JOIN NATURAL LEFT RIGHT FULL INNER OUTER CROSS");

/** End the condition of a join, in addition to clause words. */
export const joinConditionStops: ReadonlySet<string> = new Set([...clauseWords, ...joinWords, "ON", "USING"]);

/** Cannot be names or aliases without quotes. */
export const notNames: ReadonlySet<string> = new Set([
  ...joinConditionStops,
  ...words("SELECT VALUES WITH AS AND OR NOT IN IS ISNULL NOTNULL BETWEEN EXISTS CASE WHEN THEN ELSE COLLATE ESCAPE"),
  ...words("DISTINCT ALL SET INTO INSERT UPDATE DELETE CREATE DROP ALTER TABLE INDEX INDEXED RETURNING DEFAULT NULL"),
]);

/** May stand before a parenthesis without being a function. */
export const beforeParenthesis = words(
  "IN AND OR NOT IS ISNULL NOTNULL BETWEEN EXISTS CASE WHEN THEN ELSE COLLATE ESCAPE DISTINCT ALL AS BY ON USING OVER " +
    "FILTER WHERE HAVING LIMIT OFFSET SELECT VALUES FROM GROUP LIKE GLOB MATCH REGEXP CAST ROWS RANGE GROUPS MATERIALIZED",
);

/** Begin a query after a parenthesis. */
export const queryWords = words("SELECT VALUES WITH");

/** Beside columns and functions, the words that a condition may contain. */
export const conditionWords = words(
  "AND OR NOT IN IS ISNULL NOTNULL BETWEEN CASE WHEN THEN ELSE END COLLATE ESCAPE DISTINCT FROM LIKE GLOB NULL TRUE FALSE " +
    "CAST AS NOCASE BINARY RTRIM TEXT INTEGER REAL NUMERIC BLOB CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP",
);
