/** Codex through its SDK, which starts a process for every call. */
import { Codex } from "@openai/codex-sdk";

/** Starts a new conversation for every call. */
export function createAsk({ baseUrl, model, home, workingDirectory }) {
  const env = { PATH: process.env.PATH ?? "", HOME: home, CODEX_HOME: home };
  // Turns off web sockets: the rehearsal has none, and trying to connect takes six seconds.
  const provider = { name: "bench", base_url: baseUrl, env_key: "CODEX_API_KEY", wire_api: "responses" };
  const config = { model_provider: "bench", model_providers: { bench: provider } };
  const codex = new Codex({ apiKey: "bench", env, config });
  return async (prompt) => {
    const thread = codex.startThread({ model, workingDirectory, skipGitRepoCheck: true });
    return (await thread.run(prompt)).finalResponse;
  };
}
