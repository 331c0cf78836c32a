/** Reads instructions, and the front matter at the beginning of their file. */
import { sha256 } from "@bridle/core";
import { type Environment, type FileProblem, readYaml } from "@bridle/project";
import { z } from "zod";
import { splitFrontMatter } from "../config/front-matter.ts";

const text = z.string().min(1);

const frontMatter = z.strictObject({
  version: z.union([text, z.number().transform(String)]).exactOptional(),
  author: text.exactOptional(),
  description: text.exactOptional(),
  tags: z.array(text).exactOptional(),
});

/** The instructions of an agent, with the fields of their front matter. */
export interface AgentInstructions {
  /** The text for the model, without the front matter. */
  readonly text: string;
  /** The version in the front matter, or else `auto-` and the first characters of the text's hash. */
  readonly version: string;
  /** The path of the instructions' file in messages; missing for inline instructions. */
  readonly file?: string;
  readonly author?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
}

export interface ReadInstructions {
  readonly instructions: AgentInstructions;
  readonly problems: readonly FileProblem[];
}

/** Returns the instructions in the content of a file. `file` is its name in messages. */
export function readInstructions(content: string, file: string, environment: Environment): ReadInstructions {
  const { yaml, body } = splitFrontMatter(content);
  const text = body.trim();
  const found = readYaml(`\n${yaml ?? ""}`, file, environment, { schema: frontMatter, ...noSensitiveFields });
  const empty = { message: "the file has no instructions. Write instructions for the model.", position: { file } };
  const { version = autoVersion(text), ...rest } = found.value ?? {};
  return {
    instructions: { text, version, file, ...rest },
    problems: [...found.problems, ...(text === "" ? [empty] : [])],
  };
}

/** Returns the instructions that are written in the agent file. */
export function inlineInstructions(text: string): AgentInstructions {
  return { text, version: autoVersion(text) };
}

/** Returns a version that changes with every change of the text. */
function autoVersion(text: string): string {
  return `auto-${sha256(text).slice(0, 8)}`;
}

const noSensitiveFields = { isSecret: () => false, isConnection: () => false };
