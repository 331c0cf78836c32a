/** The plan of an invocation. It is written before anything runs. */
import { z } from "zod";

export const testPlanSchema = z.strictObject({
  agent: z.strictObject({ name: z.string(), file: z.string(), description: z.string().nullable() }),
  backend: z.string(),
  /** The requested model. The results of turns name the model that answered. */
  model: z.string(),
  /** The script that answered in place of the model. */
  rehearsal: z.string().nullable(),
  /** The names of the cases, in the order of the file. */
  cases: z.array(z.string()),
  trials: z.int().positive(),
  parallel: z.int().positive(),
  failFast: z.boolean(),
  allowSideEffects: z.boolean(),
  /** A hash of the agent file, its instructions, its rules and the script. `--resume` requires the same hash. */
  fingerprint: z.string(),
  /**
   * Everything else that influences the results: hashes of files, including every module that tools and graders import, by path; versions
   * of their packages; and the judges. `--resume` reports the changes.
   */
  contents: z.record(z.string(), z.string()).default({}),
  /** A hash of the contents that each case uses, by the case's name. `--resume` runs a case again if its hash changed. */
  caseContents: z.record(z.string(), z.string()).default({}),
  /** `version` in the front matter, or else `auto-` and the beginning of the hash. */
  instructions: z.strictObject({ version: z.string(), sha256: z.string() }),
  git: z.strictObject({ commit: z.string(), dirty: z.boolean() }).nullable(),
  /** Versions by name, such as `bridle`, `node`, `claude-code`. */
  versions: z.record(z.string(), z.string()),
  /** The agent file after parsing, without credentials. Values from the environment are `${NAME}`. */
  configuration: z.json(),
  /** The project's rules for calls, in addition to the agent's own; `null` without rules in `bridle.yaml`. */
  rules: z.json(),
});
export type TestPlan = z.output<typeof testPlanSchema>;
