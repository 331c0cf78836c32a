import { z } from "zod";
import { environmentFileSchema } from "../environment-file/environment-file.ts";
import { trustSchema } from "../trust/trust-schema.ts";

const name = z.string();

/** A credential by name: the path of its setting, and its variables. */
const credentialSchema = z.strictObject({
  field: name.describe("The path of the setting, such as llm.provider.apiKey."),
  variables: z
    .array(name)
    .describe("The environment variables of its value; empty if the value is in the file itself."),
});

/** The output of `bridle status --json`. It needs no request to a host and contains no secrets. */
export const statusSchema = z.strictObject({
  projectDir: z.string().describe("The folder of the project."),
  configFile: z.string().nullable().describe("The path of bridle.yaml; null if there is none and the defaults apply."),
  environmentFile: environmentFileSchema
    .nullable()
    .describe("The .env of the project's folder, by name only; null if there is none, and for programs."),
  namespace: name
    .nullable()
    .describe("The namespace with the state and credentials in use; null for those of the process."),
  backend: name.describe("The host that runs the models."),
  auth: name
    .nullable()
    .describe("The auth mode of claude-code, which decides the account that pays; null on other backends."),
  authentication: z
    .enum(["not checked", "no login"])
    .describe(
      "no login: the host has none on this machine, so runs will fail. Only a request can show whether a login is accepted; bridle doctor --live sends one.",
    ),
  credentials: z
    .strictObject({
      present: z.array(credentialSchema),
      missing: z
        .array(credentialSchema)
        .describe("Required settings that are missing, including addresses and projects."),
      unused: z.array(name).describe("Credentials that are set in the environment but not used."),
      typed: z.array(name).describe("Paths of settings with a credential in the file itself."),
    })
    .describe("The credentials, by name only."),
  baseUrl: z.string().nullable().describe("The address for requests, instead of the provider's own address."),
  gitHubHost: name
    .nullable()
    .describe("The GitHub that the token of copilot goes to, instead of github.com; null on other backends."),
  models: z.array(
    z.strictObject({
      role: name,
      model: z
        .string()
        .describe("The model as the file names it. A model from the environment appears as its reference."),
      known: z
        .boolean()
        .describe("Whether the backend accepts such a name. Whether the account can use the model is not checked."),
      nearest: z.array(z.string()).describe("The nearest known names, if the name is not known."),
    }),
  ),
  embeddings: z
    .strictObject({ backend: name, model: z.string().nullable(), baseUrl: z.string().nullable() })
    .describe("The provider that turns texts into vectors."),
  limits: z
    .strictObject({
      onUsageLimit: z
        .enum(["wait", "fail"])
        .nullable()
        .describe("The setting; null if it is not set. Then a command fails on a terminal, and waits without one."),
      maxWaitMs: z.number(),
      maxConcurrency: z.number(),
      usedUp: z
        .strictObject({ window: name, resetsAt: z.iso.datetime() })
        .nullable()
        .describe("The used-up window of the account, as its host last reported it; null if none is known."),
    })
    .describe("Limits on the use of the account."),
  eventLog: z
    .string()
    .describe("Where the events of runs are kept: the path of a file, or a database without its credentials."),
  connections: z
    .array(
      z.strictObject({
        name,
        type: name.describe("The engine."),
        place: z.string().describe("The place of the database without credentials; a variable as the file names it."),
        missing: z.array(name).describe("Unset variables that the connection needs."),
      }),
    )
    .describe("The warehouses that agents may read. They are not opened."),
  pool: z
    .union([z.literal(false), z.record(z.string(), z.number())])
    .nullable()
    .describe(
      "The settings for Claude Code processes that wait for calls; false if there are none; null on other backends.",
    ),
  policy: z
    .strictObject({
      mode: name.describe("The mode, by Bridle's own name. It decides which calls need approval."),
      rules: z.number().describe("The number of rules for single tools."),
      disabled: z.array(name).describe("Tools that the model does not get."),
      from: name.describe("The position of the rules, as file:line:column, or their file."),
      asks: z
        .boolean()
        .describe("Whether the decision ask asks an approver. If false, or if no approver is present, ask means deny."),
    })
    .nullable()
    .describe(
      "The rules for tool calls; null if there are none, so that every tool that you pass to a run may be called.",
    ),
  host: z
    .record(name, name)
    .nullable()
    .describe(
      "Versions of the host by name, such as claudeCode and sdk; null if it has none, or if it is not installed.",
    ),
  node: name.describe("The version of Node.js."),
  promptCaching: z.strictObject({
    ignored: z.array(name).describe("Fields that are set but that the backend ignores."),
  }),
  trust: trustSchema.describe("What bridle.yaml does on this machine and beyond, and whether you trust it."),
  degraded: z.array(z.string()).describe("Features that work less well on this backend than on others."),
});

export type Status = z.output<typeof statusSchema>;
