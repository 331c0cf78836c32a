/** The forms of `model` in an agent file that run on Claude Code. */
import { type AgentModelForm, agentFields } from "@bridle/protocol";
import { z } from "zod";
import { claudeAuthModes } from "../options.ts";

const backend = "claude-code";

const authProvider = z
  .enum(claudeAuthModes)
  .exactOptional()
  .describe(
    "The account that pays on Claude Code: its login on this machine (session, the default), or a credential from the environment.",
  );

type Model = Readonly<Record<string, unknown>>;

/** Refuses an endpoint for a login, which is only sent to its own provider. */
const keepLogin: z.core.CheckFn<Model> = ({ value, issues }) => {
  const { endpoint, auth_provider = "session" } = value;
  if (endpoint === undefined || auth_provider !== "session") return;
  const message =
    "cannot be combined with auth_provider: session, because a login is only sent to its own provider. Remove it, or set auth_provider: api_key.";
  issues.push({ code: "custom", input: endpoint, path: ["endpoint"], message });
};

/** Refuses credentials from several places, because each runtime takes them from one place. */
const onOneRuntime: z.core.CheckFn<Model> = (context) => {
  const { runtime, auth_provider = "api_key", api_key } = context.value;
  const complain = (path: string, message: string) =>
    context.issues.push({ code: "custom", input: context.value, path: [path], message });
  if (runtime !== backend) {
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

export const claudeCodeModels: readonly AgentModelForm[] = [
  {
    provider: backend,
    shape: {
      auth_provider: authProvider,
      endpoint: agentFields
        .address("The address for requests, instead of Anthropic's. Not with auth_provider: session.")
        .exactOptional(),
    },
    check: keepLogin,
    settings: () => ({ backend }),
  },
  {
    provider: "anthropic",
    runtime: backend,
    shape: { auth_provider: authProvider },
    check: onOneRuntime,
    settings: () => ({ backend }),
  },
];
