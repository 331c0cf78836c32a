/** `model`: for each provider exactly its keys. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { authModes } from "@bridle/project";
import { z } from "zod";
import { address, text } from "./fields.ts";

const provider = "The host of the model.";
const key = (variable: string) => text(`The key of the account that pays, such as \${${variable}}.`).exactOptional();
const endpoint = (what = "Where requests go instead of the provider's own address, such as a gateway.") =>
  address(what).exactOptional();

/** Of every model. */
const common = {
  name: text("The model, by alias or full id, such as sonnet."),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .exactOptional()
    .describe("How freely the model chooses its words. Claude Code has no such setting: a warning says so."),
  top_p: z
    .number()
    .min(0)
    .max(1)
    .exactOptional()
    .describe("Only the likeliest words that make up this share are chosen from. Claude Code: as temperature."),
  max_tokens: z.int().min(1).exactOptional().describe("The most tokens of one answer."),
};

const authProvider = z
  .enum(authModes)
  .exactOptional()
  .describe(
    "Who pays on Claude Code: its login on this machine (session, the default), or a credential of the environment.",
  );

interface OnClaude {
  readonly runtime?: string;
  readonly auth_provider?: string;
  readonly api_key?: string;
  readonly endpoint?: string;
}

/** A login is only sent to its own provider. */
const keepLogin: z.core.CheckFn<OnClaude> = ({ value, issues }) => {
  const { endpoint, auth_provider = "session" } = value;
  if (endpoint === undefined || auth_provider !== "session") return;
  const message =
    "cannot stand with auth_provider: session, because a login is only sent to its own provider. Remove it, or set auth_provider: api_key.";
  issues.push({ code: "custom", input: endpoint, path: ["endpoint"], message });
};

/** Each runtime takes its credentials from one place. */
const onOneRuntime: z.core.CheckFn<OnClaude> = (context) => {
  const { runtime = "model-api", auth_provider = "api_key", api_key } = context.value;
  const complain = (path: string, message: string) =>
    context.issues.push({ code: "custom", input: context.value, path: [path], message });
  if (runtime !== "claude-code") {
    if (auth_provider !== "api_key")
      complain(
        "auth_provider",
        `is ${auth_provider}, which is of Claude Code. Set runtime: claude-code, or remove it and write api_key.`,
      );
    return;
  }
  keepLogin(context);
  if (api_key !== undefined)
    complain(
      "api_key",
      "is not for runtime: claude-code, which takes ANTHROPIC_API_KEY from the environment with auth_provider: api_key. Remove it.",
    );
};

const options = [
  z
    .strictObject({
      provider: z.literal("claude-code").describe(provider),
      ...common,
      auth_provider: authProvider,
      endpoint: endpoint("Where requests go instead of Anthropic. Not with auth_provider: session."),
    })
    .check(keepLogin),
  z
    .strictObject({
      provider: z.literal("anthropic").describe(provider),
      ...common,
      runtime: z
        .enum(["model-api", "claude-code"])
        .exactOptional()
        .describe("claude-code runs the model through Claude Code instead of the model API. Default: model-api."),
      auth_provider: authProvider,
      api_key: key("ANTHROPIC_API_KEY"),
      endpoint: endpoint(),
    })
    .check(onOneRuntime),
  z.strictObject({
    provider: z.literal("openai").describe(provider),
    ...common,
    api_key: key("OPENAI_API_KEY"),
    endpoint: endpoint(),
    organization: text("The organization that requests are counted for.").exactOptional(),
    project: text("The project that requests are counted for.").exactOptional(),
  }),
  z.strictObject({
    provider: z.literal("azure_openai").describe(provider),
    ...common,
    api_key: key("AZURE_OPENAI_API_KEY"),
    endpoint: address("The address of the resource, such as https://my-resource.openai.azure.com."),
    api_version: z
      .literal("v1", {
        error: "can only be v1: the versions with a date are of an API that is not spoken here. Remove it",
      })
      .exactOptional()
      .describe("Can only be v1, which every resource has."),
  }),
  z.strictObject({
    provider: z.literal("ollama").describe(provider),
    ...common,
    endpoint: endpoint("The address of Ollama. Default: http://localhost:11434."),
    api_key: key("OLLAMA_API_KEY"),
  }),
  z.strictObject({
    provider: z.literal("openai-compatible").describe(provider),
    ...common,
    endpoint: endpoint("The address of the server, such as http://localhost:8000/v1."),
    api_key: text("A key, where the server wants one.").exactOptional(),
  }),
  z.strictObject({
    provider: z.literal("gateway").describe(provider),
    ...common,
    api_key: key("AI_GATEWAY_API_KEY"),
    endpoint: endpoint(),
  }),
  z.strictObject({
    provider: z.literal("vertex").describe(provider),
    ...common,
    project: text("The Google Cloud project that pays, such as ${GOOGLE_CLOUD_PROJECT}.").exactOptional(),
    location: text("The region of the models, such as us-east5, or global.").exactOptional(),
    access_token: text("A token of Google Cloud that is good for about an hour.").exactOptional(),
    key_file: text("The key file of a service account.").exactOptional(),
    credentials: z
      .literal("application-default")
      .exactOptional()
      .describe("The login that gcloud keeps on this machine, or what it finds on a machine of Google's."),
    endpoint: endpoint(),
  }),
  z.strictObject({
    provider: z.literal("bedrock").describe(provider),
    ...common,
    region: text("The AWS region of the models, such as ${AWS_REGION}.").exactOptional(),
    access_key_id: text("The id of an AWS access key, such as ${AWS_ACCESS_KEY_ID}.").exactOptional(),
    secret_access_key: text("Its secret, such as ${AWS_SECRET_ACCESS_KEY}.").exactOptional(),
    session_token: text("Its session token, where it is a temporary one.").exactOptional(),
    api_key: key("AWS_BEARER_TOKEN_BEDROCK"),
    endpoint: endpoint(),
  }),
] as const;

export const modelSchema = z.discriminatedUnion("provider", options);

export type ModelConfig = z.output<typeof modelSchema>;
