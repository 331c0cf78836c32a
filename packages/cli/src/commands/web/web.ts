import { withProject } from "@bridle/app/project";
import { z } from "zod";
import type { ProjectCli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { pageLink, printListening, serveUntilInterrupt } from "../serve/serve-and-print.ts";
import { serveFlags, toServeOptions } from "../serve/serve-flags.ts";
import { openInBrowser } from "./open-in-browser.ts";

export const webCommand = defineCommand({
  description: `Serve agents like bridle serve, and open a page to chat with them, answer their questions, and inspect
runs and tests.`,
  flags: {
    open: {
      flag: "--no-open",
      description: "print the link without opening a browser",
      value: z.boolean(),
    },
    ...serveFlags,
  },
  examples: ["bridle web", "bridle web --rehearse rehearsal.yaml", "bridle web --no-open --port 8080"],
  notes: `The link contains the token, which is valid until the server ends. Anyone with the link has your access.
After an interrupt, the server starts no more runs and waits for those in progress. A second interrupt ends it immediately.

Exit codes:
  0 ended by an interrupt, 2 usage, 3 configuration`,
  async run({ flags }, cli) {
    const { json = false, open = true } = flags;
    const context = await withProject(flags, cli);
    let opened: Disposable | undefined;
    try {
      return await serveUntilInterrupt(
        toServeOptions(flags),
        (info) => {
          const link = pageLink(info) ?? info.url;
          if (json) printJson({ ...info, link }, context.stdout);
          else printListening(info, { json }, context);
          if (open) opened = openPage(link, context);
        },
        context,
      );
    } finally {
      opened?.[Symbol.dispose]();
    }
  },
});

function openPage(link: string, { project, environment, stderr }: ProjectCli): Disposable {
  return openInBrowser(link, {
    folder: project.folder,
    environment,
    onFailure: () => printSentence("No browser could be opened here. Open the link of the page yourself.", stderr),
  });
}
