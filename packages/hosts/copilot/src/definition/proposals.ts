// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how files refer to the environment
import type { HostProposal } from "@bridle/protocol";

export const copilotProposals: readonly HostProposal[] = [
  {
    name: "copilot-login",
    label: "your GitHub Copilot login",
    model: "claude-sonnet-5",
    variables: [],
    settings: () => ({ backend: "copilot", auth: "session" }),
    remedy: 'install @github/copilot-sdk@1.0.14, run "copilot login" once, then "bridle doctor --live"',
    probe: "login",
  },
  {
    name: "copilot",
    label: "GitHub Copilot's runtime with a key of OpenAI",
    model: "gpt-6-sol",
    variables: [["OPENAI_API_KEY"]],
    settings: () => ({ backend: "copilot", apiKey: "${OPENAI_API_KEY}" }),
    isAlternative: true, // by default, the key is used for OpenAI's API, which needs no other package
    remedy: "make a key at platform.openai.com, set OPENAI_API_KEY, and install @github/copilot-sdk@1.0.14",
  },
];
