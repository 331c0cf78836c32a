import { setTimeout } from "node:timers/promises";
import { describeInput } from "@bridle/core";
import { type AnyTool, defineTool } from "@bridle/protocol";
import { z } from "zod";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const image = { mediaType: "image/png", data: pixel };
const plain = { input: z.object({}), annotations: { readOnly: true } };

/** The tools that the protocol's conformance suite expects of a server, as far as Bridle's tools can provide them. */
export const conformanceTools: readonly AnyTool[] = [
  defineTool({
    ...plain,
    name: "test_simple_text",
    description: "Returns a text.",
    execute: async () => "This is a simple text response for testing.",
  }),
  defineTool({
    ...plain,
    name: "test_image_content",
    description: "Returns an image.",
    execute: async () => ({ markdown: "", images: [image] }),
  }),
  defineTool({
    ...plain,
    name: "test_error_handling",
    description: "Fails.",
    async execute() {
      throw new Error("This tool intentionally returns an error for testing");
    },
  }),
  defineTool({
    ...plain,
    name: "test_tool_with_progress",
    description: "Reports its progress.",
    async execute(_input, { progress }) {
      for (const percent of [0, 50, 100]) {
        progress(`${percent} %`);
        await setTimeout(50);
      }
      return "done";
    },
  }),
  defineTool({
    ...plain,
    name: "test_tool_with_logging",
    description: "Reports what it does.",
    async execute(_input, { progress }) {
      for (const message of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        progress(message);
        await setTimeout(50);
      }
      return "done";
    },
  }),
  defineTool({
    ...plain,
    name: "test_reconnection",
    description: "Takes a while.",
    async execute() {
      await setTimeout(100);
      return "done";
    },
  }),
  defineTool({
    name: "json_schema_2020_12_tool",
    description: "Tool with JSON Schema 2020-12 features",
    annotations: { readOnly: true },
    input: describeInput({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } },
      },
      properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
      additionalProperties: false,
    }),
    execute: async (input) => JSON.stringify(input),
  }),
];
