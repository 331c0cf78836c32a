import { type HostConfig, type HostSettingsForm, settingFields } from "@bridle/protocol";
import { z } from "zod";
import { type CodexAuthMode, codexAuthModes } from "../options.ts";

const { address, count } = settingFields;

/** The parsed keys of `llm.provider` for Codex. */
export interface CodexConfig extends HostConfig {
  readonly auth: CodexAuthMode;
  readonly baseUrl?: string;
  readonly idleTimeoutMs?: number;
}

export const codexSettings: HostSettingsForm = {
  shape: {
    auth: z
      .enum(codexAuthModes)
      .default("session")
      .describe(
        "The account that pays: the login of Codex on this machine (session), or the key in OPENAI_API_KEY (api_key).",
      ),
    baseUrl: address("The address for requests, instead of OpenAI's own address. Not with auth: session."),
    idleTimeoutMs: count(
      "Milliseconds without output from Codex after which a run ends. The time of tool calls does not count. Default: 300000.",
    ),
  },
  plainKeys: ["auth", "idleTimeoutMs"],
};
