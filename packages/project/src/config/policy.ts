/** The rules of a project over the calls of its tools. */
import { policyModeNames, policyModes } from "@bridle/core";
import { z } from "zod";

const verdict = z.enum(["allow", "ask", "deny"]);

const ruleSchema = z.strictObject({
  tool: z.string().min(1).describe("The tool's name, as the model has it."),
  when: z
    .record(z.string().min(1), z.string().min(1))
    .exactOptional()
    .describe(
      "Only for inputs like this: fields, such as statement or order.id, and the regular expression that is to be found in each, without regard to case.",
    ),
  then: verdict.describe("What becomes of the call."),
});

const follows = (what: string, fallback: z.output<typeof verdict>) =>
  verdict.exactOptional().describe(`What becomes of a call of a tool that ${what}. Default: ${fallback}.`);

export const policySchema = z
  .strictObject({
    mode: z
      .enum(policyModeNames)
      .exactOptional()
      .describe(
        `How much is asked: ${policyModes.join(", ")}; also by the names that other tools have for them. Default: normal.`,
      ),
    disable: z.array(z.string().min(1)).exactOptional().describe("Tools that are not offered at all."),
    rules: z.array(ruleSchema).exactOptional().describe("Rules of single tools. The first that fits a call counts."),
    annotations: z
      .strictObject({
        readOnly: follows("changes nothing", "allow"),
        destructive: follows("may remove what cannot be brought back", "ask"),
        openWorld: follows("reaches beyond this machine", "ask"),
      })
      .exactOptional()
      .describe("What follows from what a tool promises about itself. Of several the strictest counts."),
  })
  .describe("Rules over the calls of tools. Without any, what is handed over may run.");

export type PolicyConfig = z.output<typeof policySchema>;
