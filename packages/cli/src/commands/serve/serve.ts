import { withProject } from "@bridle/app/project";
import { z } from "zod";
import { defineCommand } from "../../command/command.ts";
import { printListening, printNewToken, printServerStatus, serveUntilInterrupt } from "./serve-and-print.ts";
import { serveFlags, toServeOptions } from "./serve-flags.ts";

export const serveCommand = defineCommand({
  description: `Serve agents over HTTP to browsers, editors and programs on this machine. Prints a token at the start.
Without --agent, serves the agents in agent.yaml, agents/ and the folders of the project, or the project's model if
there are none.
The key serve in bridle.yaml enables other protocols and adds users.`,
  flags: {
    unix: {
      flag: "--unix <path>",
      description: "listen on a Unix socket that only you can open, instead of a port",
      value: z.string().min(1),
      expected: "a path",
    },
    status: {
      flag: "--status",
      description: "show the running server of the project, without starting one",
      value: z.boolean(),
    },
    newToken: {
      flag: "--new-token",
      description: "print a new token and its hash for serve.users, without starting a server",
      value: z.boolean(),
      excludes: ["status"],
    },
    ...serveFlags,
  },
  examples: [
    "bridle serve",
    "bridle serve --agent desk/agent.yaml --port 8080",
    "bridle serve --unix .bridle/server.sock",
    "bridle serve --host 0.0.0.0 --behind-proxy --allow-host agents.example.com",
    "bridle serve --status",
  ],
  notes: `After an interrupt, the server starts no more runs and waits for those in progress. A second interrupt ends it immediately.

Exit codes:
  0 ended by an interrupt, or the status was shown, 1 no server is running (--status), 2 usage, 3 configuration`,
  async run({ flags }, cli) {
    const { json = false, status = false, newToken = false, unix } = flags;
    if (newToken) return printNewToken({ json }, cli);
    const context = await withProject(flags, cli);
    if (status) return printServerStatus({ json }, context);
    const options = { ...toServeOptions(flags), socket: unix };
    return serveUntilInterrupt(options, (info) => printListening(info, { json }, context), context);
  },
});
