/** The GitHub host and the account name of the fake login. */
export const fakeGitHubHost = "https://github.com";
export const fakeGitHubName = "rehearsal";

/** The token of the fake login. It is valid only in a rehearsal. */
export const fakeGitHubToken = "gho_rehearsal";

/** The host to which the account's requests to models go. */
const modelHost = "api.individual.githubcopilot.com";

/** The hosts that Copilot's runtime uses with the fake login: for the account, and for its models. */
export const copilotHosts: readonly string[] = ["api.github.com", modelHost];

/** GitHub's data about the account, as far as Copilot's runtime 1.0.85 reads it. */
export const fakeGitHubAccount = {
  login: fakeGitHubName,
  access_type_sku: "copilot_pro",
  copilot_plan: "individual",
  chat_enabled: true,
  copilotignore_enabled: true,
  is_mcp_enabled: true,
  organization_login_list: ["rehearsal-organization"],
  endpoints: { api: `https://${modelHost}` },
};
