/** Skills: short guides that a model may load before it works on an item. Each is a Markdown file beside this one. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readTextFileSync, sha256 } from "@bridle/core";
import { parse } from "yaml";
import { z } from "zod";

const head = z.object({ name: z.string(), description: z.string() });

export interface Skill {
  readonly name: string;
  /** One sentence: when to load it. */
  readonly description: string;
  readonly text: string;
  /** Differs if the guide differs: answers were given with it. */
  readonly hash: string;
}

/** Built code has the folder beside itself, too. */
const folder = fileURLToPath(new URL("ingest-skills", import.meta.url));

let known: ReadonlyMap<string, Skill> | undefined;

/** All skills by name. `general` is for every item; the others are for the items of one kind of source. */
export function ingestSkills(): ReadonlyMap<string, Skill> {
  known ??= readSkills(folder);
  return known;
}

function readSkills(from: string): ReadonlyMap<string, Skill> {
  const files = existsSync(from) ? readdirSync(from).filter((file) => file.endsWith(".md")) : [];
  const skills = files.sort().map((file) => parseSkill(file, readTextFileSync(join(from, file))));
  return new Map(skills.map((skill) => [skill.name, skill]));
}

function parseSkill(file: string, content: string): Skill {
  const [, yaml = "", text = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(content) ?? [];
  const { name, description } = head.parse(parse(yaml));
  if (`${name}.md` !== file) throw new Error(`The skill in ${file} has the name ${name}. Give both the same name.`);
  return { name, description, text: text.trim(), hash: sha256(content) };
}

/** The skill for an item: its own, or that of its kind of source, or none beside `general`. */
export function skillFor(skill: string | undefined, sourceType: string): string | undefined {
  const skills = ingestSkills();
  return [skill, sourceType].find((name) => name !== undefined && name !== "general" && skills.has(name));
}
