import { basename, dirname } from "node:path";
import { expect, test } from "vitest";
import { decodeName, encodeName, tableFilePath } from "./context-folder.ts";

test.each(["public", "", "a/b", "..", ".", "con:x", "50%", "Größe", "ελ λη", "a.b", "x.", 'q"*?', "\u0000"])(
  "the file of the schema %j is in the folder of its connection, and gives the name back",
  (schema) => {
    const path = tableFilePath({ projectDir: "/p" }, { connection: "w", schema });
    expect(dirname(path)).toBe("/p/context/tables/w");
    expect(basename(path)).toMatch(/\.yaml$/);
    expect(decodeName(basename(path, ".yaml"))).toBe(schema);
    expect(encodeName(schema)).not.toMatch(/^\.|[/\\]/);
  },
);
