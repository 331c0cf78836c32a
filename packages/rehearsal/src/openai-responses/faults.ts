/** Finds the faults that OpenAI refuses, mostly with its error messages, so that clients do not rely on a lenient server. */
import { joinOpenAIText } from "../openai/content.ts";
import { findToolFault } from "../openai/tool-names.ts";
import { isStoredItem } from "./item-ids.ts";
import type { Item, ResponsesRequest } from "./request.ts";
import { findSchemaFault } from "./strict-schema.ts";

/** Returns the first fault, or `undefined`. */
export function findResponsesFault(request: ResponsesRequest): string | undefined {
  const { tools, input, previous_response_id: previous } = request;
  if (previous) return `Previous response with id '${previous}' not found: a rehearsal keeps none. Send the history.`;
  return (
    findToolFault(
      tools.flatMap(({ name }) => name ?? []),
      "name",
    ) ??
    faultInSchemas(request) ??
    faultInFormat(request) ??
    faultInCalls(input, "function_call", "function call") ??
    faultInCalls(input, "custom_tool_call", "custom tool call") ??
    faultInStored(input)
  );
}

function faultInSchemas({ tools, text }: ResponsesRequest): string | undefined {
  for (const { name, strict, parameters } of tools) {
    const fault = strict === true ? findSchemaFault(parameters) : undefined;
    if (fault !== undefined) return `Invalid schema for function '${name}': ${fault}`;
  }
  const format = text?.format;
  const fault = format?.type === "json_schema" && format.strict === true ? findSchemaFault(format.schema) : undefined;
  return fault === undefined ? undefined : `Invalid schema for response_format '${format?.name}': ${fault}`;
}

function faultInFormat({ text, input, instructions }: ResponsesRequest): string | undefined {
  if (text?.format?.type !== "json_object") return undefined;
  const words = [instructions ?? "", ...input.map((item) => joinOpenAIText(item.content))].join("\n");
  if (/json/i.test(words)) return undefined;
  return "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.";
}

function faultInCalls(input: readonly Item[], type: string, words: string): string | undefined {
  const idsOf = (wanted: string, items = input) =>
    items.filter((item) => item.type === wanted).map((item) => item.call_id);
  const stray = input.find(
    (item, index) => item.type === `${type}_output` && !idsOf(type, input.slice(0, index)).includes(item.call_id),
  );
  if (stray !== undefined) return `No tool call found for ${words} output with call_id ${stray.call_id}.`;
  const outputs = idsOf(`${type}_output`);
  const open = idsOf(type).find((id) => !outputs.includes(id));
  return open === undefined ? undefined : `No tool output found for ${words} ${open}.`;
}

/** Finds an item that was not stored and that the client sends without its content; for reasoning, this is the encrypted content. */
function faultInStored(input: readonly Item[]): string | undefined {
  const lost = input.find(({ type, id, encrypted_content: content }) => {
    const refers = type === "item_reference" || (type === "reasoning" && !content);
    return refers && !isStoredItem(id ?? "");
  });
  if (lost === undefined) return undefined;
  return `Item with id '${lost.id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`;
}
