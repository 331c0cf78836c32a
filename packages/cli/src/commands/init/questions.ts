import {
  findProvider,
  type InitQuestions,
  modelForTools,
  problemOfFolder,
  providerNames,
  type TemplateName,
  templateLabels,
  templateNames,
  usableProviders,
} from "@bridle/app/init";
import { isCancel, log, select, type TextOptions, text } from "@clack/prompts";
import type { Output } from "../../command/cli.ts";
import { wrap } from "../../terminal/wrap.ts";
import { findingLines } from "./finding-lines.ts";

/** Thrown if the user leaves the questions. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";
}

/** How many columns precede each line of the questions, plus one free column. */
const guideColumns = 4;

/**
 * Asks in the terminal of this process. Questions go to standard error, because they are not results. Each rejects with Cancelled if the
 * user leaves.
 */
export function createQuestions(signal: AbortSignal, { columns = 80 }: Pick<Output, "columns">): InitQuestions {
  const terminal = { input: process.stdin, output: process.stderr, signal };
  return {
    folder: async () =>
      answered(
        await text({
          ...terminal,
          message: "Which folder? (. is this one)",
          initialValue: "desk",
          validate: (value = "") => problemOfFolder(value),
        }),
      ),
    template: async () =>
      answered(
        await select<TemplateName>({
          ...terminal,
          message: "Which agent?",
          options: templateNames.map((value) => ({ value, label: `${value}: ${templateLabels[value]}` })),
        }),
      ),
    async provider(findings) {
      const lines = findingLines(findings).flatMap((line) => wrap(line, columns - guideColumns));
      log.info(lines.join("\n"), { output: process.stderr });
      const found = usableProviders(findings);
      const others = providerNames.filter((name) => !found.includes(name));
      return answered(
        await select<string>({
          ...terminal,
          message: "Which provider runs the model?",
          options: [...found, ...others].map((value) => ({
            value,
            label: `${value}: ${findProvider(value).label}`,
            hint: found.includes(value) ? "found" : `not found; ${findProvider(value).remedy}`,
          })),
        }),
      );
    },
    model: async (ollama) =>
      answered(
        await select<string>({
          ...terminal,
          message: "Which model?",
          ...(modelForTools(ollama) !== undefined && { initialValue: modelForTools(ollama) ?? "" }),
          options: ollama.models.map(({ name, callsTools }) => ({
            value: name,
            label: name,
            ...(callsTools === false && { hint: "cannot call tools" }),
          })),
        }),
      ),
    modelName: (usual) => askForText("Which model? An alias or a full id", usual, terminal),
    agentName: (usual) => askForText("What is the name of the agent?", usual, terminal),
  };
}

/** Asks with a suggested answer, which Enter accepts. */
async function askForText(
  message: string,
  usual: string,
  terminal: Pick<TextOptions, "input" | "output" | "signal">,
): Promise<string> {
  const validate = (value = "") => (value.trim() === "" ? "Type a name." : undefined);
  return answered(await text({ ...terminal, message, initialValue: usual, validate })).trim();
}

function answered<T>(answer: T): Exclude<T, symbol> {
  if (isCancel(answer)) throw new Cancelled();
  return answer as Exclude<T, symbol>;
}
