import { tmpdir } from "node:os";
import { type ConversationSpec, defaultPromptCaching, type TurnContext } from "@bridle/protocol";

/** Returns an empty conversation of one step without tools and without a project, for requests about the host itself. */
export function bareConversation(model: string): ConversationSpec {
  return {
    model,
    system: { static: "", dynamic: "" },
    tools: [],
    builtins: [],
    stepBudget: 1,
    promptCaching: defaultPromptCaching,
    history: [],
    projectDir: tmpdir(),
  };
}

/** Returns the context of an unwatched turn that runs no calls. `reportRefused` gets the calls that the host refuses. */
export function bareContext(signal: AbortSignal, reportRefused: TurnContext["reportRefused"] = () => {}): TurnContext {
  return {
    signal,
    emit: () => {},
    awaitLimit: (error) => Promise.reject(error),
    callTool: async () => ({ output: "No call was expected.", isError: true }),
    authorizeHostTool: async () => ({ allow: false, reply: "No call was expected." }),
    completeHostTool: () => {},
    reportRefused,
  };
}
