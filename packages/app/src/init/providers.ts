/** The providers of a new project: what each one needs, and what it adds to `bridle.yaml`. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import type { Environment } from "@bridle/project";

export const providerNames = [
  "claude-code",
  "claude-code-token",
  "anthropic",
  "openai",
  "gateway",
  "bedrock",
  "vertex",
  "ollama",
] as const;

export type ProviderName = (typeof providerNames)[number];

export interface InitProvider {
  /** The name for people. */
  readonly label: string;
  /** The default model. Missing if only the server knows its models. */
  readonly model?: string;
  /** The variables that it needs: one of each list. Their values are never read. */
  readonly variables: readonly (readonly string[])[];
  /** The settings under `llm.provider`. `${NAME}` is read from the environment when a run starts. */
  settings(environment: Environment, ollama: string): Readonly<Record<string, string>>;
  /** How to set it up. */
  readonly remedy: string;
}

export const providers: Readonly<Record<ProviderName, InitProvider>> = {
  "claude-code": {
    label: "your Claude Code login",
    model: "sonnet",
    variables: [],
    settings: () => ({ backend: "claude-code" }),
    remedy:
      'run "claude" once and log in (npm install --global @anthropic-ai/claude-code installs it), then "bridle doctor --live"',
  },
  "claude-code-token": {
    label: "your Claude subscription, by a token",
    model: "sonnet",
    variables: [["CLAUDE_CODE_OAUTH_TOKEN"]],
    settings: () => ({ backend: "claude-code", auth: "oauth_token" }),
    remedy: 'run "claude setup-token", and set CLAUDE_CODE_OAUTH_TOKEN',
  },
  anthropic: {
    label: "Anthropic's API",
    model: "sonnet",
    variables: [["ANTHROPIC_API_KEY"]],
    settings: () => ({ backend: "anthropic", apiKey: "${ANTHROPIC_API_KEY}" }),
    remedy: "make a key at platform.claude.com, and set ANTHROPIC_API_KEY",
  },
  openai: {
    label: "OpenAI's API",
    model: "gpt-6-sol",
    variables: [["OPENAI_API_KEY"]],
    settings: () => ({ backend: "openai", apiKey: "${OPENAI_API_KEY}" }),
    remedy: "make a key at platform.openai.com, and set OPENAI_API_KEY",
  },
  gateway: {
    label: "Vercel's AI Gateway",
    model: "sonnet",
    variables: [["AI_GATEWAY_API_KEY"]],
    settings: () => ({ backend: "gateway", apiKey: "${AI_GATEWAY_API_KEY}" }),
    remedy: "make a key at vercel.com, and set AI_GATEWAY_API_KEY",
  },
  bedrock: {
    label: "Claude on Amazon Bedrock",
    model: "sonnet",
    variables: [["AWS_REGION"], ["AWS_BEARER_TOKEN_BEDROCK", "AWS_SECRET_ACCESS_KEY"]],
    settings: (environment) => ({ backend: "bedrock", region: "${AWS_REGION}", ...bedrockKey(environment) }),
    remedy: "set AWS_REGION, and AWS_BEARER_TOKEN_BEDROCK or AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY",
  },
  vertex: {
    label: "Claude on Google Vertex AI",
    model: "sonnet",
    variables: [["GOOGLE_CLOUD_PROJECT"], ["GOOGLE_APPLICATION_CREDENTIALS"]],
    settings: (environment) => ({
      backend: "vertex",
      project: "${GOOGLE_CLOUD_PROJECT}",
      location: isSet(environment, "GOOGLE_CLOUD_LOCATION") ? "${GOOGLE_CLOUD_LOCATION}" : "global",
      keyFile: "${GOOGLE_APPLICATION_CREDENTIALS}",
    }),
    remedy: "set GOOGLE_CLOUD_PROJECT, and GOOGLE_APPLICATION_CREDENTIALS with the key file of a service account",
  },
  ollama: {
    label: "Ollama on this machine",
    variables: [],
    settings: (_environment, ollama) => ({ backend: "openai-compatible", baseUrl: `${ollama}/v1` }),
    remedy: 'install it from ollama.com, then "ollama pull qwen3" (a model that calls tools)',
  },
};

function bedrockKey(environment: Environment): Readonly<Record<string, string>> {
  if (isSet(environment, "AWS_BEARER_TOKEN_BEDROCK")) return { apiKey: "${AWS_BEARER_TOKEN_BEDROCK}" };
  return {
    accessKeyId: "${AWS_ACCESS_KEY_ID}",
    secretAccessKey: "${AWS_SECRET_ACCESS_KEY}",
    ...(isSet(environment, "AWS_SESSION_TOKEN") && { sessionToken: "${AWS_SESSION_TOKEN}" }),
  };
}

/** The names of a provider's variables that are set; `undefined` if one is missing. */
export function variablesSet(name: ProviderName, environment: Environment): readonly string[] | undefined {
  const found = providers[name].variables.map((any) => any.find((variable) => isSet(environment, variable)));
  return found.every((variable) => variable !== undefined) ? found : undefined;
}

/** The variables that are missing, with their alternatives. */
export function variablesMissing(name: ProviderName, environment: Environment): readonly string[] {
  return providers[name].variables.flatMap((any) =>
    any.some((variable) => isSet(environment, variable)) ? [] : [any.join(" or ")],
  );
}

function isSet(environment: Environment, variable: string): boolean {
  return (environment[variable] ?? "") !== "";
}
