/** Schemas of the rules for tool calls in a file or in a program. */
import { z } from "zod";
import { policyModeNames, policyModes } from "./policy-modes.ts";

const verdict = z.enum(["allow", "ask", "deny"]);

const ruleSchema = z.strictObject({
  tool: z.string().min(1).describe("The name of the tool, as the model sees it."),
  when: z
    .record(z.string().min(1), z.string().min(1))
    .exactOptional()
    .describe(
      "The rule applies only if these fields of the input, such as statement or order.id, match their regular expressions. Case is ignored.",
    ),
  then: verdict.describe("The decision about a matching call."),
});

const follows = (what: string, fallback: z.output<typeof verdict>) =>
  verdict.exactOptional().describe(`The decision about calls of a tool that ${what}. Default: ${fallback}.`);

export const policySchema = z
  .strictObject({
    mode: z
      .enum(policyModeNames)
      .exactOptional()
      .describe(
        `The mode, which determines which calls need approval: ${policyModes.join(", ")}. Names from other products also work. Default: normal.`,
      ),
    disable: z.array(z.string().min(1)).exactOptional().describe("Tools that are hidden from the model."),
    rules: z
      .array(ruleSchema)
      .exactOptional()
      .describe("Rules for single tools. The first rule that matches a call decides."),
    annotations: z
      .strictObject({
        readOnly: follows("changes nothing", "allow"),
        destructive: follows("may permanently destroy data", "ask"),
        openWorld: follows("uses systems outside this machine", "ask"),
      })
      .exactOptional()
      .describe("Decisions based on a tool's annotations. If several apply, the strictest one counts."),
  })
  .describe("Rules for tool calls. Without rules, the model may call every tool that you pass to a run.");

/** The rules of a project. A rule may be limited to some of the project's agents. */
export const projectPolicySchema = policySchema
  .extend({
    rules: z
      .array(
        ruleSchema.extend({
          agents: z
            .array(z.string().min(1))
            .min(1)
            .exactOptional()
            .describe("The names of the agents that the rule applies to. Default: all runs of the project."),
        }),
      )
      .exactOptional()
      .describe("Rules for single tools. The first rule that matches a call decides."),
  })
  .describe("Rules for tool calls. Without rules, the model may call every tool that you pass to a run.");

export type PolicyConfig = z.output<typeof projectPolicySchema>;

/** The rules in a program's object, in which a key may be `undefined`. `resolveMode` checks the mode. */
export const policyRulesSchema = z.strictObject({
  mode: z.string().optional(),
  unattended: z.boolean().optional(),
  disable: policySchema.shape.disable.optional(),
  rules: z
    .array(ruleSchema.extend({ when: ruleSchema.shape.when.optional(), agents: z.array(z.string()).optional() }))
    .optional(),
  annotations: z
    .strictObject({
      readOnly: verdict.optional(),
      destructive: verdict.optional(),
      openWorld: verdict.optional(),
    })
    .optional(),
  positions: z.record(z.string(), z.unknown()).optional(),
});
