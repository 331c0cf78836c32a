import { withProject } from "@bridle/app/project";
import { defineCommand } from "../../command/command.ts";
import { exitCodeHelp } from "../../command/exit-codes.ts";
import { chatFlags, chatOperand, readChatOptions } from "./chat-options.ts";

export const chatCommand = defineCommand({
  description: `Chat with an agent. The conversation is a session: leave at any time, and resume with --continue.
At a terminal you watch the answers and tool calls as they happen, and are asked if the rules require it.
Through a pipe, standard input is one prompt, and the answer goes to standard output.`,
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
