/** What an invocation of the tests was to do, and with what: written before anything runs. */
import { z } from "zod";

export const testPlanSchema = z.strictObject({
  agent: z.strictObject({ name: z.string(), file: z.string(), description: z.string().nullable() }),
  backend: z.string(),
  /** As it was asked for; turns say which answered. */
  model: z.string(),
  /** The script that answered in the place of the model. */
  rehearsal: z.string().nullable(),
  /** Names of the cases, in the order of the file. */
  cases: z.array(z.string()),
  trials: z.int().positive(),
  parallel: z.int().positive(),
  failFast: z.boolean(),
  allowSideEffects: z.boolean(),
  /** Of all that decides what is tested: the agent's file, its instructions, the script. `--resume` wants the same. */
  fingerprint: z.string(),
  /** `version` of the front matter, else `auto-` and the beginning of the hash. */
  instructions: z.strictObject({ version: z.string(), sha256: z.string() }),
  git: z.strictObject({ commit: z.string(), dirty: z.boolean() }).nullable(),
  /** By name, such as `bridle`, `node`, `claude-code`. */
  versions: z.record(z.string(), z.string()),
  /** The agent's file as it was understood; credentials are left out, values from the environment are `${NAME}`. */
  configuration: z.json(),
  /** The project's rules over calls, which hold beside the agent's own; `null` where `bridle.yaml` has none. */
  rules: z.json(),
});
export type TestPlan = z.output<typeof testPlanSchema>;
