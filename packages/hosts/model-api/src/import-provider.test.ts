import { expect, test } from "vitest";
import { importProvider } from "./import-provider.ts";

const missing = Object.assign(new Error("Cannot find package '@ai-sdk/openai' imported from x.js"), {
  code: "ERR_MODULE_NOT_FOUND",
});

test("a backend whose package is not installed is an error that says how to install it", async () => {
  const importing = importProvider("openai", "@ai-sdk/openai", () => Promise.reject(missing));
  await expect(importing).rejects.toMatchObject({
    code: "config",
    message:
      'The backend openai needs the package "@ai-sdk/openai", which is not installed. Run "npm install @ai-sdk/openai".',
  });
});

test("any other failure of the import is passed on", async () => {
  const broken = new SyntaxError("Unexpected token");
  await expect(importProvider("openai", "@ai-sdk/openai", () => Promise.reject(broken))).rejects.toBe(broken);
  const other = Object.assign(new Error("Cannot find package 'left-pad'"), { code: "ERR_MODULE_NOT_FOUND" });
  await expect(importProvider("openai", "@ai-sdk/openai", () => Promise.reject(other))).rejects.toBe(other);
});
