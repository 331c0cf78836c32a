import { withProject } from "@bridle/app/project";
import { defineCommand } from "../../command/command.ts";
import { exitCodeHelp } from "../../command/exit-codes.ts";
import { chatFlags, chatOperand, readChatOptions } from "./chat-options.ts";

export const chatCommand = defineCommand({
  description: `Chat with an agent. The conversation is a session: leave at any time and resume with --continue.
On a terminal, answers and tool calls appear as they happen, and Bridle asks you when the rules require it.
In a pipe, standard input is a single prompt and the answer goes to standard output.`,
  notes: exitCodeHelp,
  operand: chatOperand,
  flags: chatFlags,
  examples: [
    "bridle chat",
    "bridle chat agents/desk.yaml --rehearse rehearsal.yaml",
    "bridle chat --tools tools.ts --mode normal --continue",
    'echo "Where is order A-1001?" | bridle chat agent.yaml',
  ],
  async run(given, cli) {
    const options = await readChatOptions(given, cli);
    const { startChat } = await import("../../chat/start-chat.ts");
    return startChat(options, await withProject(given.flags, cli));
  },
});
