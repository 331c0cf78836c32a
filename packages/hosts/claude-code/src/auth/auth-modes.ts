import { ConfigError } from "@bridle/protocol";
import type { AuthMode, Environment } from "../options.ts";

/** What one auth mode takes from the environment, and what the host reports when it uses it. */
interface AuthRecipe {
  /** Each entry is satisfied by any of its names. */
  required: readonly (readonly string[])[];
  optional: readonly string[];
  /** Set for the host whatever the environment says. */
  fixed: Readonly<Record<string, string>>;
  /** The variable that carries `baseUrl`. */
  baseUrlVariable?: string;
  /** Values of the host's `apiKeySource` that are right for this mode. */
  apiKeySources: readonly string[];
  /** What to do when the host refuses. */
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

const recipes: Readonly<Record<AuthMode, AuthRecipe>> = {
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
    advice: 'Make a new token with "claude setup-token" and put it into CLAUDE_CODE_OAUTH_TOKEN.',
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
 * Exactly the variables that an auth mode hands to the host.
 * Throws ConfigError naming what is missing, before any process is started.
 */
export function authVariables(mode: AuthMode, environment: Environment, baseUrl?: string): Record<string, string> {
  const recipe = recipes[mode];
  const redirected = redirect(mode, recipe, baseUrl);
  const [missing] = missingVariables(mode, { ...environment, ...redirected });
  if (missing !== undefined) {
    throw new ConfigError(
      `auth: ${mode} needs the environment variable ${missing}, which is not set. Set it, or choose another auth mode.`,
      {
        field: "llm.provider.auth",
      },
    );
  }
  return { ...credentialsOf(mode, environment), ...recipe.fixed, ...redirected };
}

/** What a mode takes from the environment, as far as it is set. */
export function credentialsOf(mode: AuthMode, environment: Environment): Record<string, string> {
  const { required, optional } = recipes[mode];
  const taken = [...required.flat(), ...optional].flatMap((name) => {
    const value = environment[name];
    return value === undefined || value === "" ? [] : [[name, value] as const];
  });
  return Object.fromEntries(taken);
}

/** The variables that a mode needs and the environment lacks; alternatives are joined by "or". */
export function missingVariables(mode: AuthMode, environment: Environment): string[] {
  return recipes[mode].required
    .filter((names) => !names.some((name) => environment[name]))
    .map((names) => names.join(" or "));
}

/** Names of credentials that are set in the environment but not used by this mode: what a user may wonder about. */
export function unusedCredentials(mode: AuthMode, environment: Environment): string[] {
  const used = [...recipes[mode].required.flat(), ...recipes[mode].optional];
  return ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"].filter(
    (name) => environment[name] && !used.includes(name),
  );
}

export function acceptsKeySource(mode: AuthMode, source: string): boolean {
  return recipes[mode].apiKeySources.includes(source);
}

export function authAdvice(mode: AuthMode): string {
  return recipes[mode].advice;
}

/** Whether what a run costs is billed by the token, or only an estimate beside a subscription. */
export function isSubscription(mode: AuthMode): boolean {
  return mode === "session" || mode === "oauth_token";
}

function redirect(mode: AuthMode, recipe: AuthRecipe, baseUrl: string | undefined): Record<string, string> {
  if (baseUrl === undefined) return {};
  if (recipe.baseUrlVariable !== undefined) return { [recipe.baseUrlVariable]: baseUrl };
  throw new ConfigError(
    `auth: ${mode} cannot go to a baseUrl: a login is only sent to its own provider. Leave baseUrl out, or use auth: api_key.`,
    {
      field: "llm.provider.baseUrl",
    },
  );
}
