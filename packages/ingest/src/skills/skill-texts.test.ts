import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { sourceKinds } from "../sources/kinds/registry.ts";
import texts from "./skill-texts.json" with { type: "json" };

const folder = join(import.meta.dirname, "ingest-skills");
const files = globSync("*.md", { cwd: folder }).sort();
const models = ["metricflow", "lookml", "osi", "cube"];

test("the texts in one file are those of the Markdown files", () => {
  const current = files.map((file) => [basename(file, ".md"), readFileSync(join(folder, file), "utf8")]);
  expect(texts).toEqual(Object.fromEntries(current));
});

test("each kind of source has a guide with its name and a description, and files with models share one", () => {
  const named = Object.entries(texts).map(([name, text]) => {
    const [, yaml = ""] = /^---\n([\s\S]*?)\n---\n# /.exec(text) ?? [];
    const head = z.strictObject({ name: z.string(), description: z.string().min(20) }).parse(parse(yaml));
    expect(head.name).toBe(name);
    return name;
  });
  const wanted = sourceKinds.map(({ type }) => (models.includes(type) ? "models" : type));
  expect(new Set(named.filter((name) => name !== "general"))).toEqual(new Set(wanted));
});
