/** Instructions, and the front matter that a file of them may begin with. */
import { sha256 } from "@bridle/core";
import { type Environment, type FileProblem, readYaml } from "@bridle/project";
import { z } from "zod";
import { splitFrontMatter } from "./front-matter.ts";

const text = z.string().min(1);

const frontMatter = z.strictObject({
  version: z.union([text, z.number().transform(String)]).exactOptional(),
  author: text.exactOptional(),
  description: text.exactOptional(),
  tags: z.array(text).exactOptional(),
});

/** What the model is told before anything else, and what is known of the text. */
export interface AgentInstructions {
  /** What the model is sent: the front matter is not. */
  readonly text: string;
  /** As the front matter says, else `auto-` and the beginning of the text's hash. */
  readonly version: string;
  /** The file that they were read from, as messages name it. */
  readonly file?: string;
  readonly author?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
}

export interface ReadInstructions {
  readonly instructions: AgentInstructions;
  readonly problems: readonly FileProblem[];
}

/** Instructions of a file's text. `file` is for messages. */
export function readInstructions(content: string, file: string, environment: Environment): ReadInstructions {
  const { yaml, body } = splitFrontMatter(content);
  const text = body.trim();
  const found = readYaml(`\n${yaml ?? ""}`, file, environment, { schema: frontMatter, ...noPaths });
  const empty = { message: "the file says nothing to the model. Write instructions.", position: { file } };
  const { version = autoVersion(text), ...rest } = found.value ?? {};
  return {
    instructions: { text, version, file, ...rest },
    problems: [...found.problems, ...(text === "" ? [empty] : [])],
  };
}

/** Instructions that stand in the agent's file itself. */
export function inlineInstructions(text: string): AgentInstructions {
  return { text, version: autoVersion(text) };
}

/** Changes when a word of the text does. */
function autoVersion(text: string): string {
  return `auto-${sha256(text).slice(0, 8)}`;
}

const noPaths = { isSecret: () => false, isConnection: () => false };
