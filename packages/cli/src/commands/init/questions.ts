import { isCancel, log, select, text } from "@clack/prompts";
import { type Output } from "../../command-line/cli.ts";
import { wrap } from "../../terminal/wrap.ts";
import { type Findings, findingLines, modelForTools, usable, problemOfFolder, type Ollama, type ProviderName, providerNames, providers, type TemplateName, templateLabels, templateNames } from "@bridle/app/init";

/** What a person is asked. Each rejects with a Cancelled when they leave. */
export interface Questions {
  folder(): Promise<string>;
  template(): Promise<TemplateName>;
  provider(findings: Findings): Promise<ProviderName>;
  model(ollama: Ollama): Promise<string>;
}

/** The person at the terminal left. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";
}

/** What stands before each line of the questions, and a column that stays free. */
const guideColumns = 4;

/** Questions on this process's terminal; on standard error, as all that is no result. */
export function createQuestions(signal: AbortSignal, { columns = 80 }: Pick<Output, "columns">): Questions {
  const terminal = { input: process.stdin, output: process.stderr, signal };
  return {
    folder: async () =>
      answered(
        await text({
          ...terminal,
          message: "In which folder? (. is this one)",
          initialValue: "desk",
          validate: (value = "") => problemOfFolder(value),
        }),
      ),
    template: async () =>
      answered(
        await select<TemplateName>({
          ...terminal,
          message: "What shall the agent be?",
          options: templateNames.map((value) => ({ value, label: `${value}: ${templateLabels[value]}` })),
        }),
      ),
    async provider(findings) {
      const lines = findingLines(findings).flatMap((line) => wrap(line, columns - guideColumns));
      log.info(lines.join("\n"), { output: process.stderr });
      const found = usable(findings);
      const others = providerNames.filter((name) => !found.includes(name));
      return answered(
        await select<ProviderName>({
          ...terminal,
          message: "Where shall the model run?",
          options: [...found, ...others].map((value) => ({
            value,
            label: `${value}: ${providers[value].label}`,
            hint: found.includes(value) ? "found" : `not found; ${providers[value].remedy}`,
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
  };
}

function answered<T>(answer: T): Exclude<T, symbol> {
  if (isCancel(answer)) throw new Cancelled();
  return answer as Exclude<T, symbol>;
}
