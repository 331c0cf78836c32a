import { z } from "zod";

const name = z.string();

/** A credential by name: the path of its setting, and the variables that it comes from. */
const credentialSchema = z.strictObject({
  field: name.describe("The path of the setting, such as llm.provider.apiKey."),
  variables: z.array(name).describe("The environment variables that it comes from; none where it stands in the file."),
});

/** What `bridle status --json` prints. Nothing in it was asked of a model, and no value of it is a secret. */
export const statusSchema = z.strictObject({
  projectDir: z.string().describe("The folder that runs are about."),
  configFile: z.string().nullable().describe("Its bridle.yaml; null when there is none and the defaults hold."),
  namespace: name.nullable().describe("Whose state and credentials these are; null: those of the process itself."),
  backend: name.describe("The host of the models."),
  auth: name.nullable().describe("The auth mode of claude-code: who pays; null on other backends."),
  authentication: z.literal("not checked").describe("Only a request would tell; bridle doctor --live makes one."),
  credentials: z
    .strictObject({
      present: z.array(credentialSchema),
      missing: z.array(credentialSchema).describe("What is needed and is not there; also addresses and projects."),
      unused: z.array(name).describe("Credentials that are set in the environment and will not be used."),
      typed: z.array(name).describe("Paths of settings whose credential stands in the file itself."),
    })
    .describe("By name only."),
  baseUrl: z.string().nullable().describe("The address for requests, instead of the provider's own address."),
  models: z.array(
    z.strictObject({
      role: name,
      model: z.string().describe("As the file has it."),
      known: z
        .boolean()
        .describe("Whether the backend accepts names like it; whether the account has it is not checked."),
      nearest: z.array(z.string()).describe("Names that may have been meant."),
    }),
  ),
  embeddings: z
    .strictObject({ backend: name, model: z.string().nullable(), baseUrl: z.string().nullable() })
    .describe("Who turns texts into vectors."),
  limits: z
    .strictObject({
      onUsageLimit: z
        .enum(["wait", "fail"])
        .nullable()
        .describe("As configured; null: the command fails on a terminal and waits elsewhere."),
      maxWaitMs: z.number(),
      maxConcurrency: z.number(),
      usedUp: z
        .strictObject({ window: name, resetsAt: z.iso.datetime() })
        .nullable()
        .describe("The window that the account has used up, as its host said last; null when none is known."),
    })
    .describe("How the account is used."),
  pool: z
    .union([z.literal(false), z.record(z.string(), z.number())])
    .nullable()
    .describe("Processes of Claude Code that wait for calls: what is configured, false for none; null elsewhere."),
  policy: z
    .strictObject({
      mode: name.describe("How much is asked, by Bridle's own name for it."),
      rules: z.number().describe("How many rules of single tools there are."),
      disabled: z.array(name).describe("Tools that are not offered."),
      from: name.describe("Where the rules stand."),
      asks: z.boolean().describe("Whether a person is asked where one can answer; where nobody can, ask is deny."),
    })
    .nullable()
    .describe("The rules over the calls of tools; null: there are none, and what is handed over may run."),
  host: z
    .record(name, name)
    .nullable()
    .describe(
      "Versions of the host by name, such as claudeCode and sdk; null if it has none, or if it is not installed.",
    ),
  node: name.describe("The version of Node.js."),
  promptCaching: z.strictObject({
    ignored: z.array(name).describe("Fields that are set and that the backend ignores."),
  }),
  degraded: z.array(z.string()).describe("What works less well on this backend than elsewhere."),
});

export type Status = z.output<typeof statusSchema>;
