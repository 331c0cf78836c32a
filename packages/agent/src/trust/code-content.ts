/** The content of code that a part of an agent's file runs, so that a change of the code asks again. */
import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { readRegularFileSync } from "@bridle/core";
import { fileContent } from "@bridle/project";

const mostFiles = 500;
const largestFile = 20_000_000;

/** The contents of the files that the texts in a value name, and of the modules that those import by a relative path. */
export function codeContent(value: unknown, baseDir: string): (readonly [path: string, content: string])[] {
  const seen = new Map<string, string>();
  const waiting = texts(value).map((text) => resolve(baseDir, text));
  for (let path = waiting.pop(); path !== undefined && seen.size < mostFiles; path = waiting.pop()) {
    if (seen.has(path) || !isReadableFile(path)) continue;
    seen.set(path, fileContent(path));
    waiting.push(...importsOf(path));
  }
  return [...seen].sort(([one], [other]) => (one < other ? -1 : 1));
}

function texts(value: unknown): string[] {
  if (typeof value === "string") return value === "" || value.length > 4096 || value.includes("\0") ? [] : [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(texts) : [];
}

function isReadableFile(path: string): boolean {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= largestFile;
  } catch {
    return false;
  }
}

const relativeImport = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'`](\.{1,2}\/[^"'`]{1,1000})["'`]/g;
const endings = ["", ".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".json", "/index.js", "/index.ts"];

function importsOf(path: string): string[] {
  if (!/\.[cm]?[jt]sx?$/.test(path)) return [];
  const found = readRegularFileSync(path, largestFile).toString("utf8").matchAll(relativeImport);
  return [...found].flatMap(([, name = ""]) => endings.map((ending) => resolve(dirname(path), name + ending)));
}
