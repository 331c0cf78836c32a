/** Keywords of SQLite, grouped by their role in the check of a statement. All are in upper case. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** These words end the expressions of a clause. They are reserved: a name can only be one of them if it is quoted. */
export const clauseWords = words("FROM WHERE GROUP HAVING WINDOW ORDER LIMIT UNION EXCEPT INTERSECT");

export const joinWords = words("JOIN NATURAL LEFT RIGHT FULL INNER OUTER CROSS");

/** These words end the condition of a join, in addition to clause words. */
export const joinConditionStops: ReadonlySet<string> = new Set([...clauseWords, ...joinWords, "ON", "USING"]);

/** These words cannot be names or aliases without quotes. */
export const notNames: ReadonlySet<string> = new Set([
  ...joinConditionStops,
  ...words("SELECT VALUES WITH AS AND OR NOT IN IS ISNULL NOTNULL BETWEEN EXISTS CASE WHEN THEN ELSE COLLATE ESCAPE"),
  ...words("DISTINCT ALL SET INTO INSERT UPDATE DELETE CREATE DROP ALTER TABLE INDEX INDEXED RETURNING DEFAULT NULL"),
]);

/** These words may come before a parenthesis without being a function. */
export const beforeParenthesis = words(
  "IN AND OR NOT IS ISNULL NOTNULL BETWEEN EXISTS CASE WHEN THEN ELSE COLLATE ESCAPE DISTINCT ALL AS BY ON USING OVER " +
    "FILTER WHERE HAVING LIMIT OFFSET SELECT VALUES FROM GROUP LIKE GLOB MATCH REGEXP CAST ROWS RANGE GROUPS MATERIALIZED",
);

/** These words begin a query after a parenthesis. */
export const queryWords = words("SELECT VALUES WITH");

/** The words that a condition may contain, in addition to columns and functions. */
export const conditionWords = words(
  "AND OR NOT IN IS ISNULL NOTNULL BETWEEN CASE WHEN THEN ELSE END COLLATE ESCAPE DISTINCT FROM LIKE GLOB NULL TRUE FALSE " +
    "CAST AS NOCASE BINARY RTRIM TEXT INTEGER REAL NUMERIC BLOB CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP",
);
