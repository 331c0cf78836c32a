/** The schema of `serve`: what `bridle serve` offers, and to whom. */
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
    .describe("The hash of the user's token, as bridle serve --new-token prints it."),
  role: z
    .enum(serveRoles)
    .default("viewer")
    .describe("viewer reads; operator also starts runs, answers questions and changes things."),
  namespace: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      "The namespace with the user's own sessions, permissions and credentials. Without it, the user shares those of the project.",
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
      .describe("The most responses of the model that a request may ask for. The limit of the agent still applies."),
  })
  .describe(
    "What a request may choose for its run. All that is not listed here is decided by the files of the project.",
  );

export const serveSchema = z
  .strictObject({
    protocols: z
      .array(z.enum(serveProtocols))
      .default([])
      .describe(`The protocols that are served besides Bridle's own API: ${serveProtocols.join(", ")}.`),
    allow: allowSchema.default({ models: [], modes: [] }),
    uploads: z
      .boolean()
      .default(false)
      .describe("Requests with a prompt may have 20 MiB, for the files in them, instead of 1 MiB."),
    reasoning: z
      .boolean()
      .default(false)
      .describe("Responses of the protocol openai contain the reasoning of the model."),
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
        "The users of the server by name, besides the one who starts it. What a user does is on record with the name.",
      ),
  })
  .describe("What bridle serve offers, and to whom.");

export type ServeConfig = z.output<typeof serveSchema>;

/** Without `serve`: Bridle's own API, for the user who starts the server. */
export const noServe: ServeConfig = serveSchema.parse({});
