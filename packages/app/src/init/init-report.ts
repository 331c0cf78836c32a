import { z } from "zod";
import type { Findings } from "./findings.ts";
import { providerNames } from "./providers.ts";
import { templateNames } from "./templates.ts";

/** The output of `bridle init --json`. */
export const initSchema = z.strictObject({
  folder: z.string().describe("The project's folder."),
  template: z.enum(templateNames),
  provider: z.enum(providerNames),
  model: z.string(),
  files: z.array(z.string()).describe("The files that were written, relative to the folder."),
  found: z
    .strictObject({
      logins: z
        .array(
          z.strictObject({ provider: z.enum(providerNames), state: z.enum(["accepted", "refused", "not checked"]) }),
        )
        .describe("The logins of hosts on this machine, such as the login of Claude Code."),
      variables: z.array(z.string()).describe("The names of the variables with credentials that are set."),
      ollama: z.strictObject({ address: z.string(), models: z.array(z.string()) }).nullable(),
    })
    .nullable()
    .describe("null if nothing was searched, because the options were complete."),
  missing: z.array(z.string()).describe("The variables that the provider needs and that are not set."),
});

export type InitReport = z.output<typeof initSchema>;

export function reportFindings(findings: Findings | undefined): InitReport["found"] {
  if (findings === undefined) return null;
  const { logins, keys, ollama } = findings;
  return {
    logins: logins.map(({ provider, state }) => ({ provider, state })),
    variables: [...new Set(keys.flatMap(({ variables }) => variables))],
    ollama: ollama ? { address: ollama.address, models: ollama.models.map(({ name }) => name) } : null,
  };
}
