import { ConfigError } from "@bridle/protocol";
import type { ClaudeAuthMode, ClaudeEnvironment } from "../options.ts";

/** The variables that an auth mode reads, and what the host reports in this mode. */
interface AuthRecipe {
  /** In each list, at least one of the variables must be set. */
  required: readonly (readonly string[])[];
  optional: readonly string[];
  /** Variables that are always set for the host. */
  fixed: Readonly<Record<string, string>>;
  /** The variable that carries `baseUrl`. */
  baseUrlVariable?: string | undefined;
  /** The values that the host may report as `apiKeySource` in this mode. */
  apiKeySources: readonly string[];
  /** The remedy if the host refuses the credentials. */
  advice: string;
}

const awsCredentials = [
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AWS_PROFILE",
  "AWS_CONFIG_FILE",
  "AWS_SHARED_CREDENTIALS_FILE",
  "AWS_BEARER_TOKEN_BEDROCK",
  "AWS_ROLE_ARN",
  "AWS_WEB_IDENTITY_TOKEN_FILE",
  "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
  "AWS_CONTAINER_CREDENTIALS_FULL_URI",
  "AWS_CONTAINER_AUTHORIZATION_TOKEN",
];

const azureCredentials = [
  "ANTHROPIC_FOUNDRY_API_KEY",
  "AZURE_CLIENT_ID",
  "AZURE_CLIENT_SECRET",
  "AZURE_TENANT_ID",
  "AZURE_FEDERATED_TOKEN_FILE",
];

const recipes: Readonly<Record<ClaudeAuthMode, AuthRecipe>> = {
  session: {
    required: [],
    optional: [],
    fixed: {},
    apiKeySources: ["none", "/login managed key"],
    advice: 'Run "claude" once and log in, or choose another auth mode or backend in bridle.yaml.',
  },
  api_key: {
    required: [["ANTHROPIC_API_KEY"]],
    optional: [],
    fixed: {},
    baseUrlVariable: "ANTHROPIC_BASE_URL",
    apiKeySources: ["ANTHROPIC_API_KEY"],
    advice: "Check the key in ANTHROPIC_API_KEY.",
  },
  oauth_token: {
    required: [["CLAUDE_CODE_OAUTH_TOKEN"]],
    optional: [],
    fixed: {},
    baseUrlVariable: "ANTHROPIC_BASE_URL",
    apiKeySources: ["none"],
    advice: 'Create a new token with "claude setup-token" and set CLAUDE_CODE_OAUTH_TOKEN to it.',
  },
  bedrock: {
    required: [["AWS_REGION"]],
    optional: awsCredentials,
    fixed: { CLAUDE_CODE_USE_BEDROCK: "1" },
    baseUrlVariable: "ANTHROPIC_BEDROCK_BASE_URL",
    apiKeySources: ["none"],
    advice: "Check the AWS credentials, their region and that the model is enabled there.",
  },
  vertex: {
    required: [["ANTHROPIC_VERTEX_PROJECT_ID"], ["CLOUD_ML_REGION"]],
    optional: ["GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CLOUD_PROJECT", "GCLOUD_PROJECT"],
    fixed: { CLAUDE_CODE_USE_VERTEX: "1" },
    baseUrlVariable: "ANTHROPIC_VERTEX_BASE_URL",
    apiKeySources: ["none"],
    advice: 'Run "gcloud auth application-default login", or check GOOGLE_APPLICATION_CREDENTIALS.',
  },
  foundry: {
    required: [["ANTHROPIC_FOUNDRY_RESOURCE", "ANTHROPIC_FOUNDRY_BASE_URL"]],
    optional: azureCredentials,
    fixed: { CLAUDE_CODE_USE_FOUNDRY: "1" },
    baseUrlVariable: "ANTHROPIC_FOUNDRY_BASE_URL",
    apiKeySources: ["none"],
    advice: "Check ANTHROPIC_FOUNDRY_API_KEY, or the Azure login.",
  },
};

/**
 * Returns the variables that an auth mode passes to the host, and no others. Throws a ConfigError that names a missing variable, before any
 * process is started.
 */
export function authVariables(
  mode: ClaudeAuthMode,
  environment: ClaudeEnvironment,
  baseUrl?: string,
): Record<string, string> {
  const recipe = recipes[mode];
  const address = baseUrlVariables(mode, recipe, baseUrl);
  const [missing] = missingVariables(mode, environment, baseUrl);
  if (missing !== undefined) {
    throw new ConfigError(
      `auth: ${mode} needs the environment variable ${missing}, which is not set. Set it, or choose another auth mode.`,
      { field: "llm.provider.auth" },
    );
  }
  return { ...readCredentials(mode, environment), ...recipe.fixed, ...address };
}

/** Returns those of the mode's variables that are set in the environment. */
export function readCredentials(mode: ClaudeAuthMode, environment: ClaudeEnvironment): Record<string, string> {
  const { required, optional } = recipes[mode];
  const found = [...required.flat(), ...optional].flatMap((name) => {
    const value = environment[name];
    return value === undefined || value === "" ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

/** Returns the variables that a mode needs, and that neither the environment nor `baseUrl` sets. Alternatives are joined by "or". */
export function missingVariables(mode: ClaudeAuthMode, environment: ClaudeEnvironment, baseUrl?: string): string[] {
  const { required, baseUrlVariable } = recipes[mode];
  const isSet = (name: string) => Boolean(environment[name]) || (baseUrl !== undefined && name === baseUrlVariable);
  return required.filter((names) => !names.some(isSet)).map((names) => names.join(" or "));
}

/**
 * Returns the variable with the address that the mode's requests are sent to, if they carry the credential itself. Undefined without such
 * an address, and for signed requests, because a signature is valid only for its own address.
 */
export function credentialAddressVariable(
  mode: ClaudeAuthMode,
  environment: Readonly<Record<string, string>>,
): string | undefined {
  const name = recipes[mode].baseUrlVariable;
  const isSigned = mode === "bedrock" && environment.AWS_BEARER_TOKEN_BEDROCK === undefined;
  return name === undefined || environment[name] === undefined || isSigned ? undefined : name;
}

/** Returns the credentials that the environment sets but that this mode does not use. Users may not expect that these are ignored. */
export function unusedCredentials(mode: ClaudeAuthMode, environment: ClaudeEnvironment): string[] {
  const used = [...recipes[mode].required.flat(), ...recipes[mode].optional];
  return ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"].filter(
    (name) => environment[name] && !used.includes(name),
  );
}

export function acceptsKeySource(mode: ClaudeAuthMode, source: string): boolean {
  return recipes[mode].apiKeySources.includes(source);
}

export function authAdvice(mode: ClaudeAuthMode): string {
  return recipes[mode].advice;
}

/** Whether a subscription pays, so that the cost of a run is only an estimate. */
export function isSubscription(mode: ClaudeAuthMode): boolean {
  return mode === "session" || mode === "oauth_token";
}

function baseUrlVariables(
  mode: ClaudeAuthMode,
  recipe: AuthRecipe,
  baseUrl: string | undefined,
): Record<string, string> {
  if (baseUrl === undefined) return {};
  if (recipe.baseUrlVariable !== undefined) return { [recipe.baseUrlVariable]: baseUrl };
  throw new ConfigError(
    `auth: ${mode} cannot be used with a baseUrl, because a login is sent only to its own provider. Leave baseUrl out, or use auth: api_key.`,
    { field: "llm.provider.baseUrl" },
  );
}
