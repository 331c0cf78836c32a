import { type Attachment, findMentionedFiles, readAttachment } from "@bridle/app/attachments";
import type { OpenChat } from "@bridle/app/chat";
import type { ChoiceQuestion } from "../choice-panel.ts";
import { isShellLine } from "../slash/slash.ts";

interface SenderParts {
  readonly cwd: string;
  /** The files named on the command line, which are sent with the first prompt. */
  readonly attachments: readonly Attachment[];
  choose(question: ChoiceQuestion): Promise<number | undefined>;
}

const choices = [
  { key: "y", label: "send them" },
  { key: "n", label: "send only the text" },
] as const;

/**
 * Sends prompts. Files that a prompt mentions after `@` are sent if the user agrees, because pasted text can mention any file. Resolves
 * with a prompt that was not sent.
 */
export function createSender(
  { runs, note }: Pick<OpenChat, "runs" | "note">,
  { cwd, attachments, choose }: SenderParts,
): (text: string) => Promise<string | undefined> {
  let first = attachments;
  const send = (text: string, mentioned: readonly Attachment[]) => {
    runs.send({ text, attachments: [...first, ...mentioned] });
    first = [];
    return undefined;
  };
  return async (text) => {
    if (isShellLine(text)) {
      note(
        "A chat runs no shell commands, so this was not sent. Begin with a blank to send it as a prompt.",
        "warning",
      );
      return text;
    }
    const files = await readMentionedFiles(text, cwd).catch((error: Error) => {
      note(error.message, "error");
      return undefined;
    });
    if (files === undefined) return text;
    if (files.length === 0) return send(text, []);
    const chosen = await choose(askToAttach(files));
    if (chosen === undefined) return text;
    return send(text, chosen === 0 ? files : []);
  };
}

async function readMentionedFiles(text: string, cwd: string): Promise<readonly Attachment[]> {
  const names = await findMentionedFiles(text, cwd);
  const remedy = `Correct the path after @, or put a blank after the @.`;
  return Promise.all(names.map((name) => readAttachment(name, cwd, remedy)));
}

function askToAttach(files: readonly Attachment[]): ChoiceQuestion {
  const facts = files.map(
    ({ name, description, isOutside }) => `${name} (${description})${isOutside ? ", outside of this folder" : ""}`,
  );
  const title = files.length === 1 ? "Send this file to the model?" : `Send these ${files.length} files to the model?`;
  return { title, facts, choices };
}
