/** The schema of `serve`: the agents and protocols that `bridle serve` offers, and its users. */
import { policyModes } from "@bridle/core";
import { z } from "zod";

/** Protocols that a server can offer in addition to its own API. */
const serveProtocols = ["ag-ui", "ai-sdk", "openai", "mcp", "a2a"] as const;

/** The rights of a token's owner: `viewer` reads, `operator` also starts runs and answers questions. */
const serveRoles = ["viewer", "operator"] as const;

/** The name of the user who starts a server, for the event log. */
export const serverOwner = "owner";

const userSchema = z.strictObject({
  tokenHash: z
    .string()
    .regex(
      /^sha256:[0-9a-f]{64}$/,
      "must be sha256: and 64 lower-case hexadecimal digits. bridle serve --new-token prints one.",
    )
    .describe("The hash of the user's token, from bridle serve --new-token."),
  role: z
    .enum(serveRoles)
    .default("viewer")
    .describe("viewer reads; operator also starts runs, answers questions and changes things."),
  namespace: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      "The namespace with the user's own sessions, permissions and credentials. Without it, the user shares the project's.",
    ),
});

const allowSchema = z
  .strictObject({
    models: z.array(z.string().min(1)).default([]).describe("The models that a request may choose for its run."),
    modes: z
      .array(z.enum(policyModes))
      .default([])
      .describe(`The modes that a request may choose for its run: ${policyModes.join(", ")}.`),
    steps: z
      .int()
      .positive()
      .exactOptional()
      .describe(
        "The maximum number of model responses that a request may ask for. The limit of the agent still applies.",
      ),
  })
  .describe("The settings that a request may choose for its run. The project's files decide everything else.");

export const serveSchema = z
  .strictObject({
    protocols: z
      .array(z.enum(serveProtocols))
      .default([])
      .describe(`The protocols to serve in addition to Bridle's own API: ${serveProtocols.join(", ")}.`),
    allow: allowSchema.default({ models: [], modes: [] }),
    uploads: z
      .boolean()
      .default(false)
      .describe("Whether requests with a prompt may have up to 20 MiB, for the files in them, instead of 1 MiB."),
    reasoning: z
      .boolean()
      .default(false)
      .describe("Whether responses of the protocol openai contain the reasoning of the model."),
    users: z
      .record(
        z
          .string()
          .regex(/^[\w.-]{1,60}$/, "must be up to 60 letters, digits, dots, dashes and underscores.")
          .refine((name) => name !== serverOwner, `must not be ${serverOwner}, who is the one who starts the server.`),
        userSchema,
      )
      .default({})
      .describe(
        "The users of the server by name, in addition to the one who starts it. The event log records their actions with this name.",
      ),
  })
  .describe("The protocols, limits and users of bridle serve.");

export type ServeConfig = z.output<typeof serveSchema>;

/** The settings without `serve`: Bridle's own API, for the user who starts the server. */
export const noServe: ServeConfig = serveSchema.parse({});
