/**
 * Skills: short guides that a model may load before it works on an item. Each is a Markdown file in `ingest-skills`. `npm run generate`
 * copies all of them into one JSON file, because the built package contains no Markdown files.
 */
import { sha256 } from "@bridle/core";
import { parse } from "yaml";
import { z } from "zod";
import texts from "./skill-texts.json" with { type: "json" };

const head = z.object({ name: z.string(), description: z.string() });

export interface IngestSkill {
  readonly name: string;
  /** When to load the skill, in one sentence. */
  readonly description: string;
  readonly text: string;
  /** A hash of the guide. The keys of answers include it, because answers depend on the guide. */
  readonly hash: string;
}

let known: ReadonlyMap<string, IngestSkill> | undefined;

/** Returns all skills by name. `general` is for every item; each of the others is for one kind of source. */
export function ingestSkills(): ReadonlyMap<string, IngestSkill> {
  known ??= new Map(
    Object.values(texts)
      .map((content) => parseSkill(content))
      .map((skill) => [skill.name, skill]),
  );
  return known;
}

function parseSkill(content: string): IngestSkill {
  const [, yaml = "", text = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(content) ?? [];
  return { ...head.parse(parse(yaml)), text: text.trim(), hash: sha256(content) };
}

/** Kinds of sources with metric model files share one guide. */
const shared: Readonly<Record<string, string>> = {
  metricflow: "models",
  lookml: "models",
  osi: "models",
  cube: "models",
};

/** Returns the skill of an item: its own, or that of its source kind; undefined if only `general` applies. */
export function skillFor(skill: string | undefined, sourceType: string): string | undefined {
  const skills = ingestSkills();
  const wanted = [skill, sourceType, shared[sourceType]];
  return wanted.find((name) => name !== undefined && name !== "general" && skills.has(name));
}
