/** The rules of a project as data. */
import { projectPolicySchema } from "@bridle/core";
import { z } from "zod";

export const rulesSchema = projectPolicySchema;
export type Rules = z.output<typeof projectPolicySchema>;

const decision = z.enum(["allow", "ask", "deny"]);

/** The rules in `bridle.yaml`. `null` if the project has none. */
export const ruleFileSchema = z.strictObject({
  /** The path relative to the project. `null` if the project has no `bridle.yaml`. */
  file: z.string().nullable(),
  rules: projectPolicySchema.nullable(),
  /** The rules in the order in which they decide. */
  order: z.array(z.strictObject({ rule: z.string(), subject: z.string(), decision })),
  /** Whether the server uses these rules. False if they were changed after it started. */
  isInEffect: z.boolean(),
  /**
   * Names in the rules that no agent of the project has, or that cannot be checked. A rule with an unknown name matches nothing.
   */
  warnings: z.array(z.string()),
});
export type RuleFile = z.output<typeof ruleFileSchema>;

const replayedCallSchema = z.strictObject({
  session: z.string().nullable(),
  run: z.string(),
  seq: z.int().positive(),
  callId: z.string(),
  tool: z.string(),
  input: z.unknown(),
  /** The recorded decision, and the rule that made it. */
  recorded: z.strictObject({ decision, rule: z.string() }),
  before: z.strictObject({ decision, rule: z.string() }),
  after: z.strictObject({ decision, rule: z.string() }),
  /** Whether the decision differs. */
  isChanged: z.boolean(),
});
export type ReplayedCall = z.output<typeof replayedCallSchema>;

/** The decisions that other rules would make about recorded calls. */
export const rulePreviewSchema = z.strictObject({
  /** The change to the file, as `diff -u` shows it. */
  diff: z.string(),
  calls: z.array(replayedCallSchema),
  changed: z.int().nonnegative(),
});
export type RulePreview = z.output<typeof rulePreviewSchema>;
