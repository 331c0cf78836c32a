import { ConfigError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { parseStatementLog } from "./parse-statement-log.ts";

test("CSV has statements with line ends and quotes, and how often they ran", () => {
  const text = '\uFEFFuserid,Query,calls\r\n10,"SELECT ""a"",\n1 FROM t",214\r\n10,SELECT 2,\r\n,,\r\n';
  expect(parseStatementLog("log.csv", text)).toEqual([
    { sql: 'SELECT "a",\n1 FROM t', runs: 214 },
    { sql: "SELECT 2", runs: 1 },
  ]);
});

test("tabs may separate the columns of a log", () => {
  expect(parseStatementLog("log.tsv", "count\tsql_text\n3\tSELECT a, b FROM t")).toEqual([
    { sql: "SELECT a, b FROM t", runs: 3 },
  ]);
});

test("lines of JSON are objects or texts, and a list is read too", () => {
  const lines = '{"query": "SELECT 1", "execution_count": 7}\n\n"SELECT 2"\n{"other": 1}\n';
  expect(parseStatementLog("log.jsonl", lines)).toEqual([
    { sql: "SELECT 1", runs: 7 },
    { sql: "SELECT 2", runs: 1 },
  ]);
  expect(parseStatementLog("log.json", '[{"SQL": "SELECT 3", "runs": -2}]')).toEqual([{ sql: "SELECT 3", runs: 1 }]);
});

test.each([
  ["log.txt", "SELECT 1", "ends with .csv, .jsonl or .json"],
  ["log.csv", "a,b\n1,2", "has no column of statements"],
  ["log.jsonl", '{"query": "SELECT 1"}\nSELECT 2', "log.jsonl:2 is not valid JSON"],
])("%s with %j is refused with a remedy", (file, text, reason) => {
  expect(() => parseStatementLog(file, text)).toThrow(ConfigError);
  expect(() => parseStatementLog(file, text)).toThrow(reason);
});
