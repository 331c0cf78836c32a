import type { HostProposal } from "@bridle/protocol";

export const codexProposals: readonly HostProposal[] = [
  {
    name: "codex",
    label: "your Codex login",
    model: "gpt-6-sol",
    variables: [],
    settings: () => ({ backend: "codex" }),
    remedy: 'run "codex login" once (npm install --global @openai/codex installs it), then "bridle doctor --live"',
    probe: "login",
  },
];
