import type { HostProposal } from "@bridle/protocol";

export const claudeCodeProposals: readonly HostProposal[] = [
  {
    name: "claude-code",
    label: "your Claude Code login",
    model: "sonnet",
    variables: [],
    settings: () => ({ backend: "claude-code" }),
    remedy:
      'run "claude" once and log in (npm install --global @anthropic-ai/claude-code installs it), then "bridle doctor --live"',
    probe: "login",
  },
  {
    name: "claude-code-token",
    label: "your Claude subscription, by a token",
    model: "sonnet",
    variables: [["CLAUDE_CODE_OAUTH_TOKEN"]],
    settings: () => ({ backend: "claude-code", auth: "oauth_token" }),
    remedy: 'run "claude setup-token", and set CLAUDE_CODE_OAUTH_TOKEN',
  },
];
