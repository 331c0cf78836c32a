/** The rules of a project for tool calls. */
import { policyModeNames, policyModes } from "@bridle/core";
import { z } from "zod";

const verdict = z.enum(["allow", "ask", "deny"]);

const ruleSchema = z.strictObject({
  tool: z.string().min(1).describe("The tool's name, as the model has it."),
  when: z
    .record(z.string().min(1), z.string().min(1))
    .exactOptional()
    .describe(
      "The rule applies only if these fields of the input, such as statement or order.id, match their regular expressions. Case is ignored.",
    ),
  then: verdict.describe("The decision about a matching call."),
});

const follows = (what: string, fallback: z.output<typeof verdict>) =>
  verdict.exactOptional().describe(`The decision about a call of a tool that ${what}. Default: ${fallback}.`);

export const policySchema = z
  .strictObject({
    mode: z
      .enum(policyModeNames)
      .exactOptional()
      .describe(
        `Which calls need approval: ${policyModes.join(", ")}. The names that other products use for these modes also work. Default: normal.`,
      ),
    disable: z.array(z.string().min(1)).exactOptional().describe("Tools that the model does not get."),
    rules: z
      .array(ruleSchema)
      .exactOptional()
      .describe("Rules for single tools. The first rule that matches a call decides."),
    annotations: z
      .strictObject({
        readOnly: follows("changes nothing", "allow"),
        destructive: follows("may destroy data for good", "ask"),
        openWorld: follows("uses systems outside of this machine", "ask"),
      })
      .exactOptional()
      .describe("Decisions that follow from a tool's annotations. If several apply, the strictest one counts."),
  })
  .describe("Rules for tool calls. Without rules, every tool that you pass to a run may be called.");

export type PolicyConfig = z.output<typeof policySchema>;
